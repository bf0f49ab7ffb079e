//! What is compared: the channels, who is at their ends, and where.

use serde::Serialize;

use crate::harness::cpus::Cpus;

/// What a message goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Channel {
    Shared,
    Queue,
    Pipe,
    Fifo,
    Socket,
    Watched,
}

impl Channel {
    pub(crate) const ALL: [Channel; 6] = [
        Channel::Shared,
        Channel::Queue,
        Channel::Pipe,
        Channel::Fifo,
        Channel::Socket,
        Channel::Watched,
    ];

    /// The name by which the program knows it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Channel::Shared => "shared",
            Channel::Queue => "queue",
            Channel::Pipe => "pipe",
            Channel::Fifo => "fifo",
            Channel::Socket => "socket",
            Channel::Watched => "watched",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Channel::Shared => "shared memory",
            Channel::Queue => "message queue",
            Channel::Pipe => "pipe",
            Channel::Fifo => "FIFO",
            Channel::Socket => "socket pair",
            Channel::Watched => "watched file",
        }
    }
}

/// Who is at the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Parties {
    Processes,
    Threads,
}

impl Parties {
    pub(crate) const ALL: [Parties; 2] = [Parties::Processes, Parties::Threads];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Parties::Processes => "processes",
            Parties::Threads => "threads",
        }
    }
}

/// One combination of the three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Way {
    pub(crate) channel: Channel,
    pub(crate) parties: Parties,
    pub(crate) placement: Cpus,
}

impl Way {
    pub(crate) fn all() -> Vec<Way> {
        let mut all = Vec::new();
        for placement in Cpus::ALL {
            for channel in Channel::ALL {
                all.extend(Parties::ALL.map(|parties| Way {
                    channel,
                    parties,
                    placement,
                }));
            }
        }
        all
    }

    /// What its time is compared with.
    pub(crate) fn reference(self) -> Way {
        Way {
            channel: Channel::Pipe,
            parties: Parties::Processes,
            ..self
        }
    }

    /// The same channel at the same place between processes.
    pub(crate) fn of_processes(self) -> Way {
        Way {
            parties: Parties::Processes,
            ..self
        }
    }
}
