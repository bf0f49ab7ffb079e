//! The sentences of the rows: for the person who wrote the program, in plain words.
//!
//! Two kinds of functions: those that give a whole reason, and those that give a *phrase* which
//! reads after "the contestant" or "it" ("died of signal 11 (SIGSEGV)"), so that the same fact is
//! put in the same words whoever it is about. Clauses that begin with a semicolon are appended.

use crate::evidence::{
    ContestantEvidence, Decision, End, Excess, ForbiddenCall, LimitKind, Quantity, Role,
    StartFailure, Unflushed, errno_text, signal_name,
};
use crate::verdict::amount::{amounts, plain_bytes};
use crate::verdict::{DeadlockPolicy, Verdict};

// Whole reasons.

/// Row 1: what failed, in the words of whoever noticed it.
pub(super) fn internal(text: &str) -> String {
    format!(
        "the run could not be judged: {}; neither program is to blame",
        one_line(text)
    )
}

/// Without an interactor: what failed.
pub(super) fn internal_alone(text: &str) -> String {
    format!(
        "the run failed: {}; the program is not to blame",
        one_line(text)
    )
}

/// Without an interactor: a step of the set-up failed.
pub(super) fn set_up_alone(failure: &StartFailure) -> String {
    let error = errno_text(failure.errno).to_lowercase();
    format!(
        "the sandbox could not be set up: {error} (step {}, errno {}); the program is not to blame",
        failure.step, failure.errno
    )
}

/// A limit that a program went over that has no turns, as a phrase.
pub(super) fn over_alone(excess: &Excess) -> String {
    let (used, allowed) = amounts(excess.used, excess.allowed);
    match excess.limit {
        LimitKind::Wall => format!("took {used} of real time, {allowed} allowed"),
        LimitKind::Idle => format!("did not compute for {used}, {allowed} allowed"),
        _ => over(excess),
    }
}

/// Row 1: a step of the set-up failed.
pub(super) fn set_up(role: Role, failure: &StartFailure) -> String {
    format!(
        "the sandbox of the {role} could not be set up: {} (step {}, errno {}); neither program is \
         to blame",
        errno_text(failure.errno).to_lowercase(),
        failure.step,
        failure.errno
    )
}

/// No row: what the evidence does not say.
pub(super) fn gap(missing: &str) -> String {
    format!("the run could not be judged: {missing}; this is a bug in rejoinder")
}

/// Row 2: the fault as a clause ("it died of ..."), and how the contestant ended.
pub(super) fn jury_fault(fault: &str, contestant: &ContestantEvidence) -> String {
    let beside = match &contestant.end {
        None => "how the contestant ended is not known".to_owned(),
        Some(End::Stopped) => "the contestant was stopped and is not to blame".to_owned(),
        Some(End::Exited(0)) => "the contestant ended with exit code 0".to_owned(),
        Some(failure) => format!(
            "the contestant {}; this is not held against it",
            phrase(failure)
        ),
    };
    format!("the interactor failed: {fault}; {beside}")
}

/// Row 3, 5 and 6: what the contestant did, as a phrase.
pub(super) fn contestant(phrase: &str) -> String {
    format!("the contestant {phrase}")
}

/// Row 4: the rejection, and what the contestant did besides.
pub(super) fn rejected(verdict: Verdict, contestant: &ContestantEvidence) -> String {
    let words = words(verdict);
    let besides = match &contestant.end {
        None | Some(End::Stopped | End::Exited(0)) => String::new(),
        Some(failure @ End::NotStarted(_)) => {
            return format!(
                "the interactor rejected ({words}) without waiting for the contestant, which {}",
                phrase(failure)
            );
        }
        Some(failure) => format!(
            "; the contestant then {}; this came after the output that was rejected",
            phrase(failure)
        ),
    };
    format!("the interactor rejected what the contestant printed ({words}){besides}")
}

/// Row 7: `early` is a phrase for how the contestant's output ended.
pub(super) fn stopped_early(verdict: Verdict, early: &str) -> String {
    format!(
        "the contestant stopped early: it {early}, and the interactor, which wanted more input, \
         then rejected ({})",
        words(verdict)
    )
}

/// Row 8: what a side held, and what the contestant wrote when it was given end of input.
pub(super) fn deadlock(
    held: Option<&Unflushed>,
    after: Option<&Unflushed>,
    policy: DeadlockPolicy,
) -> String {
    let why = match (held, policy) {
        (Some(held), _) => {
            let fault = match held.role {
                Role::Contestant => "",
                Role::Interactor => "; that is the jury's fault",
            };
            holds(&format!("the {}", held.role), held) + fault
        }
        (None, DeadlockPolicy::Contestant) => {
            "nothing was found that either held back, and then the contestant answers for it"
                .to_owned()
        }
        (None, DeadlockPolicy::Interactor) => {
            "in this problem that is the interactor's fault".to_owned()
        }
        (None, DeadlockPolicy::WrongAnswer) => {
            "in this problem that counts as a wrong answer".to_owned()
        }
    };
    let after = after.map_or(String::new(), |after| {
        format!(
            "; when it was then given end of input, the {} wrote {}, {}, which it had held back or \
             only wrote then",
            after.role,
            plain_bytes(after.total),
            excerpt(&after.bytes, after.total)
        )
    });
    format!("deadlock: each program waits for the other to print something; {why}{after}")
}

/// Output that lies in a buffer; `who` is a side or a pronoun.
pub(super) fn holds(who: &str, held: &Unflushed) -> String {
    format!(
        "{who} holds {} in {} that it never flushed, {}",
        plain_bytes(held.total),
        one_line(&held.stream),
        excerpt(&held.bytes, held.total)
    )
}

/// Bytes in a sentence: the first of them, escaped, in backquotes.
fn excerpt(bytes: &[u8], total: u64) -> String {
    const MOST: usize = 40;
    let shown = &bytes[..bytes.len().min(MOST)];
    let more = if total > shown.len() as u64 {
        " ..."
    } else {
        ""
    };
    format!("`{}`{more}", shown.escape_ascii())
}

/// Row 9: accepted or points.
pub(super) fn success(decision: &Decision, extra_output: u64) -> String {
    let extra = match extra_output {
        0 => String::new(),
        bytes => format!(
            "; the interactor left {} of the contestant's output unread, which does not matter in \
             this problem",
            plain_bytes(bytes)
        ),
    };
    format!(
        "the interactor {} and the contestant ended with exit code 0{extra}",
        in_favour(decision)
    )
}

/// Row 9: there was output that the interactor did not read, and the problem forbids that.
pub(super) fn extra_is_wrong(decision: &Decision, extra_output: u64) -> String {
    format!(
        "the contestant printed {} that the interactor did not read, which counts as a wrong \
         answer in this problem; the interactor {}, but that does not count",
        plain_bytes(extra_output),
        in_favour(decision)
    )
}

// Clauses for what was overruled.

/// Rows 1 and 3: a decision that was made and is not reported.
pub(super) fn not_counted(decision: Option<&Decision>) -> String {
    let decision = match decision {
        None | Some(Decision::Undefined(_)) => return String::new(),
        Some(Decision::Accepted) => "accepted".to_owned(),
        Some(Decision::Points(score)) => points(*score),
        Some(Decision::WrongAnswer) => words(Verdict::WrongAnswer).to_owned(),
        Some(Decision::PresentationError) => words(Verdict::PresentationError).to_owned(),
        Some(Decision::Fail(_)) => "FAIL".to_owned(),
    };
    format!("; the interactor's decision ({decision}) does not count")
}

/// Rows 5 and 6: a decision that the contestant's failure overrules. `must` reads after "a
/// program".
pub(super) fn despite(decision: Option<&Decision>, must: &str) -> String {
    match decision {
        Some(favour @ (Decision::Accepted | Decision::Points(_))) => format!(
            "; the interactor {}, but a program {must}",
            in_favour(favour)
        ),
        Some(Decision::WrongAnswer) => only_after_the_end(Verdict::WrongAnswer),
        Some(Decision::PresentationError) => only_after_the_end(Verdict::PresentationError),
        Some(Decision::Fail(_) | Decision::Undefined(_)) | None => String::new(),
    }
}

fn only_after_the_end(verdict: Verdict) -> String {
    format!(
        "; the interactor rejected ({}) only after end of input, which does not count",
        words(verdict)
    )
}

// Phrases.

/// How a participant ended, as a phrase.
fn phrase(end: &End) -> String {
    match end {
        End::NotStarted(failure) => not_started(failure),
        End::Exited(code) => exited(*code),
        End::Killed {
            signal,
            from_outside,
        } => died(*signal, *from_outside),
        End::Limit(excess) => over(excess),
        End::Forbidden(call) => forbidden(call),
        End::Stopped => "was stopped".to_owned(),
    }
}

pub(super) fn not_started(failure: &StartFailure) -> String {
    format!(
        "could not be started: {} ({}, errno {})",
        errno_text(failure.errno).to_lowercase(),
        failure.step,
        failure.errno
    )
}

/// An exit code. One that a shell would report for a signal is said to be a code all the same.
pub(super) fn exited(code: i32) -> String {
    let not_a_signal = if (129..=192).contains(&code) {
        " (a code of its own; no signal ended it)"
    } else {
        ""
    };
    format!("exited with code {code}{not_a_signal}")
}

pub(super) fn died(signal: i32, from_outside: bool) -> String {
    let number = format!("signal {signal}");
    let name = signal_name(signal);
    let signal = if name == number {
        number
    } else {
        format!("{number} ({name})")
    };
    if from_outside {
        format!("was killed by {signal} from outside")
    } else {
        format!("died of {signal}")
    }
}

/// What most often makes a program die of this signal, to be put behind the phrase.
pub(super) fn usual_cause(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => ", an access outside its memory or a stack that grew too large",
        libc::SIGBUS => ", an access to memory that has nothing behind it",
        libc::SIGABRT => ", as after a failed assertion, an uncaught exception or abort()",
        libc::SIGFPE => ", as after an integer division by zero",
        libc::SIGILL => ", an instruction that this processor does not have",
        libc::SIGPIPE => ", a write to a pipe that nobody reads",
        _ => "",
    }
}

pub(super) fn forbidden(call: &ForbiddenCall) -> String {
    let args = call.args.map(|arg| format!("{arg:#x}")).join(", ");
    let name = &call.name;
    let call_with_args = if name.starts_with("system call") {
        format!("{name} with the arguments ({args})")
    } else if name.contains(' ') {
        format!("call {name} with the arguments ({args})")
    } else {
        format!("call {name}({args})")
    };
    format!(
        "made the forbidden {call_with_args}: {}",
        one_line(&call.why)
    )
}

/// A limit that was exceeded, with both amounts.
pub(super) fn over(excess: &Excess) -> String {
    let (used, allowed) = amounts(excess.used, excess.allowed);
    // A limit that the kernel enforces by refusing is met exactly, and what was refused is unknown.
    let more = match (excess.used, excess.allowed) {
        (Quantity::Bytes(used), Quantity::Bytes(allowed)) if used <= allowed => " and wanted more",
        _ => "",
    };
    match excess.limit {
        LimitKind::Cpu => format!("used {used} of CPU time, {allowed} allowed"),
        LimitKind::Wall => {
            format!("took {used} of real time for its own turns, {allowed} allowed")
        }
        LimitKind::Idle => {
            format!("neither computed nor asked for input for {used}, {allowed} allowed")
        }
        LimitKind::Memory => format!("used {used} of memory{more}, {allowed} allowed"),
        LimitKind::Output => format!("wrote {used} of output{more}, {allowed} allowed"),
        LimitKind::Session => format!(
            "had the turn when the session ran out of time, after {used} of real time, {allowed} \
             allowed"
        ),
    }
}

/// The calls by which memory was refused, with how often, and the most that was asked for; none if
/// none was.
pub(super) fn refused_memory(contestant: &ContestantEvidence) -> Option<String> {
    let refused = || {
        let all = contestant.refused.iter();
        all.filter_map(|refusal| Some((refusal, refusal.memory?)))
    };
    let (_, most) = refused().max_by_key(|(_, memory)| memory.asked)?;
    let calls: Vec<String> = refused()
        .map(|(refusal, _)| match refusal.count {
            1 => format!("{} once", refusal.call),
            count => format!("{} {count} times", refusal.call),
        })
        .collect();
    let sizes = |bytes| amounts(Quantity::Bytes(bytes), Quantity::Bytes(most.allowed));
    let ((asked, allowed), (in_use, _)) = (sizes(most.asked), sizes(most.in_use));
    let calls = calls.join(", ");
    Some(format!(
        "{calls}: {asked} more than the {in_use} in use, {allowed} of address space allowed"
    ))
}

/// The interactor reported a fault of the jury's, as a clause.
pub(super) fn fail(words: &str) -> String {
    match &*one_line(words) {
        "" => "it reported a failure of its own (FAIL) and did not say which".to_owned(),
        words => format!("it reported a failure of its own (FAIL): {words}"),
    }
}

/// The interactor's ending has no meaning in its protocol, as a clause.
pub(super) fn undefined(text: &str) -> String {
    match &*one_line(text) {
        "" => "it did not keep to its protocol".to_owned(),
        text => text.to_owned(),
    }
}

/// The interactor's score is infinite or not a number, as a clause.
pub(super) fn no_score(score: f64) -> String {
    format!("it gave the score {score}, which is not a finite number")
}

// Parts.

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::WrongAnswer => "wrong answer",
        Verdict::PresentationError => "presentation error",
        other => other.name(),
    }
}

/// A favourable decision, as a phrase.
fn in_favour(decision: &Decision) -> String {
    match decision {
        Decision::Points(score) => format!("gave {}", points(*score)),
        _ => "accepted".to_owned(),
    }
}

fn points(score: f64) -> String {
    if score == 1.0 {
        "1 point".to_owned()
    } else {
        format!("{score} points")
    }
}

/// Text from elsewhere as part of a sentence: one line, without control characters and without a
/// full stop of its own.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").trim_end_matches('.').to_owned()
}
