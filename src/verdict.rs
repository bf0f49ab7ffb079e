//! From evidence to verdict: a pure function, row by row.

use crate::evidence::Evidence;

/// The verdicts, one of which is given for every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    Accepted,
    Points,
    WrongAnswer,
    PresentationError,
    TimeLimit,
    WallTimeLimit,
    IdlenessLimit,
    MemoryLimit,
    OutputLimit,
    RuntimeError,
    SecurityViolation,
    JudgeError,
    InternalError,
}

impl Verdict {
    /// The name in reports, such as `wrong-answer`.
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

    /// The two letters by which the field knows it, such as `WA`.
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
}

/// Who is blamed for a deadlock in which no side is known to hold unflushed output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
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
    pub deadlock: DeadlockPolicy,
    pub extra_output: ExtraOutput,
}

/// A verdict and why it is that one.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// One sentence that names the evidence of the row that applied, and what it overruled.
    pub reason: String,
    /// The score, for [`Verdict::Points`].
    pub score: Option<f64>,
}

/// Judges a run.
pub fn judge(evidence: &Evidence, policy: &Policy) -> Judgement {
    let _ = (evidence, policy);
    Judgement {
        verdict: Verdict::InternalError,
        reason: String::new(),
        score: None,
    }
}
