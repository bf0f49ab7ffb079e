//! The table: one function a row, in the order in which they are tried.
//!
//! A row looks at the evidence and either leaves the case to the rows below it (`None`) or settles
//! it. It may rely on nothing that an earlier row would have caught except where it says so.

use crate::evidence::{
    ContestantEvidence, Decision, End, Evidence, Excess, Found, InteractorEvidence, LimitKind, Role,
};
use crate::verdict::reason;
use crate::verdict::{DeadlockPolicy, ExtraOutput, Policy, Verdict};

/// What a row found.
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    pub(super) score: Option<f64>,
}

impl Finding {
    fn new(verdict: Verdict, reason: String) -> Self {
        Finding {
            verdict,
            reason,
            score: None,
        }
    }
}

type Row = fn(&Evidence, &Policy) -> Option<Finding>;

/// The rows; the number of a row is its place, counted from 1.
pub(super) const TABLE: [Row; 9] = [
    our_own_failure,
    interactor_at_fault,
    forbidden_call,
    rejected_while_input_lasted,
    contestant_over_a_limit,
    contestant_failed,
    rejected_after_end_of_input,
    deadlock,
    accepted_and_ended_cleanly,
];

/// Row 1: the machinery failed, or a program could not even be brought to its exec.
fn our_own_failure(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let what = match &evidence.internal {
        Some(text) => reason::internal(text),
        None => {
            let ends = [
                (Role::Contestant, &evidence.contestant.end),
                (Role::Interactor, &evidence.interactor.end),
            ];
            ends.into_iter().find_map(|(role, end)| match end {
                // A failing exec is the program's own fault: it does not exist, is not executable,
                // is for another machine. Every step before it is ours.
                Some(End::NotStarted(failure)) if failure.step != EXEC => {
                    Some(reason::set_up(role, failure))
                }
                _ => None,
            })?
        }
    };
    let reason = what + &reason::not_counted(decision(&evidence.interactor));
    Some(Finding::new(Verdict::InternalError, reason))
}

/// The set-up step that can fail for a reason that lies in the program itself.
pub(super) const EXEC: &str = "exec";

/// Row 2: the interactor is at fault.
fn interactor_at_fault(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let it = |phrase: String| format!("it {phrase}");
    let fault = match evidence.interactor.end.as_ref()? {
        // Row 1 has dealt with the other steps.
        End::NotStarted(failure) => it(reason::not_started(failure)),
        End::Killed {
            signal,
            from_outside,
        } => it(reason::died(*signal, *from_outside)),
        End::Limit(excess) => it(over(excess, evidence, Role::Interactor)),
        End::Forbidden(call) => it(reason::forbidden(call)),
        End::Exited(_) => match evidence.interactor.decision.as_ref()? {
            Decision::Fail(words) => reason::fail(words),
            Decision::Undefined(text) => reason::undefined(text),
            Decision::Points(score) if !score.is_finite() => reason::no_score(*score),
            _ => return None,
        },
        End::Stopped => return None,
    };
    let reason = reason::jury_fault(&fault, &evidence.contestant);
    Some(Finding::new(Verdict::JudgeError, reason))
}

/// Row 3: the contestant was stopped for a forbidden call.
fn forbidden_call(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let Some(End::Forbidden(call)) = &evidence.contestant.end else {
        return None;
    };
    let reason = reason::contestant(&reason::forbidden(call))
        + &reason::not_counted(decision(&evidence.interactor));
    Some(Finding::new(Verdict::SecurityViolation, reason))
}

/// Row 4: the interactor rejected what the contestant had printed so far, without having been told
/// that nothing more would come. Whatever the contestant did besides came later in its own order.
fn rejected_while_input_lasted(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let verdict = rejection(&evidence.interactor)?;
    (!evidence.interactor.given_end_of_input)
        .then(|| Finding::new(verdict, reason::rejected(verdict, &evidence.contestant)))
}

/// Row 5: the contestant went over a limit.
fn contestant_over_a_limit(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let Some(End::Limit(excess)) = &evidence.contestant.end else {
        return None;
    };
    let verdict = verdict_of(excess.limit);
    let reason = reason::contestant(&over(excess, evidence, Role::Contestant))
        + &reason::despite(
            decision(&evidence.interactor),
            "must also end within its limits",
        );
    Some(Finding::new(verdict, reason))
}

/// A limit that was exceeded, with what explains it, as a phrase.
fn over(excess: &Excess, evidence: &Evidence, role: Role) -> String {
    let mut held = evidence.unflushed.iter();
    let held = held.find(|held| held.found == Found::InMemory && held.role == role);
    match held.filter(|_| excess.limit == LimitKind::Idle) {
        Some(held) => format!("{}; {}", reason::over(excess), reason::holds("it", held)),
        None => reason::over(excess),
    }
}

/// The verdict on a contestant that is over a limit.
pub(super) fn verdict_of(limit: LimitKind) -> Verdict {
    match limit {
        LimitKind::Cpu => Verdict::TimeLimit,
        LimitKind::Wall | LimitKind::Session => Verdict::WallTimeLimit,
        LimitKind::Idle => Verdict::IdlenessLimit,
        LimitKind::Memory => Verdict::MemoryLimit,
        LimitKind::Output => Verdict::OutputLimit,
    }
}

/// Row 6: the contestant failed by itself.
fn contestant_failed(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let (verdict, what) = failure(&evidence.contestant)?;
    let reason = reason::contestant(&what)
        + &reason::despite(
            decision(&evidence.interactor),
            "must also end with exit code 0",
        );
    Some(Finding::new(verdict, reason))
}

/// How a program failed by itself, as a verdict and a phrase.
pub(super) fn failure(contestant: &ContestantEvidence) -> Option<(Verdict, String)> {
    let (failure, own) = match contestant.end.as_ref()? {
        // Row 1 has dealt with the other steps.
        End::NotStarted(failure) => (reason::not_started(failure), true),
        End::Killed {
            signal,
            from_outside,
        } => (
            reason::died(*signal, *from_outside) + reason::usual_cause(*signal),
            !from_outside,
        ),
        End::Exited(code) if *code != 0 => (reason::exited(*code), true),
        _ => return None,
    };
    let memory = reason::refused_memory(contestant);
    // A program does not kill itself from outside because it was refused memory.
    let verdict = if memory.is_some() && own {
        Verdict::MemoryLimit
    } else {
        Verdict::RuntimeError
    };
    let what = match memory {
        Some(refusals) if own => format!("was refused memory ({refusals}) and then {failure}"),
        _ => failure,
    };
    Some((verdict, what))
}

/// Row 7: the interactor wanted more, was told that nothing more would come, and rejected.
fn rejected_after_end_of_input(evidence: &Evidence, _: &Policy) -> Option<Finding> {
    let verdict = rejection(&evidence.interactor)?;
    let contestant = &evidence.contestant;
    let early = match contestant.end.as_ref()? {
        End::Exited(0) => "ended with exit code 0",
        End::Stopped if contestant.closed_stdout => "closed its standard output",
        // End of input that nothing explains is a gap in the evidence.
        _ => return None,
    };
    evidence
        .interactor
        .given_end_of_input
        .then(|| Finding::new(verdict, reason::stopped_early(verdict, early)))
}

/// Row 8: both asked for input and nothing was under way. Both have then been stopped, without a
/// decision.
fn deadlock(evidence: &Evidence, policy: &Policy) -> Option<Finding> {
    evidence.deadlock.as_ref()?;
    let held = evidence.held();
    let verdict = match (held.map(|held| held.role), policy.deadlock) {
        // What was found in a program's buffers is a cause; the policy is for want of one.
        (Some(Role::Contestant), _) | (None, DeadlockPolicy::Contestant) => Verdict::IdlenessLimit,
        (Some(Role::Interactor), _) | (None, DeadlockPolicy::Interactor) => Verdict::JudgeError,
        (None, DeadlockPolicy::WrongAnswer) => Verdict::WrongAnswer,
    };
    let mut after = evidence.unflushed.iter();
    let after = after.find(|held| held.found == Found::AtTheEnd);
    let reason = reason::deadlock(held, after, policy.deadlock);
    Some(Finding::new(verdict, reason))
}

/// Row 9: nothing speaks against the contestant.
fn accepted_and_ended_cleanly(evidence: &Evidence, policy: &Policy) -> Option<Finding> {
    let decision = decision(&evidence.interactor)?;
    let (verdict, score) = match decision {
        Decision::Accepted => (Verdict::Accepted, None),
        Decision::Points(score) => (Verdict::Points, Some(*score)),
        _ => return None,
    };
    if evidence.contestant.end != Some(End::Exited(0)) {
        return None;
    }
    if evidence.extra_output > 0 && policy.extra_output == ExtraOutput::WrongAnswer {
        let reason = reason::extra_is_wrong(decision, evidence.extra_output);
        return Some(Finding::new(Verdict::WrongAnswer, reason));
    }
    let reason = reason::success(decision, evidence.extra_output);
    Some(Finding {
        verdict,
        reason,
        score,
    })
}

/// What is reported where no row fits: the evidence contradicts itself or leaves something out.
pub(super) fn gap(evidence: &Evidence) -> Finding {
    let ContestantEvidence { end, .. } = &evidence.contestant;
    let interactor = &evidence.interactor;
    let missing = match (&interactor.end, &interactor.decision, end) {
        (None, _, _) => "how the interactor ended was not recorded",
        (_, _, None) => "how the contestant ended was not recorded",
        (Some(End::Exited(_)), None, _) => {
            "the interactor exited, but what its exit code means was not recorded"
        }
        (Some(End::Exited(_)), Some(Decision::Accepted | Decision::Points(_)), _) => {
            "the interactor accepted, but the contestant was stopped before it could end"
        }
        (Some(End::Exited(_)), Some(_), _) => {
            "the interactor was given end of input, although the contestant had neither ended nor \
             closed its standard output"
        }
        (Some(_), _, _) => {
            "the interactor was stopped before it decided, and what it was stopped for was not \
             recorded"
        }
    };
    Finding::new(Verdict::InternalError, reason::gap(missing))
}

/// The interactor's decision, which counts only if it exited by itself.
fn decision(interactor: &InteractorEvidence) -> Option<&Decision> {
    match interactor.end {
        Some(End::Exited(_)) => interactor.decision.as_ref(),
        _ => None,
    }
}

/// The verdict by which the interactor rejected, if it did.
fn rejection(interactor: &InteractorEvidence) -> Option<Verdict> {
    match decision(interactor)? {
        Decision::WrongAnswer => Some(Verdict::WrongAnswer),
        Decision::PresentationError => Some(Verdict::PresentationError),
        _ => None,
    }
}
