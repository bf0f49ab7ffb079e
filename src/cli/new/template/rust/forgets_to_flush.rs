//! As right.rs, but nothing leaves the BufWriter before it is full.

use std::io::{BufWriter, Write, stdin, stdout};

fn main() {
    let mut out = BufWriter::new(stdout());
    let mut lines = stdin().lines().map(|line| line.expect("a line of text"));
    let n = lines.next().expect("a line with n");
    let (mut low, mut high): (u32, u32) = (1, n.trim().parse().expect("a number"));
    loop {
        let x = (low + high) / 2;
        writeln!(out, "? {x}").expect("room in a buffer");
        match lines.next().expect("a reply").trim() {
            "bigger" => low = x + 1,
            "smaller" => high = x - 1,
            _ => return writeln!(out, "! {x}").expect("room in a buffer"),
        }
    }
}
