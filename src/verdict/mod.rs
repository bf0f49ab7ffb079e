//! From evidence to verdict: a pure function, row by row.
//!
//! A run is judged by a table of nine rows, of which the first that fits the [`Evidence`] gives the
//! verdict. The table for users is `docs/verdicts.md`; as code it is the row functions in `rows`,
//! in the same order; their sentences are put together in `reason`. The session calls [`judge`]
//! once, when the evidence is complete.
//!
//! Nothing here knows a clock or in which order two processes were reaped: the same evidence gives
//! the same verdict and the same sentence. What a time was compared with, or what came first, is
//! the evidence's business.
//!
//! To change how something is judged: change the row in `rows.rs`, its line in `docs/verdicts.md`,
//! and the second reading of the table in `tests/table.rs`, which is written independently.

use std::fmt;
use std::str::FromStr;

use crate::evidence::Evidence;
pub use alone::{Alone, judge_alone};

mod alone;
mod amount;
mod reason;
mod rows;
#[cfg(test)]
mod tests;

/// The verdicts, one of which is given for every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Verdict {
    /// The interactor accepted and the contestant ended cleanly.
    Accepted,
    /// As accepted, with a score instead of a plain yes.
    Points,
    /// What the contestant printed is wrong.
    WrongAnswer,
    /// What the contestant printed is not what the dialogue calls for.
    PresentationError,
    /// More CPU time than allowed.
    TimeLimit,
    /// More real time than allowed, on the contestant's own turns or in the whole session.
    WallTimeLimit,
    /// Neither computing nor asking for input for too long, or a deadlock.
    IdlenessLimit,
    /// More memory than allowed, or a failure after memory was refused.
    MemoryLimit,
    /// More output than allowed.
    OutputLimit,
    /// The contestant could not start, died of a signal, or ended with a code other than 0.
    RuntimeError,
    /// The contestant made a call that has no innocent use.
    SecurityViolation,
    /// The interactor is at fault; nothing is said about the contestant.
    JudgeError,
    /// The machinery or the machine is at fault; nothing is said about either program.
    #[default]
    InternalError,
}

impl Verdict {
    /// Every verdict, in the order of the documentation.
    pub const ALL: [Verdict; 13] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::PresentationError,
        Verdict::Points,
        Verdict::TimeLimit,
        Verdict::WallTimeLimit,
        Verdict::IdlenessLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::RuntimeError,
        Verdict::SecurityViolation,
        Verdict::JudgeError,
        Verdict::InternalError,
    ];

    /// The long name, such as `wrong-answer`: what reports and problem files use.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Points => "points",
            Verdict::WrongAnswer => "wrong-answer",
            Verdict::PresentationError => "presentation-error",
            Verdict::TimeLimit => "time-limit",
            Verdict::WallTimeLimit => "wall-time-limit",
            Verdict::IdlenessLimit => "idleness-limit",
            Verdict::MemoryLimit => "memory-limit",
            Verdict::OutputLimit => "output-limit",
            Verdict::RuntimeError => "runtime-error",
            Verdict::SecurityViolation => "security-violation",
            Verdict::JudgeError => "judge-error",
            Verdict::InternalError => "internal-error",
        }
    }

    /// The two letters, such as `WA`: what tables use.
    pub fn letters(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::Points => "PT",
            Verdict::WrongAnswer => "WA",
            Verdict::PresentationError => "PE",
            Verdict::TimeLimit => "TL",
            Verdict::WallTimeLimit => "WL",
            Verdict::IdlenessLimit => "IL",
            Verdict::MemoryLimit => "ML",
            Verdict::OutputLimit => "OL",
            Verdict::RuntimeError => "RE",
            Verdict::SecurityViolation => "SV",
            Verdict::JudgeError => "JE",
            Verdict::InternalError => "IE",
        }
    }

    /// The exit status of a command that judged one run: 0 for accepted and points, 1 for any other
    /// verdict on the contestant, 3 for judge-error, 4 for internal-error. (2 is the user's mistake,
    /// for which there is no verdict.)
    pub fn exit_status(self) -> u8 {
        match self {
            Verdict::Accepted | Verdict::Points => 0,
            Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::TimeLimit
            | Verdict::WallTimeLimit
            | Verdict::IdlenessLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError
            | Verdict::SecurityViolation => 1,
            Verdict::JudgeError => 3,
            Verdict::InternalError => 4,
        }
    }
}

/// Writes the long name.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is neither the name nor the letters of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a verdict: write one of {}", .text.escape_debug(), known())]
pub struct UnknownVerdict {
    /// The beginning of what was written.
    text: String,
}

/// The verdicts as they may be written.
fn known() -> String {
    Verdict::ALL
        .map(|verdict| format!("{} ({})", verdict.name(), verdict.letters()))
        .join(", ")
}

/// Reads the long name or the letters, in capitals or not.
impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Verdict::ALL
            .into_iter()
            .find(|verdict| {
                text.eq_ignore_ascii_case(verdict.name())
                    || text.eq_ignore_ascii_case(verdict.letters())
            })
            .ok_or_else(|| UnknownVerdict {
                text: text.chars().take(40).collect(),
            })
    }
}

/// Writes the long name.
impl serde::Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Reads the long name or the letters.
impl<'de> serde::Deserialize<'de> for Verdict {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Who is blamed for a deadlock in which no side is known to hold unflushed output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadlockPolicy {
    /// idleness-limit for the contestant.
    #[default]
    Contestant,
    /// judge-error.
    Interactor,
    /// wrong-answer.
    WrongAnswer,
}

/// What output that the interactor did not read means after it accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtraOutput {
    /// A warning.
    #[default]
    Ignore,
    /// wrong-answer.
    WrongAnswer,
}

/// The choices that a problem may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// Who is blamed for a deadlock without a known cause.
    pub deadlock: DeadlockPolicy,
    /// What output that the interactor did not read means.
    pub extra_output: ExtraOutput,
}

/// A verdict and why it is that one.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What is reported.
    pub verdict: Verdict,
    /// One sentence that names the evidence of the row that applied, and what it overruled. It has
    /// no capital at its beginning and no full stop, so that it can follow a colon.
    pub reason: String,
    /// The score, for [`Verdict::Points`]; finite.
    pub score: Option<f64>,
    /// The number of the row of the table that applied, 1 to 9.
    pub row: u8,
}

/// Judges a run: the first row that fits the evidence.
///
/// Evidence that no row fits has a gap, which only a fault of ours can leave: it is
/// [`Verdict::InternalError`] in row 1, with what is missing as the reason.
pub fn judge(evidence: &Evidence, policy: &Policy) -> Judgement {
    (1..)
        .zip(rows::TABLE)
        .find_map(|(number, row)| Some((number, row(evidence, policy)?)))
        .unwrap_or_else(|| (1, rows::gap(evidence)))
        .into()
}

impl From<(u8, rows::Finding)> for Judgement {
    fn from((row, finding): (u8, rows::Finding)) -> Self {
        Judgement {
            verdict: finding.verdict,
            reason: finding.reason,
            score: finding.score,
            row,
        }
    }
}
