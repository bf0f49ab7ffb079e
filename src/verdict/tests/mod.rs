//! Evidence written by hand, and what must be read off it.

use std::time::Duration;

use crate::evidence::{
    ContestantEvidence, Deadlock, Decision, End, Evidence, Excess, ForbiddenCall, Found,
    InteractorEvidence, LimitKind, Quantity, Refusal, RefusedMemory, Role, StartFailure, Unflushed,
};
use crate::verdict::{DeadlockPolicy, ExtraOutput, Judgement, Policy, Verdict, judge};

mod amounts;
mod combinations;
mod names;
mod sentences;
mod table;

/// How the interactor ended, what it decided, and whether it had been given end of input.
type InteractorStory = (End, Option<Decision>, bool);

fn evidence(contestant: End, (end, decision, eof): InteractorStory) -> Evidence {
    Evidence {
        contestant: ContestantEvidence {
            end: Some(contestant),
            ..ContestantEvidence::default()
        },
        interactor: InteractorEvidence {
            end: Some(end),
            decision,
            given_end_of_input: eof,
        },
        ..Evidence::default()
    }
}

/// The interactor exited by itself with this decision, before end of input.
fn decided(decision: Decision) -> InteractorStory {
    (End::Exited(1), Some(decision), false)
}

/// The interactor exited by itself with this decision, after end of input.
fn decided_at_the_end(decision: Decision) -> InteractorStory {
    (End::Exited(1), Some(decision), true)
}

/// The interactor was stopped because the run was decided otherwise.
fn stopped() -> InteractorStory {
    (End::Stopped, None, false)
}

/// The interactor ended in this way, without a decision.
fn ended(end: End) -> InteractorStory {
    (end, None, false)
}

fn killed(signal: i32) -> End {
    End::Killed {
        signal,
        from_outside: false,
    }
}

fn killed_from_outside() -> End {
    End::Killed {
        signal: libc::SIGKILL,
        from_outside: true,
    }
}

fn not_started(step: &'static str, errno: i32) -> End {
    End::NotStarted(StartFailure { step, errno })
}

fn over_time(limit: LimitKind, used_us: u64, allowed_us: u64) -> End {
    End::Limit(Excess {
        limit,
        used: Quantity::Time(Duration::from_micros(used_us)),
        allowed: Quantity::Time(Duration::from_micros(allowed_us)),
    })
}

fn over_bytes(limit: LimitKind, used: u64, allowed: u64) -> End {
    End::Limit(Excess {
        limit,
        used: Quantity::Bytes(used),
        allowed: Quantity::Bytes(allowed),
    })
}

fn cpu() -> End {
    over_time(LimitKind::Cpu, 1_003_000, 1_000_000)
}

fn forbidden() -> End {
    End::Forbidden(ForbiddenCall {
        name: "ptrace".to_owned(),
        args: [0x10, 1234, 0, 0, u64::MAX, 0],
        why: "it would control another process".to_owned(),
    })
}

fn refusal(call: &str, count: u64, memory: bool) -> Refusal {
    let refused = RefusedMemory {
        asked: 1 << 30,
        in_use: 12 << 20,
        allowed: 64 << 20,
    };
    Refusal {
        call: call.to_owned(),
        count,
        memory: memory.then_some(refused),
    }
}

fn deadlock(holder: Option<Role>) -> Evidence {
    Evidence {
        deadlock: Some(Deadlock {
            waited: Duration::from_millis(4),
        }),
        unflushed: holder
            .map(|role| unflushed(role, Found::InMemory))
            .into_iter()
            .collect(),
        ..evidence(End::Stopped, stopped())
    }
}

fn unflushed(role: Role, found: Found) -> Unflushed {
    Unflushed {
        role,
        stream: "stdout".to_owned(),
        bytes: b"? 50\n".to_vec(),
        total: 5,
        found,
    }
}

fn policy(deadlock: DeadlockPolicy, extra_output: ExtraOutput) -> Policy {
    Policy {
        deadlock,
        extra_output,
    }
}
