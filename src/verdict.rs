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
