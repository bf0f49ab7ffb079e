//! What ordinary Rust programs do: see ../table.toml.

use std::io::{self, BufRead, Write};
use std::thread;

fn answer() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let number: i64 = line?.trim().parse().expect("a number");
        println!("{}", 2 * number);
        io::stdout().flush()?;
    }
    Ok(())
}

fn threads() {
    let sum = |first: i64| move || (0..1_000_000).map(|i| first + i % 7).sum::<i64>();
    let workers: Vec<_> = (0..4).map(|first| thread::spawn(sum(first))).collect();
    let total: i64 = workers
        .into_iter()
        .map(|worker| worker.join().expect("no panic"))
        .sum();
    println!("{total}");
}

fn main() -> io::Result<()> {
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        "hello" => println!("hello"),
        "answer" => answer()?,
        "threads" => threads(),
        "heap" => println!("{}", std::hint::black_box(vec![1_u8; 200 << 20])[12345]),
        "crash" => panic!("nobody catches this"),
        "exhaust" => {
            let mut kept = Vec::new();
            loop {
                kept.push(std::hint::black_box(vec![1_u8; 1 << 20]));
            }
        }
        _ => std::process::exit(2),
    }
    Ok(())
}
