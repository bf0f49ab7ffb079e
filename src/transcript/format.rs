//! What a transcript is made of.

use std::time::Duration;

use serde_json::Value;

/// Where a record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The contestant's standard output, as it was delivered to the interactor.
    Contestant,
    /// The interactor's standard output, as it was delivered to the contestant.
    Interactor,
    /// The contestant's standard error.
    ContestantStderr,
    /// The interactor's standard error.
    InteractorStderr,
    /// Something that happened: a start, an end, a limit, end of input, the verdict.
    Event,
}

impl Source {
    /// The name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Source::Contestant => "contestant",
            Source::Interactor => "interactor",
            Source::ContestantStderr => "contestant-stderr",
            Source::InteractorStderr => "interactor-stderr",
            Source::Event => "event",
        }
    }
}

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Time since the start of the session.
    pub at: Duration,
    pub source: Source,
    pub data: Data,
}

/// The payload of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Bytes(Vec<u8>),
    /// An object with at least a `kind`.
    Event(Value),
}
