// As ends.c, for what only Rust has.
use std::hint::black_box;

#[inline(never)]
fn pick(from: &[i32], which: usize) -> i32 {
    from[which] // panics
}

#[inline(never)]
fn refuse(n: usize) -> usize {
    if n > 1 {
        std::process::abort(); // aborts
    }
    n + 1
}

#[inline(never)]
fn spin() {
    loop {
        black_box(1); // spins
    }
}

fn main() {
    let way = std::env::args().nth(1).unwrap_or_default();
    let number = black_box(way.len());
    match &*way {
        "panics" => println!("{}", pick(&[1, 2], number)),
        "aborts" => println!("{}", refuse(number)),
        "spins" => spin(),
        _ => {}
    }
}
