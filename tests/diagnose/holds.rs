//! Prints something without the end of its line, says "ready" on standard error, and waits for
//! input.

use std::io::Read;

fn main() {
    print!("? 1\n? 2");
    eprintln!("ready");
    let _ = std::io::stdin().read(&mut [0]);
}
