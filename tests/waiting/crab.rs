//! Waits for a line as Rust programs do; the last way wakes by itself and speaks first.

use std::io::{Write, stdin, stdout};
use std::process::exit;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn line() -> String {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap_or(0);
    line
}

fn main() {
    let way = std::env::args().nth(1).unwrap_or_default();
    let got = match way.as_str() {
        "line" => line(),
        "channel" | "timeout" => {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || sender.send(line()));
            match way.as_str() {
                "channel" => receiver.recv().unwrap_or_default(),
                _ => receiver.recv_timeout(Duration::from_secs(60)).unwrap_or_default(),
            }
        }
        "sleep" => {
            thread::spawn(|| {
                thread::sleep(Duration::from_millis(200));
                println!("late");
                let _ = stdout().flush();
            });
            line()
        }
        _ => exit(7),
    };
    exit(if got.is_empty() { 8 } else { 0 });
}
