//! What happened in a session, as facts: the only input of the [verdict](crate::verdict).
//!
//! The session fills an [`Evidence`] while it runs and hands it over when it is complete. Nothing
//! in here knows a process, a descriptor or a clock; tests write it by hand.

use std::fmt;
use std::time::Duration;

/// Which of the two parts a participant plays.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The program that is judged.
    Contestant,
    /// The jury's program, which answers the contestant and decides.
    Interactor,
}

impl Role {
    /// The other side of the dialogue.
    pub fn peer(self) -> Role {
        match self {
            Role::Contestant => Role::Interactor,
            Role::Interactor => Role::Contestant,
        }
    }

    /// The name used in reports, transcripts and messages.
    pub fn name(self) -> &'static str {
        match self {
            Role::Contestant => "contestant",
            Role::Interactor => "interactor",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The limits that can end a participant.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    /// CPU time of the whole process tree, user and system.
    Cpu,
    /// Sum of the participant's own turns in real time.
    Wall,
    /// Uninterrupted time in which it neither computed nor asked for input.
    Idle,
    /// Resident memory of the whole process tree.
    Memory,
    /// Bytes written to its standard output.
    Output,
    /// Real time of the whole session; charged to the side whose turn it is.
    Session,
}

impl LimitKind {
    /// True of a limit of time.
    pub fn is_time(self) -> bool {
        match self {
            LimitKind::Cpu | LimitKind::Wall | LimitKind::Idle | LimitKind::Session => true,
            LimitKind::Memory | LimitKind::Output => false,
        }
    }

    /// The name used in reports: `cpu`, `wall`, `idle`, `memory`, `output`, `session`.
    pub fn name(self) -> &'static str {
        match self {
            LimitKind::Cpu => "cpu",
            LimitKind::Wall => "wall",
            LimitKind::Idle => "idle",
            LimitKind::Memory => "memory",
            LimitKind::Output => "output",
            LimitKind::Session => "session",
        }
    }
}

/// An amount of a limited resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A length of time.
    Time(Duration),
    /// A number of bytes.
    Bytes(u64),
}

/// A limit that was exceeded: which, how much was used when it was noticed, how much was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excess {
    pub limit: LimitKind,
    pub used: Quantity,
    pub allowed: Quantity,
}

/// A set-up step between fork and exec that failed in the child, with the kernel's reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFailure {
    /// The step's name, such as `exec` or `identity`.
    pub step: &'static str,
    /// The `errno` of the call that failed.
    pub errno: i32,
}

/// A system call for which the policy ends the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForbiddenCall {
    /// The call as shown to a person: its name, or `system call 9999`, with `int 0x80` or `x32`
    /// said when it came through another ABI.
    pub name: String,
    /// The six argument registers.
    pub args: [u64; 6],
    /// Why the policy forbids it.
    pub why: String,
}

/// How a participant ended. There is exactly one for each participant that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It could not be started; the program itself never ran.
    NotStarted(StartFailure),
    /// Its main process exited by itself with this code (0 to 255).
    Exited(i32),
    /// Its main process died of this signal, which the coordinator did not send.
    Killed {
        /// The signal's number.
        signal: i32,
        /// True if the signal cannot have come from the program itself (a SIGKILL that neither
        /// the coordinator nor a limit sent).
        from_outside: bool,
    },
    /// It was over a limit: stopped for it, or found over it when it ended.
    Limit(Excess),
    /// It was stopped for a forbidden call.
    Forbidden(ForbiddenCall),
    /// The coordinator stopped it, because the run was already decided.
    Stopped,
}

/// A refused system call, counted by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The call's name, or its number where it has none.
    pub call: String,
    /// How often it was refused.
    pub count: u64,
    /// The last time that it was refused for a limit on memory, unless the program got as much
    /// later: it then explains a failure that follows.
    pub memory: Option<RefusedMemory>,
}

/// Memory that was asked for and refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedMemory {
    /// Bytes that the call would have added to the address space of its process.
    pub asked: u64,
    /// Bytes of address space that the process had.
    pub in_use: u64,
    /// Bytes of address space that it may have: the limit that refused.
    pub allowed: u64,
}

/// What the interactor's ending means in its protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The contestant is right.
    Accepted,
    /// The contestant gets this many points, in the problem's own scale.
    Points(f64),
    /// The contestant is wrong.
    WrongAnswer,
    /// The contestant did not keep to the protocol of the dialogue.
    PresentationError,
    /// The interactor reports a fault of the jury's, with its words.
    Fail(String),
    /// The interactor ended with a code that its protocol does not define, or broke its protocol
    /// in another way; the text says how ("exit code 42 means nothing in the testlib protocol").
    Undefined(String),
}

/// What was recorded of the contestant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContestantEvidence {
    /// None only if the machinery failed first.
    pub end: Option<End>,
    /// Calls that were refused to it.
    pub refused: Vec<Refusal>,
    /// True if it closed its standard output while it was still running.
    pub closed_stdout: bool,
}

/// What was recorded of the interactor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InteractorEvidence {
    /// None only if the machinery failed first.
    pub end: Option<End>,
    /// What its end means; present exactly if it exited by itself.
    pub decision: Option<Decision>,
    /// True if it was given end of input before it ended.
    pub given_end_of_input: bool,
}

/// Both alive, both asking for input, nothing undelivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// How long both had been waiting when it was established.
    pub waited: Duration,
}

/// Output that a program produced and did not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unflushed {
    /// Whose it is.
    pub role: Role,
    /// The stream that holds it, as its library names it: `stdout`, `std::cout`.
    pub stream: String,
    /// The bytes, cut to [`Unflushed::KEPT`].
    pub bytes: Vec<u8>,
    /// How many there are.
    pub total: u64,
    pub found: Found,
}

impl Unflushed {
    /// How many bytes are kept.
    pub const KEPT: usize = 4096;
}

/// How unflushed output came to light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// It lay in a buffer in the program's memory.
    InMemory,
    /// The program was given end of input after a deadlock, when nothing depended on it any more,
    /// and then wrote this. Perhaps it held it before, perhaps this is its answer to the end.
    AtTheEnd,
}

/// Everything the verdict depends on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// A failure of our own machinery, or an interruption of the coordinator, in words.
    pub internal: Option<String>,
    pub contestant: ContestantEvidence,
    pub interactor: InteractorEvidence,
    pub deadlock: Option<Deadlock>,
    /// Output that was found to be held back, at a deadlock or an idleness limit.
    pub unflushed: Vec<Unflushed>,
    /// Bytes of the contestant's output that the interactor never read.
    pub extra_output: u64,
}

impl Evidence {
    /// What a side held in its memory. The interactor comes first: its fault excuses the other.
    pub fn held(&self) -> Option<&Unflushed> {
        let by = |role| {
            let mut all = self.unflushed.iter();
            all.find(|held| held.found == Found::InMemory && held.role == role)
        };
        by(Role::Interactor).or_else(|| by(Role::Contestant))
    }
}

/// The conventional name of a signal, such as `SIGSEGV`, or `signal 40` for one without a name.
pub fn signal_name(signal: i32) -> String {
    nix::sys::signal::Signal::try_from(signal)
        .map(|s| s.as_str().to_owned())
        .unwrap_or_else(|_| format!("signal {signal}"))
}

/// The C library's words for an `errno`, without the number.
pub fn errno_text(errno: i32) -> String {
    nix::errno::Errno::from_raw(errno).desc().to_owned()
}
