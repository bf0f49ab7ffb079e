// The Rust side of ends.c.
use std::hint::black_box;

#[inline(never)]
fn divide(number: u64) -> u64 {
    if black_box(number) == 3 {
        std::process::abort(); // here: abort
    }
    divide(black_box(number) - 1) + 1 // here: divide
}

struct Tree(Vec<Tree>);

impl Tree {
    #[inline(never)]
    fn read(&self, address: usize) -> u8 {
        black_box(self.0.len());
        let pointer = address as *const u8;
        unsafe { pointer.read_volatile() } // here: read
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("abort") => drop(black_box(divide(5))), // here: main-abort
        Some("read") => drop(black_box(Tree(vec![]).read(black_box(16)))), // here: main-read
        _ => {}
    }
}
