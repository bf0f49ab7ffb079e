//! The result of a session: what the reports are made of.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use crate::diagnose::stack::Stack;
use crate::evidence::{End, Evidence, Refusal, Role};
use crate::runner::Captured;
use crate::spec::command::Command;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::transcript::timeline::Timeline;
use crate::verdict::{Alone, Judgement};

/// Everything that a report may say about one session.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What was run, in a few words ("guess-number, test 02, solutions/binary_search.py").
    pub title: String,
    pub judgement: Judgement,
    pub evidence: Evidence,
    pub contestant: ParticipantOutcome,
    pub interactor: ParticipantOutcome,
    /// What the interactor said about its decision (its stderr line or feedback message), lossily
    /// decoded; empty if nothing.
    pub message: String,
    /// Real time of the session, from the first instruction of the programs to the verdict; of all
    /// passes together.
    pub elapsed: Duration,
    /// The checker that decided after the interactor had accepted, if there is one.
    pub checker: Option<ParticipantOutcome>,
    /// What each pass used, the one that decided last; empty if the problem has only one pass. All
    /// else in here is of the pass that decided.
    pub passes: Vec<PassOutcome>,
    /// The isolation layers that were active.
    pub isolation: Vec<Layer>,
    /// How the sides stood to each other, after a deadlock or an idleness limit.
    pub diagnosis: Option<Diagnosis>,
    /// The last messages of the dialogue.
    pub recent: Recent,
    /// Who held the turn, and for how long.
    pub timeline: Timeline,
    /// Things that the user should know but that did not change the verdict.
    pub warnings: Vec<String>,
    /// The transcript that was written, if one was wanted.
    pub transcript: Option<PathBuf>,
    /// The signal that interrupted the coordinator, if one did.
    pub interrupted: Option<i32>,
}

/// What one of several passes used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassOutcome {
    /// Real time.
    pub elapsed: Duration,
    pub contestant: PassUsage,
    pub interactor: PassUsage,
}

/// What a participant used in one pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassUsage {
    /// CPU time.
    pub cpu: Duration,
    /// Real time on its own turns.
    pub turn: Duration,
    /// Peak memory in bytes.
    pub memory: u64,
    /// Pieces of its output that were delivered.
    pub messages: u64,
}

impl PassOutcome {
    /// That of a pass that is over.
    pub fn of(outcome: &Outcome) -> Self {
        let usage = |side: &ParticipantOutcome| PassUsage {
            cpu: side.cpu,
            turn: side.turn,
            memory: side.memory,
            messages: side.messages,
        };
        PassOutcome {
            elapsed: outcome.elapsed,
            contestant: usage(&outcome.contestant),
            interactor: usage(&outcome.interactor),
        }
    }
}

/// Everything that a report may say about one program that ran alone.
#[derive(Debug)]
pub struct RunnerOutcome {
    pub judgement: Alone,
    pub program: ParticipantOutcome,
    /// What it wrote, if it was left to whoever asked for the run.
    pub output: Option<Captured>,
    /// Real time from its first instruction to the judgement.
    pub elapsed: Duration,
    /// The isolation layers that were active.
    pub isolation: Vec<Layer>,
    /// Things that the user should know.
    pub warnings: Vec<String>,
    /// The signal that interrupted the coordinator, if one did.
    pub interrupted: Option<i32>,
}

/// How the sides stood to each other when nothing moved any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The side that was given the last message, so that the next was due from it; `None` if
    /// nothing was said.
    pub owes: Option<Role>,
    /// When the last message was delivered.
    pub last_message: Option<Duration>,
    /// The side whose last message does not end its line, if that message was the last of all: who
    /// reads lines waits for its end.
    pub unended_line: Option<Role>,
    /// The last complete exchange, if the last messages hold it.
    pub exchange: Option<Exchange>,
    /// What each side that lived was waiting in, in words.
    pub waits: Vec<(Role, &'static str)>,
}

/// What one participant did and used.
#[derive(Debug, Clone)]
pub struct ParticipantOutcome {
    pub role: Role,
    /// What a message calls it: the command or source as the user wrote it.
    pub shown: String,
    /// The language of its source, if it is known.
    pub language: Option<String>,
    /// How it ended; `None` only if the machinery failed before it was started.
    pub end: Option<End>,
    pub limits: Limits,
    /// CPU time of the whole tree; `user` and `system` are its parts.
    pub cpu: Duration,
    pub user: Duration,
    pub system: Duration,
    /// Real time from its start to its end.
    pub wall: Duration,
    /// The part of `wall` in which it was its turn.
    pub turn: Duration,
    /// The time in each state; together they are `wall`.
    pub states: States,
    /// The longest uninterrupted time in which it was idle on its own turn.
    pub idle: Duration,
    /// Peak resident memory of the whole tree in bytes.
    pub memory: u64,
    /// The most processes and threads that were alive at once.
    pub tasks: u32,
    /// Bytes that were delivered to its standard input.
    pub stdin_bytes: u64,
    /// Bytes that it wrote to its standard output.
    pub stdout_bytes: u64,
    /// Pieces in which its output was delivered (0 where the channel does not see them).
    pub messages: u64,
    pub refused: Vec<Refusal>,
    pub stderr: Stderr,
    /// Why its program ended and where it stood; only for whoever owns it and asked for it.
    pub explanation: Option<Explanation>,
}

/// Why a program ended, and where it stood then, or where it stood when it was stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The fault, or what the program's runtime said last, in a few words.
    pub cause: Option<String>,
    /// The calls that had not returned.
    pub stack: Stack,
}

impl Explanation {
    /// True if there is anything that would help the program's author.
    pub fn says_something(&self) -> bool {
        self.cause.is_some() || self.stack.first_own().is_some()
    }
}

/// How long a participant was in each of its states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct States {
    /// It ran, or could have run.
    pub computing: Duration,
    /// It asked for input that was not there.
    pub asking: Duration,
    /// It neither ran nor asked.
    pub idle: Duration,
    /// It was in a group-stop (SIGSTOP and the like).
    pub stopped: Duration,
}

impl ParticipantOutcome {
    /// Of a program that was not started, or never ran an instruction.
    pub(crate) fn unstarted(
        role: Role,
        command: &Command,
        end: Option<End>,
        limits: &Limits,
    ) -> Self {
        ParticipantOutcome {
            role,
            shown: command.shown.clone(),
            language: command.language.clone(),
            end,
            limits: limits.clone(),
            cpu: Duration::ZERO,
            user: Duration::ZERO,
            system: Duration::ZERO,
            wall: Duration::ZERO,
            turn: Duration::ZERO,
            states: States::default(),
            idle: Duration::ZERO,
            memory: 0,
            tasks: 0,
            stdin_bytes: 0,
            stdout_bytes: 0,
            messages: 0,
            refused: Vec::new(),
            stderr: Stderr::default(),
            explanation: None,
        }
    }
}

/// Standard error, kept head and tail up to a cap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stderr {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, if it was longer than the head.
    pub tail: Vec<u8>,
    /// Everything that was written, counted; more than head and tail if some was dropped.
    pub total: u64,
}

/// One piece of the dialogue, as it was delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Time since the start of the session.
    pub at: Duration,
    /// Who said it.
    pub from: Role,
    /// The bytes, cut to [`Message::KEPT`].
    pub bytes: Vec<u8>,
    /// The length before the cut.
    pub length: u64,
}

impl Message {
    /// True if none of its bytes were cut off.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.length
    }

    /// False if it is known that its last line has no end.
    pub fn ends_line(&self) -> bool {
        !self.is_whole() || self.bytes.ends_with(b"\n")
    }

    /// Pieces of one message as one; its time is that of the last.
    fn joined(pieces: &[&Message]) -> Option<Message> {
        let mut joined = Message::clone(pieces.first()?);
        for piece in &pieces[1..] {
            if joined.is_whole() {
                let room = Message::KEPT - joined.bytes.len();
                let kept = piece.bytes.len().min(room);
                joined.bytes.extend_from_slice(&piece.bytes[..kept]);
            }
            joined.length += piece.length;
            joined.at = piece.at;
        }
        Some(joined)
    }

    /// How many bytes of a message are kept for the reports.
    pub const KEPT: usize = 256;
}

/// The last messages of a dialogue, and how many came before them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recent {
    /// The messages, oldest first.
    pub messages: VecDeque<Message>,
    /// How many messages are not among them any more.
    pub earlier: u64,
}

/// What one side said and what the other side answered. Each may have come in several pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What was said; its time is that of the last piece.
    pub message: Message,
    /// What was said to that; its time is that of the last piece.
    pub answer: Message,
}

impl Recent {
    /// The last message that was answered, and the answer, each with all pieces in which it was
    /// said. An answer whose line has not ended does not count yet, and what began before the
    /// oldest of these messages is not known.
    pub fn last_exchange(&self) -> Option<Exchange> {
        let messages: Vec<&Message> = self.messages.iter().collect();
        let mut stretches: Vec<&[&Message]> = messages.chunk_by(|a, b| a.from == b.from).collect();
        if messages.last().is_some_and(|last| !last.ends_line()) {
            stretches.pop();
        }
        let first = stretches.len().checked_sub(2)?;
        if first == 0 && self.earlier > 0 {
            return None;
        }
        Some(Exchange {
            message: Message::joined(stretches[first])?,
            answer: Message::joined(stretches[first + 1])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Contestant, Interactor};

    /// The last exchange as (message, its time, answer, its time), of messages a millisecond apart.
    fn exchange(said: &[(Role, &[u8])], earlier: u64) -> Option<(Vec<u8>, u128, Vec<u8>, u128)> {
        let messages = said
            .iter()
            .enumerate()
            .map(|(number, (from, bytes))| Message {
                at: Duration::from_millis(number as u64),
                from: *from,
                bytes: bytes[..bytes.len().min(Message::KEPT)].to_vec(),
                length: bytes.len() as u64,
            });
        let messages = messages.collect();
        let exchange = Recent { messages, earlier }.last_exchange()?;
        let Exchange { message, answer } = exchange;
        assert_eq!(message.from, answer.from.peer());
        let (asked, answered) = (message.at.as_millis(), answer.at.as_millis());
        Some((message.bytes, asked, answer.bytes, answered))
    }

    #[test]
    fn an_exchange_is_a_message_and_its_answer_with_all_their_pieces() {
        let said: &[(Role, &[u8])] = &[
            (Interactor, b"100\n"),
            (Contestant, b"? "),
            (Contestant, b"50\n"),
            (Interactor, b"<\n"),
        ];
        let whole = Some((b"? 50\n".to_vec(), 2, b"<\n".to_vec(), 3));
        assert_eq!(exchange(said, 0), whole);
        assert_eq!(exchange(said, 7), whole);
        let first = Some((b"100\n".to_vec(), 0, b"? 50\n".to_vec(), 2));
        assert_eq!(exchange(&said[..3], 0), first);
        // Nobody knows how the first message began.
        assert_eq!(exchange(&said[..3], 7), None);
        assert_eq!(exchange(&said[..1], 0), None);
        assert_eq!(exchange(&[], 0), None);
    }

    #[test]
    fn an_answer_whose_line_has_not_ended_is_none_yet() {
        let said: &[(Role, &[u8])] = &[
            (Interactor, b"100\n"),
            (Contestant, b"? 50\n"),
            (Interactor, b"smal"),
        ];
        let first = Some((b"100\n".to_vec(), 0, b"? 50\n".to_vec(), 1));
        assert_eq!(exchange(said, 0), first);
        assert_eq!(exchange(&said[1..], 0), None);
    }

    #[test]
    fn long_messages_are_cut_once_and_counted_whole() {
        let recent = Recent {
            messages: [
                (Contestant, 200),
                (Contestant, 300),
                (Contestant, 5),
                (Interactor, 1),
            ]
            .map(|(from, length): (Role, usize)| Message {
                at: Duration::ZERO,
                from,
                bytes: vec![b'\n'; length.min(Message::KEPT)],
                length: length as u64,
            })
            .into(),
            earlier: 0,
        };
        let message = recent.last_exchange().expect("an exchange").message;
        assert_eq!((message.bytes.len(), message.length), (Message::KEPT, 505));
    }
}
