//! Leaves the judge piles whose sizes come to 0 by exclusive or.

use std::io::{self, Write};

fn numbers() -> Vec<usize> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).expect("a line");
    let words = line.split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

fn main() {
    numbers();
    let mut piles = numbers();
    loop {
        let balance = piles.iter().fold(0, |sum, size| sum ^ size);
        let wins = |size: &usize| size ^ balance < *size;
        let pile = piles.iter().position(wins).expect("a winning move");
        let count = piles[pile] - (piles[pile] ^ balance);
        println!("{} {count}", pile + 1);
        io::stdout().flush().expect("somebody who listens");
        piles[pile] -= count;
        if piles.iter().all(|size| *size == 0) {
            return;
        }
        let reply = numbers();
        piles[reply[0] - 1] -= reply[1];
    }
}
