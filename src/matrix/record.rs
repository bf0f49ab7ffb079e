//! What became of a cell, as one line of JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::spec::expectation::Rule;
use crate::verdict::Verdict;

/// The version of the line.
pub const VERSION: u64 = 1;

/// What results are of: the first line. Fields are only ever added within a version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    pub version: u64,
    pub problem: String,
    /// The solutions, in their order.
    pub solutions: Vec<FrameSolution>,
    /// The tests, in their order.
    pub tests: Vec<String>,
    /// How often each is run on each; 0 if that was not fixed.
    pub repeats: u32,
}

/// One solution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameSolution {
    pub name: String,
    /// The verdicts that it is there to show.
    pub expected: Vec<Verdict>,
    /// What must hold of its verdicts, exactly.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Why it was not run.
    pub not_run: Option<NotRun>,
}

/// A solution that was not run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotRun {
    pub why: String,
    /// That is no failure.
    pub allowed: bool,
}

impl Frame {
    /// True of the frame of another part of the same matrix.
    pub fn is_of_the_same(&self, other: &Frame) -> bool {
        let plain = |frame: &Frame| {
            let solutions = frame.solutions.iter();
            let solutions = solutions.map(|s| (s.name.clone(), s.expected.clone()));
            (frame.problem.clone(), solutions.collect::<Vec<_>>())
        };
        plain(self) == plain(other) && (&self.tests, self.repeats) == (&other.tests, other.repeats)
    }

    /// Takes in what another part could not run.
    pub fn add(&mut self, other: Frame) {
        for (own, other) in self.solutions.iter_mut().zip(other.solutions) {
            own.not_run = own.not_run.take().or(other.not_run);
        }
    }
}

/// Reads what a part of a matrix has recorded: the frame, and a line for each session. A last line
/// that was cut is left out: whoever wrote it was killed.
///
/// # Errors
/// The line that cannot be read, in words that read after a colon.
pub fn read_lines(text: &[u8]) -> Result<(Frame, Vec<Record>), String> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    let wrong = |number: usize, what: &dyn std::fmt::Display| {
        let what = what.to_string();
        let what = what
            .split(" at line ")
            .next()
            .unwrap_or_default()
            .to_owned();
        format!("line {}: {what}", number + 1)
    };
    let first = lines.next().map_or(&b""[..], |(_, line)| line);
    let mut frame: Frame = serde_json::from_slice(first)
        .map_err(|e| format!("{}; they must be made by --json", wrong(0, &e)))?;
    if frame.version != VERSION {
        let version = frame.version;
        return Err(format!(
            "they have version {version}, and {VERSION} is read here"
        ));
    }
    for solution in frame.solutions.iter_mut().filter(|s| s.rules.is_empty()) {
        solution.rules.push(Rule::of(&solution.expected));
    }
    let mut records = Vec::new();
    for (number, line) in lines {
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            Err(_) if !line.ends_with(b"\n") => break,
            Err(error) => return Err(wrong(number, &error)),
        }
    }
    Ok((frame, records))
}

/// One session of a matrix. Fields are only ever added within a version.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Record {
    pub version: u64,
    pub problem: String,
    pub solution: String,
    pub test: String,
    /// Which time it was, from 1.
    pub repeat: u32,
    /// The verdicts that the solution is there to show.
    pub expected: Vec<Verdict>,
    /// The verdicts that it may have on this test.
    #[serde(default)]
    pub permitted: Vec<Verdict>,
    /// What came of it; internal-error if nothing could be judged.
    pub verdict: Verdict,
    /// One sentence that names the evidence for the verdict.
    pub reason: String,
    /// What the interactor said.
    pub message: String,
    pub score: Option<f64>,
    /// CPU time of the contestant, in milliseconds.
    pub cpu_ms: f64,
    /// The limit that it was held against, in milliseconds.
    pub cpu_limit_ms: f64,
    /// Peak resident memory of the contestant, in KiB.
    pub memory_kib: u64,
    /// Messages that the contestant sent.
    pub messages: u64,
    /// Real time of the session in milliseconds.
    pub elapsed_ms: f64,
    /// Where the transcript was kept.
    pub transcript: Option<String>,
    /// The whole report, as `rejoinder run --json` gives it; null if there is none.
    #[serde(default)]
    pub report: Option<Box<RawValue>>,
}

impl Record {
    /// The group of a test: the folders in its name; empty if it has none.
    pub fn group(&self) -> &str {
        group(&self.test)
    }

    /// True of a verdict that may stand in a cell of this solution.
    pub fn may_be(&self) -> bool {
        // Results of an earlier version do not say what is permitted.
        let permitted = match self.permitted.is_empty() {
            true => &Rule::of(&self.expected).permitted,
            false => &self.permitted,
        };
        permitted.contains(&self.verdict)
    }
}

/// The group of a test of this name.
pub fn group(test: &str) -> &str {
    test.rsplit_once('/').map_or("", |(folders, _)| folders)
}

/// What is read of a report.
#[derive(Debug, Deserialize)]
pub struct Read {
    pub verdict: Verdict,
    pub reason: String,
    pub message: String,
    pub score: Option<f64>,
    contestant: ReadContestant,
    /// What each pass used, if there may be several.
    #[serde(default)]
    passes: Option<Vec<ReadPass>>,
    pub elapsed_ms: f64,
}

#[derive(Debug, Deserialize)]
struct ReadPass {
    contestant: ReadContestant,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct ReadContestant {
    pub cpu_ms: f64,
    pub memory_kib: u64,
    pub messages: u64,
}

impl Read {
    /// What the contestant used: the most in any pass, of which each has limits of its own, and the
    /// messages of all.
    pub fn contestant(&self) -> ReadContestant {
        let passes = self.passes.iter().flatten();
        let passes = passes.map(|pass| &pass.contestant);
        let most = passes.fold(None, |most: Option<ReadContestant>, pass| {
            let before = most.unwrap_or_default();
            Some(ReadContestant {
                cpu_ms: before.cpu_ms.max(pass.cpu_ms),
                memory_kib: before.memory_kib.max(pass.memory_kib),
                messages: before.messages + pass.messages,
            })
        });
        most.unwrap_or_else(|| self.contestant.clone())
    }
}

/// What stands in the place of a report where nothing could be judged.
#[derive(Deserialize)]
pub(super) struct ReadError {
    pub(super) error: ReadMistake,
}

#[derive(Deserialize)]
pub(super) struct ReadMistake {
    pub(super) message: String,
}
