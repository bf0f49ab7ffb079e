//! A session's outcome as one JSON object, for a program.
//!
//! `docs/json.md` explains every field and `docs/report.schema.json` is the schema; the tests check
//! that they and this module agree. Fields are only ever added within a version.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::diagnose::stack::Frame;
use crate::evidence::{Found, Refusal, Role, signal_name};
use crate::outcome::{self, Explanation, Outcome, ParticipantOutcome, PassOutcome, PassUsage};
use crate::spec::layer::Layer;
use crate::transcript::event::EndRecord;
use crate::transcript::figure::Figure;
use crate::transcript::format::LimitsRecord;

/// The version of the object.
pub const VERSION: u64 = 1;

/// The object on one line, without a line end.
pub fn render(outcome: &Outcome) -> String {
    // Nothing in the object can fail to be written: all keys are strings.
    serde_json::to_string(&report(outcome)).unwrap_or_default()
}

/// The object, to be written as part of a larger one.
pub fn report(outcome: &Outcome) -> impl Serialize + use<'_> {
    let judgement = &outcome.judgement;
    Report {
        version: VERSION,
        verdict: judgement.verdict.name(),
        code: judgement.verdict.letters(),
        reason: &judgement.reason,
        message: &outcome.message,
        score: judgement.score.filter(|score| score.is_finite()).map(Score),
        title: &outcome.title,
        contestant: (&outcome.contestant).into(),
        interactor: (&outcome.interactor).into(),
        checker: outcome.checker.as_ref().map(Participant::from),
        elapsed_ms: Figure::milliseconds(outcome.elapsed),
        passes: match outcome.passes.as_slice() {
            [] => None,
            passes => Some(passes.iter().map(PassRecord::from).collect()),
        },
        diagnosis: Diagnosis::of(outcome),
        extra_output_bytes: outcome.evidence.extra_output,
        isolation: &outcome.isolation,
        transcript: outcome
            .transcript
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned()),
        warnings: &outcome.warnings,
        interrupted: outcome.interrupted.map(signal_name),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u64,
    verdict: &'static str,
    code: &'static str,
    reason: &'a str,
    message: &'a str,
    score: Option<Score>,
    title: &'a str,
    contestant: Participant<'a>,
    interactor: Participant<'a>,
    checker: Option<Participant<'a>>,
    elapsed_ms: Figure,
    passes: Option<Vec<PassRecord>>,
    diagnosis: Option<Diagnosis<'a>>,
    extra_output_bytes: u64,
    isolation: &'a [Layer],
    transcript: Option<String>,
    warnings: &'a [String],
    interrupted: Option<String>,
}

#[derive(Serialize)]
struct PassRecord {
    elapsed_ms: Figure,
    contestant: PassUsageRecord,
    interactor: PassUsageRecord,
}

#[derive(Serialize)]
struct PassUsageRecord {
    cpu_ms: Figure,
    turn_ms: Figure,
    memory_kib: u64,
    messages: u64,
}

impl From<&PassOutcome> for PassRecord {
    fn from(pass: &PassOutcome) -> Self {
        let usage = |usage: &PassUsage| PassUsageRecord {
            cpu_ms: Figure::milliseconds(usage.cpu),
            turn_ms: Figure::milliseconds(usage.turn),
            memory_kib: usage.memory.div_ceil(1024),
            messages: usage.messages,
        };
        PassRecord {
            elapsed_ms: Figure::milliseconds(pass.elapsed),
            contestant: usage(&pass.contestant),
            interactor: usage(&pass.interactor),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Participant<'a> {
    program: &'a str,
    end: Option<EndRecord>,
    cpu_ms: Figure,
    user_ms: Figure,
    system_ms: Figure,
    wall_ms: Figure,
    turn_ms: Figure,
    states_ms: StatesRecord,
    idle_ms: Figure,
    memory_kib: u64,
    tasks: u32,
    stdin_bytes: u64,
    stdout_bytes: u64,
    messages: u64,
    limits: LimitsRecord,
    refused: Vec<Refused<'a>>,
    stderr: Stderr<'a>,
    explanation: Option<ExplanationRecord<'a>>,
}

#[derive(Serialize)]
struct ExplanationRecord<'a> {
    cause: Option<&'a str>,
    stack: Vec<FrameRecord<'a>>,
    omitted: Option<OmittedRecord>,
    cut: bool,
}

#[derive(Serialize)]
struct FrameRecord<'a> {
    function: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    module: Option<&'a str>,
    inlined: bool,
    own: bool,
}

#[derive(Serialize)]
struct OmittedRecord {
    before: usize,
    count: u64,
}

#[derive(Serialize)]
struct StatesRecord {
    computing: Figure,
    asking: Figure,
    idle: Figure,
    stopped: Figure,
}

#[derive(Serialize)]
struct Refused<'a> {
    call: &'a str,
    count: u64,
    memory: Option<Memory>,
}

#[derive(Serialize)]
struct Memory {
    asked_bytes: u64,
    in_use_bytes: u64,
    allowed_bytes: u64,
}

#[derive(Serialize)]
pub(super) struct Stderr<'a> {
    head: Bytes<'a>,
    tail: Bytes<'a>,
    total: u64,
}

#[derive(Serialize)]
struct Diagnosis<'a> {
    kind: &'static str,
    waited_ms: Option<Figure>,
    owes: Option<Role>,
    last_message_ms: Option<Figure>,
    unended_line: Option<Role>,
    last_exchange: Option<Exchange<'a>>,
    waits: Waits,
    unflushed: Vec<Unflushed<'a>>,
}

#[derive(Serialize)]
struct Exchange<'a> {
    message: Said<'a>,
    answer: Said<'a>,
}

#[derive(Serialize)]
struct Said<'a> {
    side: Role,
    at_ms: Figure,
    bytes: Bytes<'a>,
    total: u64,
}

#[derive(Serialize)]
struct Waits {
    contestant: Option<&'static str>,
    interactor: Option<&'static str>,
}

#[derive(Serialize)]
struct Unflushed<'a> {
    side: Role,
    stream: &'a str,
    bytes: Bytes<'a>,
    total: u64,
    found: Found,
}

impl<'a> Diagnosis<'a> {
    fn of(outcome: &'a Outcome) -> Option<Self> {
        let diagnosis = outcome.diagnosis.as_ref()?;
        let deadlock = outcome.evidence.deadlock.as_ref();
        let waits = |side| {
            let mut waits = diagnosis.waits.iter();
            waits
                .find(|(role, _)| *role == side)
                .map(|(_, words)| *words)
        };
        let unflushed = outcome.evidence.unflushed.iter();
        Some(Diagnosis {
            kind: match deadlock {
                Some(_) => "deadlock",
                None => "idleness",
            },
            waited_ms: deadlock.map(|deadlock| Figure::milliseconds(deadlock.waited)),
            owes: diagnosis.owes,
            last_message_ms: diagnosis.last_message.map(Figure::milliseconds),
            unended_line: diagnosis.unended_line,
            last_exchange: diagnosis.exchange.as_ref().map(Exchange::from),
            waits: Waits {
                contestant: waits(Role::Contestant),
                interactor: waits(Role::Interactor),
            },
            unflushed: unflushed
                .map(|held| Unflushed {
                    side: held.role,
                    stream: &held.stream,
                    bytes: Bytes(&held.bytes),
                    total: held.total,
                    found: held.found,
                })
                .collect(),
        })
    }
}

/// A score, exactly as it was given, and without a decimal point where it is whole.
struct Score(f64);

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers up to 2^53 are exact in both forms.
        if self.0.fract() == 0.0 && self.0.abs() <= 9_007_199_254_740_992.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Bytes as in a transcript: a string where they are UTF-8, `{"base64": "..."}` where not.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use base64::Engine as _;
        use base64::engine::general_purpose::STANDARD;
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("base64", &STANDARD.encode(self.0))?;
                map.end()
            }
        }
    }
}

impl<'a> From<&'a outcome::Exchange> for Exchange<'a> {
    fn from(exchange: &'a outcome::Exchange) -> Self {
        let said = |message: &'a outcome::Message| Said {
            side: message.from,
            at_ms: Figure::milliseconds(message.at),
            bytes: Bytes(&message.bytes),
            total: message.length,
        };
        Exchange {
            message: said(&exchange.message),
            answer: said(&exchange.answer),
        }
    }
}

impl<'a> From<&'a ParticipantOutcome> for Participant<'a> {
    fn from(outcome: &'a ParticipantOutcome) -> Self {
        Participant {
            program: &outcome.shown,
            end: outcome.end.as_ref().map(EndRecord::from),
            cpu_ms: Figure::milliseconds(outcome.cpu),
            user_ms: Figure::milliseconds(outcome.user),
            system_ms: Figure::milliseconds(outcome.system),
            wall_ms: Figure::milliseconds(outcome.wall),
            turn_ms: Figure::milliseconds(outcome.turn),
            states_ms: StatesRecord {
                computing: Figure::milliseconds(outcome.states.computing),
                asking: Figure::milliseconds(outcome.states.asking),
                idle: Figure::milliseconds(outcome.states.idle),
                stopped: Figure::milliseconds(outcome.states.stopped),
            },
            idle_ms: Figure::milliseconds(outcome.idle),
            memory_kib: outcome.memory.div_ceil(1024),
            tasks: outcome.tasks,
            stdin_bytes: outcome.stdin_bytes,
            stdout_bytes: outcome.stdout_bytes,
            messages: outcome.messages,
            limits: (&outcome.limits).into(),
            refused: outcome.refused.iter().map(Refused::from).collect(),
            stderr: (&outcome.stderr).into(),
            explanation: outcome.explanation.as_ref().map(Into::into),
        }
    }
}

impl<'a> From<&'a Explanation> for ExplanationRecord<'a> {
    fn from(explanation: &'a Explanation) -> Self {
        let stack = &explanation.stack;
        let frame = |frame: &'a Frame| FrameRecord {
            function: frame.function.as_deref(),
            file: frame.file.as_deref(),
            line: frame.line,
            module: frame.module.as_deref(),
            inlined: frame.inlined,
            own: frame.own,
        };
        ExplanationRecord {
            cause: explanation.cause.as_deref(),
            stack: stack.frames.iter().map(frame).collect(),
            omitted: stack.omitted.map(|omitted| OmittedRecord {
                before: omitted.before,
                count: omitted.count,
            }),
            cut: stack.cut,
        }
    }
}

impl<'a> From<&'a outcome::Stderr> for Stderr<'a> {
    fn from(stderr: &'a outcome::Stderr) -> Self {
        Stderr {
            head: Bytes(&stderr.head),
            tail: Bytes(&stderr.tail),
            total: stderr.total,
        }
    }
}

impl<'a> From<&'a Refusal> for Refused<'a> {
    fn from(refusal: &'a Refusal) -> Self {
        Refused {
            call: &refusal.call,
            count: refusal.count,
            memory: refusal.memory.map(|memory| Memory {
                asked_bytes: memory.asked,
                in_use_bytes: memory.in_use,
                allowed_bytes: memory.allowed,
            }),
        }
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
