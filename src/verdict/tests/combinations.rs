//! Every combination of facts, consistent or not: each must lead to exactly one verdict.

use super::table::{fits, verdicts_of};
use super::*;

/// Every combination of facts that the types allow, in kind.
fn for_every_combination(mut check: impl FnMut(&Evidence, &Policy)) {
    let contestant_ends = [
        None,
        Some(not_started("identity", libc::EPERM)),
        Some(not_started("exec", libc::ENOENT)),
        Some(End::Exited(0)),
        Some(End::Exited(137)),
        Some(killed(libc::SIGSEGV)),
        Some(killed_from_outside()),
        Some(cpu()),
        Some(over_bytes(LimitKind::Memory, 4097, 4096)),
        Some(forbidden()),
        Some(End::Stopped),
    ];
    let interactor_ends = [
        None,
        Some(not_started("identity", libc::EPERM)),
        Some(not_started("exec", libc::ENOENT)),
        Some(End::Exited(3)),
        Some(killed(libc::SIGSEGV)),
        Some(cpu()),
        Some(forbidden()),
        Some(End::Stopped),
    ];
    let decisions = [
        None,
        Some(Decision::Accepted),
        Some(Decision::Points(12.5)),
        Some(Decision::Points(f64::NAN)),
        Some(Decision::WrongAnswer),
        Some(Decision::PresentationError),
        Some(Decision::Fail(String::new())),
        Some(Decision::Undefined(String::new())),
    ];
    let deadlocks = [
        Evidence::default(),
        deadlock(None),
        deadlock(Some(Role::Contestant)),
        deadlock(Some(Role::Interactor)),
    ];
    let policies = [
        policy(DeadlockPolicy::Contestant, ExtraOutput::Ignore),
        policy(DeadlockPolicy::Interactor, ExtraOutput::WrongAnswer),
        policy(DeadlockPolicy::WrongAnswer, ExtraOutput::WrongAnswer),
    ];
    let mut evidence = Evidence::default();
    for contestant in &contestant_ends {
        evidence.contestant.end = contestant.clone();
        for interactor in &interactor_ends {
            evidence.interactor.end = interactor.clone();
            for decision in &decisions {
                evidence.interactor.decision = decision.clone();
                for deadlock in &deadlocks {
                    evidence.deadlock = deadlock.deadlock.clone();
                    evidence.unflushed = deadlock.unflushed.clone();
                    // Five facts that are true or false.
                    for bits in 0..1 << 5 {
                        let bit = |n: u32| bits >> n & 1 == 1;
                        evidence.internal = bit(0).then(|| "no space".to_owned());
                        evidence.contestant.closed_stdout = bit(1);
                        evidence.interactor.given_end_of_input = bit(2);
                        evidence.extra_output = u64::from(bit(3));
                        let refused = bit(4).then(|| refusal("mmap", 1, true));
                        evidence.contestant.refused = refused.into_iter().collect();
                        for policy in &policies {
                            check(&evidence, policy);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_evidence_has_the_verdict_of_the_first_row_that_fits_or_a_gap() {
    let mut gaps = 0;
    for_every_combination(|evidence, policy| {
        let judgement = judge(evidence, policy);
        let first = (1..=9).find(|&row| fits(row, evidence));
        let case = || format!("{evidence:?}\n{policy:?}\n{judgement:?}");
        assert_eq!(judgement.row, first.unwrap_or(1), "{}", case());
        assert!(
            verdicts_of(judgement.row).contains(&judgement.verdict),
            "{}",
            case()
        );
        let gap = judgement.reason.ends_with("; this is a bug in rejoinder");
        assert_eq!(gap, first.is_none(), "{}", case());
        gaps += u64::from(gap);
        assert_eq!(
            judgement.score.is_some(),
            judgement.verdict == Verdict::Points,
            "{}",
            case()
        );
        assert!(judgement.score.is_none_or(f64::is_finite), "{}", case());
        assert!(!judgement.reason.contains(['\n', '\r']), "{}", case());
    });
    assert!(
        gaps > 0,
        "no combination left a gap: the test is too narrow"
    );
}

#[test]
fn a_fault_of_the_interactor_is_never_held_against_the_contestant() {
    for_every_combination(|evidence, policy| {
        if (1..=2).any(|row| fits(row, evidence)) {
            let verdict = judge(evidence, policy).verdict;
            assert!(
                matches!(verdict, Verdict::JudgeError | Verdict::InternalError),
                "{verdict} for {evidence:?}"
            );
        }
    });
}
