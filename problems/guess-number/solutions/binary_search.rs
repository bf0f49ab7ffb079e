//! Binary search: halve the range until the reply is `equal`.

use std::io::{self, Lines, StdinLock, Write};

fn read(lines: &mut Lines<StdinLock<'_>>) -> io::Result<String> {
    let line = lines.next().ok_or(io::ErrorKind::UnexpectedEof)??;
    Ok(line.trim().to_owned())
}

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lines();
    let mut stdout = io::stdout().lock();
    let n: u32 = read(&mut lines)?.parse().map_err(io::Error::other)?;
    let (mut low, mut high) = (1, n);
    loop {
        let middle = low + (high - low) / 2;
        writeln!(stdout, "? {middle}")?;
        stdout.flush()?;
        match read(&mut lines)?.as_str() {
            "bigger" => low = middle + 1,
            "smaller" => high = middle - 1,
            _ => return writeln!(stdout, "! {middle}"),
        }
    }
}
