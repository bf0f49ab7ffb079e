//! A small library for interactors in Rust, nothing but `std`: reads what the contestant prints
//! without trusting it, flushes by itself, and decides in one place. Its twins in C++ and Python,
//! strict.hpp and strict.py, end with the same words on standard error.
//!
//! ```ignore
//! mod strict;
//! use strict::Decision;
//!
//! fn main() {
//!     strict::run(|dialogue| {
//!         let n = dialogue.test.next_line("n")?.integer("n", 1, 1000)?;
//!         dialogue.test.end_line()?;
//!         dialogue.test.end()?;
//!         dialogue.say(n);
//!         let line = dialogue.contestant.next_line("a guess")?;
//!         ...
//!         Ok(Decision::Ok("found it".into()))
//!     })
//! }
//! ```
//!
//! It speaks the protocol of testlib: started as `interactor INPUT OUTPUT [ANSWER]`, it ends with
//! exit code 0 ok, 1 wrong answer, 2 wrong output format, 3 FAIL or 7 points, and says why on
//! standard error. A panic ends with 101, which no protocol defines: a fault of ours, as it should be.
//! With `strict::run_as(Protocol::Icpc, ...)` it is started as `validator INPUT ANSWER FEEDBACK_DIR`,
//! ends with exit code 42 accepted, 43 wrong, or 3 for our own fault, and says why in
//! `judgemessage.txt` as well.
//!
//! What is wrong with a line of the contestant's is
//!   - a presentation error if the line is not what the dialogue calls for: the end of the output, a
//!     word too few or too many, a word that is no integer, a line without end;
//!   - a wrong answer if it is, but a number is out of its range.
//!
//! In the test's input, both are our own fault.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// How the interactor is started, and how it says what it decided.
#[derive(Clone, Copy, PartialEq)]
pub enum Protocol {
    Testlib,
    Icpc,
}

/// How it ended, and why. The reading functions hand it up as an error, for `?`.
pub enum Decision {
    Ok(String),
    WrongAnswer(String),
    WrongFormat(String),
    Fail(String),
    Points(f64, String),
}

pub type Result<T> = std::result::Result<T, Decision>;

/// Leads the dialogue in the protocol of testlib, says what was decided, and exits. This is the only
/// way out.
pub fn run(dialogue: impl FnOnce(&mut Dialogue) -> Result<Decision>) -> ! {
    run_as(Protocol::Testlib, dialogue)
}

/// The same in either protocol.
pub fn run_as(protocol: Protocol, dialogue: impl FnOnce(&mut Dialogue) -> Result<Decision>) -> ! {
    let mut feedback = None;
    let decision = Dialogue::open(protocol).and_then(|mut open| {
        feedback = open.feedback.clone();
        let decision = dialogue(&mut open)?;
        if let (Some(folder), Decision::Points(points, _)) = (&feedback, &decision) {
            let written = std::fs::write(folder.join("score.txt"), format!("{points}\n"));
            written.map_err(|_| fail("cannot write to score.txt"))?;
        }
        Ok(decision)
    });
    let (testlib, icpc, words, why) = match decision.unwrap_or_else(|decision| decision) {
        Decision::Ok(why) => (0, 42, "ok".to_owned(), why),
        Decision::WrongAnswer(why) => (1, 43, "wrong answer".to_owned(), why),
        Decision::WrongFormat(why) => (2, 43, "wrong output format".to_owned(), why),
        Decision::Fail(why) => (3, 3, "FAIL".to_owned(), why),
        Decision::Points(points, why) => (7, 42, format!("points {points}"), why),
    };
    // Not eprintln!, which panics when standard error is closed.
    let line = format!("{words} {why}\n");
    let _ = io::stderr().write_all(line.as_bytes());
    if let Some(Ok(mut file)) = feedback.map(|folder| judge_message(&folder)) {
        let _ = file.write_all(line.as_bytes());
    }
    std::process::exit(match protocol {
        Protocol::Testlib => testlib,
        Protocol::Icpc => icpc,
    })
}

/// The file that the icpc protocol has for what the jury is told, to be added to.
fn judge_message(feedback: &Path) -> io::Result<File> {
    let path = feedback.join("judgemessage.txt");
    File::options().create(true).append(true).open(path)
}

/// Both ends of the run: the test's files, and the contestant.
pub struct Dialogue {
    pub test: Reader,
    pub contestant: Reader,
    output: File,
    /// FEEDBACK_DIR of the icpc protocol.
    feedback: Option<PathBuf>,
}

impl Dialogue {
    fn open(protocol: Protocol) -> Result<Dialogue> {
        let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        let (input, output, feedback) = match (protocol, arguments.as_slice()) {
            (Protocol::Testlib, [input, output, ..]) => (input, output, None),
            (Protocol::Icpc, [input, _, feedback, ..]) => (input, feedback, Some(feedback.into())),
            (Protocol::Testlib, _) => return Err(fail("usage: interactor INPUT OUTPUT [ANSWER]")),
            (Protocol::Icpc, _) => {
                return Err(fail("usage: validator INPUT ANSWER FEEDBACK_DIR"));
            }
        };
        let cannot = |what: &str, path: &OsString| {
            let path = shown(path.as_encoded_bytes());
            fail(format!("cannot open {what} {path}"))
        };
        let test = File::open(input).map_err(|_| cannot("INPUT", input))?;
        Ok(Dialogue {
            test: Reader::new(BufReader::new(test), Of::Test, u64::MAX - 1),
            contestant: Reader::new(io::stdin().lock(), Of::Contestant, 1000),
            output: match protocol {
                Protocol::Testlib => File::create(output),
                Protocol::Icpc => judge_message(Path::new(output)),
            }
            .map_err(|_| cannot("OUTPUT", output))?,
            feedback,
        })
    }

    /// Sends one line.
    pub fn say(&mut self, line: impl Display) {
        let mut stdout = io::stdout().lock();
        // Not println!, which panics. That nobody takes the line is no reason to stop: reading on
        // will show what the contestant had printed before it went.
        let _ = writeln!(stdout, "{line}");
        let _ = stdout.flush();
    }

    /// Writes a line into OUTPUT, for a checker or for people; with icpc into `judgemessage.txt`.
    pub fn note(&mut self, line: impl Display) -> Result<()> {
        writeln!(self.output, "{line}").map_err(|_| fail("cannot write to OUTPUT"))
    }
}

/// Who is to blame for what is wrong in a text.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Contestant,
    Test,
}

/// Lines of words, read one by one, never further than was asked for.
pub struct Reader {
    file: Box<dyn BufRead>,
    of: Of,
    /// In bytes.
    longest_line: u64,
    /// The number of the line, from 1.
    number: usize,
    /// The words of the line that were not yet asked for.
    words: std::vec::IntoIter<Vec<u8>>,
}

impl Reader {
    fn new(file: impl BufRead + 'static, of: Of, longest_line: u64) -> Reader {
        Reader {
            file: Box::new(file),
            of,
            longest_line,
            number: 0,
            words: Vec::new().into_iter(),
        }
    }

    /// Reads the next line, which there must be. `what` says what it should be, for the message.
    /// What is left at the end of input counts as the last line, even without its newline.
    pub fn next_line(&mut self, what: &str) -> Result<&mut Reader> {
        let mut line = Vec::new();
        // Bytes, because they may be no UTF-8; and never more than a line can have, so that nobody
        // waits for the end of an endless one.
        let mut bounded = self.file.by_ref().take(self.longest_line + 1);
        let read = bounded.read_until(b'\n', &mut line);
        read.map_err(|_| self.unreadable())?;
        if line.is_empty() {
            return Err(self.malformed(format!("expected {what}, found the end")));
        }
        self.number += 1;
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        if line.len() as u64 > self.longest_line {
            let most = self.longest_line;
            let found = format!("expected {what}, found a line of more than {most} bytes");
            return Err(self.malformed(found));
        }
        let words = line.split(|byte| b" \t\r".contains(byte));
        let words = words.filter(|word| !word.is_empty()).map(<[u8]>::to_vec);
        self.words = words.collect::<Vec<_>>().into_iter();
        Ok(self)
    }

    /// The next word of the line.
    pub fn word(&mut self, what: &str) -> Result<Vec<u8>> {
        let word = self.words.next();
        word.ok_or_else(|| self.malformed(format!("expected {what}, found the end of the line")))
    }

    /// The next word of the line, which must be one of these; its place among them.
    pub fn one_of(&mut self, what: &str, choices: &[&str]) -> Result<usize> {
        let found = self.word(what)?;
        let place = choices.iter().position(|choice| choice.as_bytes() == found);
        place.ok_or_else(|| self.malformed(format!("expected {what}, found {}", shown(&found))))
    }

    /// The next word of the line as an integer from `least` to `most`, as it is usually written: no
    /// plus, no leading zeros, no `-0`.
    pub fn integer(&mut self, what: &str, least: i64, most: i64) -> Result<i64> {
        let found = self.word(what)?;
        let (negative, digits) = match found.as_slice() {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let plain = match digits {
            [] => false,
            [b'0'] => !negative,
            [first, ..] => *first != b'0' && digits.iter().all(u8::is_ascii_digit),
        };
        if !plain {
            return Err(self.malformed(format!("expected {what}, found {}", shown(&found))));
        }
        // An integer that does not fit into the type is out of every range.
        let value = str::from_utf8(&found)
            .ok()
            .and_then(|text| text.parse().ok());
        let value = value.filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| {
            let found = shown(&found);
            self.wrong(format!(
                "{what} must be from {least} to {most}, found {found}"
            ))
        })
    }

    /// The line must have no more words.
    pub fn end_line(&mut self) -> Result<()> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => {
                let word = shown(&word);
                Err(self.malformed(format!("expected the end of the line, found {word}")))
            }
        }
    }

    /// There must be no more lines. Not for the contestant: what it prints after its answer cannot
    /// matter, and it may never come.
    pub fn end(&mut self) -> Result<()> {
        match self.file.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => {
                let number = self.number;
                Err(self.malformed(format!("expected the end after line {number}")))
            }
            Err(_) => Err(self.unreadable()),
        }
    }

    /// The decision that the line is not what is called for.
    pub fn malformed(&self, why: impl Display) -> Decision {
        match self.of {
            Of::Test => fail(format!("INPUT: {}{why}", self.place())),
            Of::Contestant => Decision::WrongFormat(format!("{}{why}", self.place())),
        }
    }

    /// The decision that the line is well formed and wrong.
    pub fn wrong(&self, why: impl Display) -> Decision {
        match self.of {
            Of::Test => fail(format!("INPUT: {}{why}", self.place())),
            Of::Contestant => Decision::WrongAnswer(format!("{}{why}", self.place())),
        }
    }

    fn place(&self) -> String {
        match self.number {
            0 => String::new(),
            number => format!("line {number}: "),
        }
    }

    fn unreadable(&self) -> Decision {
        fail(match self.of {
            Of::Test => "cannot read INPUT",
            Of::Contestant => "cannot read standard input",
        })
    }
}

/// The decision that it is our own fault.
pub fn fail(why: impl Into<String>) -> Decision {
    Decision::Fail(why.into())
}

/// Foreign bytes, made fit for a message of one line: the first 50 of them, and printable.
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 50;
    let mut text = String::from("`");
    for &byte in bytes.iter().take(MOST) {
        match byte {
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push_str(if bytes.len() > MOST { "...`" } else { "`" });
    text
}
