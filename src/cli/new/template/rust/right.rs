//! Asks about the middle of what is left until the reply is `equal`.

use std::io::{Write, stdin, stdout};

fn main() {
    let mut lines = stdin().lines().map(|line| line.expect("a line of text"));
    let n = lines.next().expect("a line with n");
    let (mut low, mut high): (u32, u32) = (1, n.trim().parse().expect("a number"));
    loop {
        let x = (low + high) / 2;
        println!("? {x}");
        stdout().flush().expect("somebody who listens");
        match lines.next().expect("a reply").trim() {
            "bigger" => low = x + 1,
            "smaller" => high = x - 1,
            _ => return println!("! {x}"),
        }
    }
}
