// Asks three times, notes the time, and waits for an answer to nothing; with `thread`, another
// thread reads.
use std::io::BufRead;
use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

fn line() -> String {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).unwrap();
    line
}

fn main() {
    let threaded = std::env::args().nth(1).as_deref() == Some("thread");
    let (there, lines) = mpsc::channel();
    if threaded {
        std::thread::spawn(move || while there.send(line()).is_ok() {});
    }
    let take = || match threaded {
        true => lines.recv().unwrap(),
        false => line(),
    };
    for i in 0..3 {
        println!("? {i}");
        take();
    }
    eprintln!("{}", SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos());
    take();
    std::process::exit(1);
}
