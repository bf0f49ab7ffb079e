//! What the files of the policy are made of: the build script reads them into these types, and the
//! program has them as a table.

use std::borrow::Cow;

use serde::Deserialize;

/// What is done about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The kernel lets it go on; the tracer never hears of it.
    Allow,
    /// The kernel answers with this errno; the tracer never hears of it.
    Hide(i32),
    /// It fails with this errno and is counted.
    Refuse(i32),
    /// It ends the program.
    Kill,
    /// The tracer looks at it and decides.
    Watch(Watch),
}

/// Why the tracer looks at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watch {
    /// It makes a process or thread.
    Task,
    /// It sends a signal.
    Signal,
    /// It sends SIGKILL.
    Sigkill,
    /// It takes address space. It only stops where that is limited.
    Memory,
    /// It writes. It only stops where a capture reads what is written.
    Output,
    /// It sets a timer.
    Timer,
    /// It makes a pair of sockets.
    Pair,
    /// It opens a file for writing.
    OpenForWriting,
    /// It reads or sets the resource limits of a process that it names.
    OwnLimit,
}

/// A condition on one argument: `args[argument] & mask == equals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Which one, from 0 to 5.
    pub argument: u8,
    /// The bits that are looked at.
    pub mask: u64,
    /// What they must be.
    pub equals: u64,
}

/// Calls to which the same is done for the same reason.
#[derive(Debug, Clone)]
pub struct Group {
    /// Why, as the policy file says it.
    pub why: Cow<'static, str>,
    /// Their numbers.
    pub calls: Cow<'static, [u32]>,
    /// Narrows it to calls with a certain argument.
    pub only_if: Option<Condition>,
    /// What is done.
    pub action: Action,
}
