//! What a transcript is made of: the header, the records, and how each looks in the file.
//!
//! The JSON report has the same forms for limits, bytes and a participant's
//! [end](crate::transcript::event::EndRecord), so that a tool which reads one can read the other.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::evidence::Role;
use crate::spec::command::Command;
use crate::spec::limits::Limits;
use crate::spec::plan::{ChannelKind, Plan};
use crate::spec::protocol::Protocol;
use crate::transcript::event::Event;
use crate::transcript::figure::Figure;

/// The version of the format that this program writes and reads. Fields and kinds of events are
/// only ever added within a version.
pub const VERSION: u64 = 1;

/// The first line of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`VERSION`].
    pub version: u64,
    /// What was run, in a few words.
    pub title: String,
    /// When the session started, in seconds since 1970 (UTC).
    pub started: Figure,
    /// How the programs were connected: `tmpfs`, `pipe` or `direct`.
    pub channel: String,
    /// How the interactor says what it decided: `testlib` or `icpc`.
    pub protocol: String,
    pub contestant: ParticipantRecord,
    pub interactor: ParticipantRecord,
}

/// What the header says of one participant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParticipantRecord {
    /// What messages call it.
    pub program: String,
    /// `argv`, with U+FFFD for what is not UTF-8.
    pub command: Vec<String>,
    pub limits: LimitsRecord,
}

/// The limits of one participant, as they are written in transcripts and reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LimitsRecord {
    /// CPU time of the process tree in milliseconds.
    pub cpu_ms: Figure,
    /// Sum of its own turns in milliseconds.
    pub wall_ms: Figure,
    /// Longest idleness on its own turn in milliseconds.
    pub idle_ms: Figure,
    /// Resident memory of the process tree in KiB.
    pub memory_kib: Figure,
    /// Address space of each of its processes in KiB, where it is limited.
    #[serde(default)]
    pub address_space_kib: Option<Figure>,
    /// Bytes on its standard output.
    pub output_bytes: u64,
    /// Processes and threads alive at once.
    pub tasks: u32,
    /// Stack of the main thread in KiB.
    pub stack_kib: Figure,
}

impl Header {
    /// The header for a run of `plan` that starts at `started`.
    pub fn of(plan: &Plan, started: SystemTime) -> Self {
        let since = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        Header {
            version: VERSION,
            title: plan.title.clone(),
            started: Figure::seconds(since),
            channel: match plan.channel {
                ChannelKind::Tmpfs => "tmpfs",
                ChannelKind::Pipe => "pipe",
                ChannelKind::Direct => "direct",
            }
            .to_owned(),
            protocol: match plan.interactor.protocol {
                Protocol::Testlib => "testlib",
                Protocol::Icpc => "icpc",
            }
            .to_owned(),
            contestant: ParticipantRecord::of(&plan.contestant.command, &plan.contestant.limits),
            interactor: ParticipantRecord::of(&plan.interactor.command, &plan.interactor.limits),
        }
    }
}

impl ParticipantRecord {
    fn of(command: &Command, limits: &Limits) -> Self {
        ParticipantRecord {
            program: command.shown.clone(),
            command: (command.argv.iter())
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            limits: limits.into(),
        }
    }
}

impl From<&Limits> for LimitsRecord {
    fn from(limits: &Limits) -> Self {
        LimitsRecord {
            cpu_ms: Figure::milliseconds(limits.cpu),
            wall_ms: Figure::milliseconds(limits.wall),
            idle_ms: Figure::milliseconds(limits.idle),
            memory_kib: Figure::kibibytes(limits.memory),
            address_space_kib: limits.address_space.map(Figure::kibibytes),
            output_bytes: limits.output,
            tasks: limits.tasks,
            stack_kib: Figure::kibibytes(limits.stack_bytes()),
        }
    }
}

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
    /// All sources, in the order in which messages list them.
    pub const ALL: [Source; 5] = [
        Source::Contestant,
        Source::Interactor,
        Source::ContestantStderr,
        Source::InteractorStderr,
        Source::Event,
    ];

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

    /// The source with this name in the file.
    pub fn from_name(name: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|source| source.name() == name)
    }

    /// The source of what `role` wrote to its standard output.
    pub fn stdout_of(role: Role) -> Source {
        match role {
            Role::Contestant => Source::Contestant,
            Role::Interactor => Source::Interactor,
        }
    }

    /// The source of what `role` wrote to its standard error.
    pub fn stderr_of(role: Role) -> Source {
        match role {
            Role::Contestant => Source::ContestantStderr,
            Role::Interactor => Source::InteractorStderr,
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

/// The payload of a record: bytes for the four streams, an event for [`Source::Event`].
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Bytes(Vec<u8>),
    Event(Event),
}
