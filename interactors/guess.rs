//! Interactor for "guess the number": a model to copy from, one file, nothing but `std`
//! (`rustc -O --edition 2024 guess.rs`). guess.cpp and guess.py beside it behave in the same way, to
//! the last word on standard error.
//!
//!     guess INPUT OUTPUT [ANSWER]
//!
//!     INPUT            `n secret` or `n secret limit`: the range, the number, the questions allowed
//!     OUTPUT           receives the number of questions that were used
//!     standard input   what the contestant prints
//!     standard output  what the contestant reads
//!     standard error   one line, for people: what was decided, and why
//!     exit code        0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL (our own fault)
//!
//! The dialogue, line by line: the interactor prints n; the contestant asks `? x` and reads
//! `bigger`, `smaller` or `equal` (the secret, compared with x); in the end it answers `! x`.
//!
//! What every interactor must do, marked below with the same numbers:
//!   (1) check its own files first, and never blame the contestant for them;
//!   (2) flush after every line, or both sides wait for ever;
//!   (3) expect anything at all from the contestant: no text, garbage, endless lines, huge numbers;
//!   (4) end after a bounded number of steps, whatever the contestant does;
//!   (5) decide exactly once, in one place, and say why.

use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, Read, StdinLock, Write};
use std::os::unix::ffi::OsStrExt;

/// The largest n, and the largest limit.
const LARGEST: i64 = 1_000_000_000;
/// In bytes; the longest sensible line has 12.
const LONGEST_LINE: usize = 64;

/// How it ended, and why. Every function hands this up to `main`, which is the only way out.
enum Decision {
    Ok(String),
    WrongAnswer(String),
    WrongFormat(String),
    Fail(String),
}

/// What a test file says.
struct Test {
    n: i64,
    secret: i64,
    limit: i64,
}

/// A line from the contestant, without its newline.
enum Line {
    Text(Vec<u8>),
    TooLong(Vec<u8>),
    End,
}

// (5) The code and the words are given here and nowhere else. A panic would end with code 101,
// which no protocol defines, so it is a fault of ours for every judge, as it should be.
fn main() {
    let (code, first_words, why) = match run() {
        Decision::Ok(why) => (0, "ok", why),
        Decision::WrongAnswer(why) => (1, "wrong answer", why),
        Decision::WrongFormat(why) => (2, "wrong output format", why),
        Decision::Fail(why) => (3, "FAIL", why),
    };
    // Not eprintln!, which panics when standard error is closed.
    let _ = writeln!(io::stderr(), "{first_words} {why}");
    std::process::exit(code);
}

/// Everything around the dialogue: the files.
fn run() -> Decision {
    // (1) ANSWER is not needed: the secret is in INPUT. Arguments after it are let pass.
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [input, output, ..] = arguments.as_slice() else {
        return Decision::Fail("usage: guess INPUT OUTPUT [ANSWER]".into());
    };
    let test = match read_test(input) {
        Ok(test) => test,
        Err(why) => return Decision::Fail(why),
    };
    let Ok(mut output_file) = File::create(output) else {
        return Decision::Fail(format!("cannot open OUTPUT {}", shown(output.as_bytes())));
    };

    let mut used = 0;
    let decision = talk(&test, &mut used);
    if !matches!(decision, Decision::Fail(_)) && writeln!(output_file, "{used}").is_err() {
        return Decision::Fail("cannot write to OUTPUT".into());
    }
    decision
}

/// The dialogue, up to the decision. Counts the questions in `used`.
fn talk(test: &Test, used: &mut i64) -> Decision {
    let Test { n, secret, limit } = *test;
    let wrong_format = |found: String| {
        Decision::WrongFormat(format!("expected a question or an answer, found {found}"))
    };
    let mut stdin = io::stdin().lock();

    say(&n.to_string());
    // (4) Each round either ends the run or uses up a question.
    loop {
        let line = match hear(&mut stdin) {
            Ok(Line::Text(line)) => line,
            Ok(Line::TooLong(start)) => {
                let start = shown(&start);
                return wrong_format(format!(
                    "a line of more than {LONGEST_LINE} bytes: `{start}`"
                ));
            }
            Ok(Line::End) => return wrong_format("the end".into()),
            Err(_) => return Decision::Fail("cannot read what the contestant prints".into()),
        };
        let malformed = || wrong_format(format!("`{}`", shown(&line)));
        let words: Vec<&[u8]> = line
            .split(|byte| b" \t\r".contains(byte))
            .filter(|word| !word.is_empty())
            .collect();
        let [command @ (b"?" | b"!"), number] = words.as_slice() else {
            return malformed();
        };
        let Some(x) = integer(number) else {
            return malformed();
        };
        let number = shown(number);
        let in_range = (1..=n).contains(&x);

        if *command == b"!" {
            if !in_range {
                return Decision::WrongAnswer(format!(
                    "the answer {number} is not between 1 and {n}"
                ));
            }
            if x != secret {
                return Decision::WrongAnswer(format!("the number is {secret}, not {number}"));
            }
            // What the contestant prints after its answer is not our business.
            return Decision::Ok(format!("found {number}, questions: {used} of {limit}"));
        }

        if *used == limit {
            return Decision::WrongAnswer(format!("one question too many: {limit} are allowed"));
        }
        *used += 1;
        if !in_range {
            return Decision::WrongAnswer(format!(
                "question {used}: {number} is not between 1 and {n}"
            ));
        }
        say(match secret.cmp(&x) {
            Ordering::Greater => "bigger",
            Ordering::Less => "smaller",
            Ordering::Equal => "equal",
        });
    }
}

/// One line to the contestant.
fn say(line: &str) {
    let mut stdout = io::stdout().lock();
    // Not println!, which panics when the contestant has gone. A failure is no reason to stop: a
    // contestant that did not wait for this reply is judged by what it had printed before, and
    // reading on will show what that is. (Rust ignores SIGPIPE, so no signal kills us here.)
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush(); // (2) a newline alone flushes in few languages; do not count on it
}

/// One line from the contestant. At the end of input, what is left counts as the last line.
fn hear(stdin: &mut StdinLock<'static>) -> io::Result<Line> {
    let mut line = Vec::new();
    // (3) Bytes, not `String`s: they may be no UTF-8. And never more than a line can have, so
    // that nobody waits for the end of an endless one.
    stdin
        .by_ref()
        .take(LONGEST_LINE as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(Line::End);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LONGEST_LINE {
        line.truncate(LONGEST_LINE);
        return Ok(Line::TooLong(line));
    }
    Ok(Line::Text(line))
}

/// An integer as it is usually written: no plus, no leading zeros, no `-0`. One that is too large
/// for the type is still an integer, just out of every range: it comes back as the type's extreme.
fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let canonical = match digits {
        [] => false,
        [b'0'] => !negative,
        [first, ..] => *first != b'0' && digits.iter().all(u8::is_ascii_digit),
    };
    if !canonical {
        return None;
    }
    // (3) Digits alone can only fail to parse by being too many.
    let value = str::from_utf8(digits).ok()?.parse().unwrap_or(i64::MAX);
    Some(if negative { -value } else { value })
}

/// Bytes of the contestant's, made fit for a message of one line.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text
}

/// Reads and checks INPUT (1). The error is what to say after `FAIL`.
fn read_test(path: &OsStr) -> Result<Test, String> {
    let bytes =
        std::fs::read(path).map_err(|_| format!("cannot read INPUT {}", shown(path.as_bytes())))?;
    let words: Vec<&[u8]> = bytes
        .split(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        .filter(|word| !word.is_empty())
        .collect();

    let number = |word: &[u8], name: &str, least: i64, most: i64| {
        integer(word)
            .filter(|value| (least..=most).contains(value))
            .ok_or_else(|| {
                let found = shown(word);
                format!("INPUT: {name} must be an integer from {least} to {most}, found `{found}`")
            })
    };
    let (n, secret, limit) = match words.as_slice() {
        [n, secret] => (n, secret, None),
        [n, secret, limit] => (n, secret, Some(limit)),
        _ => return Err("INPUT must hold `n secret` or `n secret limit`".into()),
    };
    let n = number(n, "n", 1, LARGEST)?;
    let secret = number(secret, "secret", 1, n)?;
    let limit = match limit {
        Some(limit) => number(limit, "limit", 0, LARGEST)?,
        None => usual_limit(n),
    };
    Ok(Test { n, secret, limit })
}

/// `2 * ceil(log2 n) + 2`, in integers: floating point has no place in a limit.
fn usual_limit(n: i64) -> i64 {
    let mut halvings = 0;
    while (1_i64 << halvings) < n {
        halvings += 1;
    }
    2 * halvings + 2
}
