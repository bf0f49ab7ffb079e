//! The JSON object that `rejoinder run --json` prints, as far as the tests look at it.

use std::fmt;

use serde::Deserialize;

/// The letters of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub(crate) enum Code {
    #[serde(rename = "AC")]
    Accepted,
    #[serde(rename = "PT")]
    Points,
    #[serde(rename = "WA")]
    WrongAnswer,
    #[serde(rename = "PE")]
    PresentationError,
    #[serde(rename = "TL")]
    TimeLimit,
    #[serde(rename = "WL")]
    WallTimeLimit,
    #[serde(rename = "IL")]
    IdlenessLimit,
    #[serde(rename = "ML")]
    MemoryLimit,
    #[serde(rename = "OL")]
    OutputLimit,
    #[serde(rename = "RE")]
    RuntimeError,
    #[serde(rename = "SV")]
    SecurityViolation,
    #[serde(rename = "JE")]
    JudgeError,
    #[serde(rename = "IE")]
    InternalError,
}

impl Code {
    /// The letters, the name in words, and the exit status of the process that reports it.
    fn facts(self) -> (&'static str, &'static str, i32) {
        match self {
            Code::Accepted => ("AC", "accepted", 0),
            Code::Points => ("PT", "points", 0),
            Code::WrongAnswer => ("WA", "wrong-answer", 1),
            Code::PresentationError => ("PE", "presentation-error", 1),
            Code::TimeLimit => ("TL", "time-limit", 1),
            Code::WallTimeLimit => ("WL", "wall-time-limit", 1),
            Code::IdlenessLimit => ("IL", "idleness-limit", 1),
            Code::MemoryLimit => ("ML", "memory-limit", 1),
            Code::OutputLimit => ("OL", "output-limit", 1),
            Code::RuntimeError => ("RE", "runtime-error", 1),
            Code::SecurityViolation => ("SV", "security-violation", 1),
            Code::JudgeError => ("JE", "judge-error", 3),
            Code::InternalError => ("IE", "internal-error", 4),
        }
    }

    /// The verdict in words, as the field `verdict` gives it.
    pub(crate) fn words(self) -> &'static str {
        self.facts().1
    }

    /// The exit status that goes with it.
    pub(crate) fn exit_status(self) -> i32 {
        self.facts().2
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().0)
    }
}

/// The report of one judgement.
#[derive(Debug, Deserialize)]
pub(crate) struct Report {
    pub(crate) verdict: String,
    pub(crate) code: Code,
    pub(crate) reason: String,
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) score: Option<f64>,
    pub(crate) contestant: Side,
    pub(crate) interactor: Side,
    #[serde(default)]
    pub(crate) diagnosis: Option<Diagnosis>,
}

/// What it says of a run that stood still.
#[derive(Debug, Deserialize)]
pub(crate) struct Diagnosis {
    #[serde(default)]
    pub(crate) unflushed: Vec<Held>,
}

/// Output that was produced and not written.
#[derive(Debug, Deserialize)]
pub(crate) struct Held {
    pub(crate) side: String,
    /// Text, or an object with other bytes.
    pub(crate) bytes: serde_json::Value,
}

/// What it says of one participant.
#[derive(Debug, Deserialize)]
pub(crate) struct Side {
    pub(crate) end: Option<End>,
    pub(crate) cpu_ms: f64,
    #[serde(default)]
    pub(crate) turn_ms: f64,
    #[serde(default)]
    pub(crate) idle_ms: f64,
    pub(crate) memory_kib: f64,
}

/// How the participant ended.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct End {
    #[serde(default)]
    pub(crate) code: Option<i32>,
    #[serde(default)]
    pub(crate) signal: Option<i32>,
    #[serde(default)]
    pub(crate) limit: Option<String>,
}

/// The whole of what was printed must be one report, in UTF-8.
pub(crate) fn parse(stdout: &[u8]) -> Result<Report, String> {
    let text = std::str::from_utf8(stdout).map_err(|error| format!("is not UTF-8: {error}"))?;
    serde_json::from_str(text)
        .map_err(|error| format!("is not the report that --json promises: {error}"))
}
