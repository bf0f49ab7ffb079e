//! The command line: parse, run, exit status.

fn main() {
    println!("rejoinder {}", env!("CARGO_PKG_VERSION"));
}
