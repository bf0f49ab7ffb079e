//! The events of a transcript: what happened between the bytes.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::evidence::{End, Excess, LimitKind, Quantity, Role, errno_text, signal_name};
use crate::transcript::amount;
use crate::transcript::figure::Figure;
use crate::verdict::Judgement;

/// Something that happened, as it is written: an object whose `kind` names the variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A participant was started.
    Start {
        role: Role,
        /// Its process id as the coordinator sees it, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pid: Option<i32>,
    },
    /// A participant ended.
    End { role: Role, end: EndRecord },
    /// This participant was given end of input.
    EndOfInput { role: Role },
    /// This participant closed its standard output and went on running.
    ClosedOutput { role: Role },
    /// This participant went over a limit.
    Limit {
        role: Role,
        limit: LimitKind,
        used: Figure,
        allowed: Figure,
        unit: Unit,
    },
    /// A system call was refused to this participant (written for the first of each name).
    Refused { role: Role, call: String },
    /// Another pass begins: both programs are started anew.
    Pass { number: u32 },
    /// The coordinator was interrupted by this signal.
    Signal { signal: i32 },
    /// Standard error of this participant beyond the cap: so many bytes were not kept.
    Dropped { role: Role, bytes: u64 },
    /// The verdict, by name, and its reason.
    Verdict { verdict: String, reason: String },
    /// A kind that this version does not know, as it was read. Never written by the session.
    #[serde(untagged)]
    Other(Value),
}

/// The unit of an amount of a limited resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Milliseconds.
    Ms,
    Bytes,
}

/// How a participant ended, as it is written in transcripts and reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EndRecord {
    /// It exited by itself.
    Exited { code: i32 },
    /// It died of a signal that the coordinator did not send.
    Killed {
        signal: i32,
        /// The signal's name, such as `SIGSEGV`.
        name: String,
        from_outside: bool,
    },
    /// It was over a limit.
    Limit {
        limit: LimitKind,
        used: Figure,
        allowed: Figure,
        unit: Unit,
    },
    /// It was stopped for a system call that its policy forbids.
    Forbidden {
        call: String,
        /// The six argument registers in hexadecimal; JSON numbers do not hold 64 bits.
        args: Vec<String>,
        why: String,
    },
    /// It could not be started.
    NotStarted {
        /// The set-up step that failed.
        step: String,
        errno: i32,
        /// The C library's words for `errno`.
        error: String,
    },
    /// The coordinator stopped it because the run was decided.
    Stopped,
}

impl Event {
    /// The end of a participant.
    pub fn end(role: Role, end: &End) -> Self {
        let end = end.into();
        Event::End { role, end }
    }

    /// A limit that a participant exceeded.
    pub fn limit(role: Role, excess: &Excess) -> Self {
        let (used, unit) = figure(excess.used);
        let (allowed, _) = figure(excess.allowed);
        let limit = excess.limit;
        Event::Limit {
            role,
            limit,
            used,
            allowed,
            unit,
        }
    }

    /// The verdict of the run.
    pub fn verdict(judgement: &Judgement) -> Self {
        Event::Verdict {
            verdict: judgement.verdict.name().to_owned(),
            reason: judgement.reason.clone(),
        }
    }
}

impl From<&End> for EndRecord {
    fn from(end: &End) -> Self {
        match end {
            End::NotStarted(failure) => EndRecord::NotStarted {
                step: failure.step.to_owned(),
                errno: failure.errno,
                error: errno_text(failure.errno),
            },
            End::Exited(code) => EndRecord::Exited { code: *code },
            End::Killed {
                signal,
                from_outside,
            } => EndRecord::Killed {
                signal: *signal,
                name: signal_name(*signal),
                from_outside: *from_outside,
            },
            End::Limit(excess) => {
                let (used, unit) = figure(excess.used);
                let (allowed, _) = figure(excess.allowed);
                let limit = excess.limit;
                EndRecord::Limit {
                    limit,
                    used,
                    allowed,
                    unit,
                }
            }
            End::Forbidden(call) => EndRecord::Forbidden {
                call: call.name.clone(),
                args: call.args.iter().map(|arg| format!("{arg:#x}")).collect(),
                why: call.why.clone(),
            },
            End::Stopped => EndRecord::Stopped,
        }
    }
}

fn figure(quantity: Quantity) -> (Figure, Unit) {
    match quantity {
        Quantity::Time(time) => (Figure::milliseconds(time), Unit::Ms),
        Quantity::Bytes(bytes) => (Figure::bytes(bytes), Unit::Bytes),
    }
}

/// A sentence for a person, without a full stop.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Start {
                role,
                pid: Some(pid),
            } => write!(f, "{role} started (pid {pid})"),
            Event::Start { role, pid: None } => write!(f, "{role} started"),
            Event::End { role, end } => write!(f, "{role} {end}"),
            Event::EndOfInput { role } => write!(f, "end of input for the {role}"),
            Event::ClosedOutput { role } => write!(f, "{role} closed its output"),
            Event::Limit {
                role,
                limit,
                used,
                allowed,
                unit,
            } => {
                write!(f, "{role} went over its {} limit: ", limit.name())?;
                write!(f, "{} of {}", unit.shown(*used), unit.shown(*allowed))
            }
            Event::Refused { role, call } => write!(f, "{call} was refused to the {role}"),
            Event::Pass { number } => write!(f, "pass {number} begins"),
            Event::Signal { signal } => write!(f, "interrupted by {}", signal_name(*signal)),
            Event::Dropped { role, bytes } => {
                let bytes = amount::counted(*bytes, "byte");
                write!(f, "{bytes} of the {role}'s stderr were not kept")
            }
            Event::Verdict { verdict, reason } => write!(f, "{verdict}: {reason}"),
            Event::Other(value) => write!(f, "{value}"),
        }
    }
}

/// Words that read after the participant's name.
impl fmt::Display for EndRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndRecord::Exited { code } => write!(f, "exited with code {code}"),
            EndRecord::Killed {
                name, from_outside, ..
            } => {
                let from = if *from_outside { " from outside" } else { "" };
                write!(f, "was killed by {name}{from}")
            }
            EndRecord::Limit {
                limit,
                used,
                allowed,
                unit,
            } => {
                write!(f, "ended over its {} limit: ", limit.name())?;
                write!(f, "{} of {}", unit.shown(*used), unit.shown(*allowed))
            }
            EndRecord::Forbidden { call, why, .. } => {
                write!(f, "was stopped for the forbidden call {call} ({why})")
            }
            EndRecord::NotStarted { step, error, .. } => {
                write!(f, "could not be started: {step}: {error}")
            }
            EndRecord::Stopped => write!(f, "was stopped, as the run was decided"),
        }
    }
}

impl Unit {
    /// An amount in words.
    fn shown(self, figure: Figure) -> String {
        match self {
            Unit::Ms => match Duration::try_from_secs_f64(figure.value() / 1000.0) {
                Ok(time) => amount::time(time),
                Err(_) => format!("{} ms", figure.value()),
            },
            Unit::Bytes => amount::size(figure.value() as u64),
        }
    }
}
