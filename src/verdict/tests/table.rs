//! The order of the rows: a second reading of the table, compared with the first.

use super::*;

/// Whether the evidence satisfies a row of the table, taken by itself.
pub(super) fn fits(row: u8, evidence: &Evidence) -> bool {
    let (c, i) = (&evidence.contestant, &evidence.interactor);
    let exited = matches!(i.end, Some(End::Exited(_)));
    let set_up_failed =
        |end: &Option<End>| matches!(end, Some(End::NotStarted(failure)) if failure.step != "exec");
    let rejected = exited
        && matches!(
            i.decision,
            Some(Decision::WrongAnswer | Decision::PresentationError)
        );
    match row {
        1 => evidence.internal.is_some() || set_up_failed(&c.end) || set_up_failed(&i.end),
        2 => match &i.end {
            Some(End::Killed { .. } | End::Limit(_) | End::Forbidden(_) | End::NotStarted(_)) => {
                true
            }
            Some(End::Exited(_)) => match &i.decision {
                Some(Decision::Fail(_) | Decision::Undefined(_)) => true,
                Some(Decision::Points(score)) => score.is_nan() || score.is_infinite(),
                _ => false,
            },
            _ => false,
        },
        3 => matches!(c.end, Some(End::Forbidden(_))),
        4 => rejected && !i.given_end_of_input,
        5 => matches!(c.end, Some(End::Limit(_))),
        6 => match c.end {
            Some(End::Exited(code)) => code != 0,
            Some(End::Killed { .. } | End::NotStarted(_)) => true,
            _ => false,
        },
        7 => {
            rejected
                && i.given_end_of_input
                && c.end.is_some()
                && (c.end == Some(End::Exited(0)) || c.closed_stdout)
        }
        8 => evidence.deadlock.is_some(),
        9 => {
            exited
                && matches!(i.decision, Some(Decision::Accepted | Decision::Points(_)))
                && c.end == Some(End::Exited(0))
        }
        _ => unreachable!("the table has nine rows"),
    }
}

/// The verdicts that a row may give.
pub(super) fn verdicts_of(row: u8) -> &'static [Verdict] {
    use Verdict::*;
    match row {
        1 => &[InternalError],
        2 => &[JudgeError],
        3 => &[SecurityViolation],
        4 | 7 => &[WrongAnswer, PresentationError],
        5 => &[
            TimeLimit,
            WallTimeLimit,
            IdlenessLimit,
            MemoryLimit,
            OutputLimit,
        ],
        6 => &[RuntimeError, MemoryLimit],
        8 => &[IdlenessLimit, JudgeError, WrongAnswer],
        _ => &[Accepted, Points, WrongAnswer],
    }
}

/// The least that makes a row fit; what is `None` is left open.
#[derive(Default, Clone)]
struct Piece {
    internal: Option<&'static str>,
    contestant: Option<End>,
    closed_stdout: Option<bool>,
    interactor: Option<End>,
    decision: Option<Decision>,
    eof: Option<bool>,
    deadlock: bool,
}

impl Piece {
    fn contestant(end: End) -> Self {
        Piece {
            contestant: Some(end),
            ..Piece::default()
        }
    }

    fn interactor(end: End) -> Self {
        Piece {
            interactor: Some(end),
            ..Piece::default()
        }
    }

    fn decision(decision: Decision) -> Self {
        Piece {
            interactor: Some(End::Exited(1)),
            decision: Some(decision),
            ..Piece::default()
        }
    }

    fn with_eof(self, eof: bool) -> Self {
        Piece {
            eof: Some(eof),
            ..self
        }
    }

    /// Both pieces at once, unless they need the same fact to be different.
    fn merged(&self, other: &Piece) -> Option<Evidence> {
        fn either<T: Clone + PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<Option<T>> {
            match (a, b) {
                (Some(a), Some(b)) if a != b => None,
                (a, b) => Some(a.clone().or_else(|| b.clone())),
            }
        }
        let contestant = either(&self.contestant, &other.contestant)?;
        let interactor = either(&self.interactor, &other.interactor)?;
        let decision = either(&self.decision, &other.decision)?;
        let eof = either(&self.eof, &other.eof)?.unwrap_or_default();
        let closed = either(&self.closed_stdout, &other.closed_stdout)?;
        let mut evidence = evidence(
            contestant.unwrap_or(End::Stopped),
            (interactor.unwrap_or(End::Stopped), decision, eof),
        );
        evidence.internal = self.internal.or(other.internal).map(Into::into);
        evidence.contestant.closed_stdout = closed.unwrap_or_default();
        if self.deadlock || other.deadlock {
            evidence.deadlock = deadlock(None).deadlock;
        }
        Some(evidence)
    }
}

/// Every kind of evidence that makes a row fit.
fn pieces(row: u8) -> Vec<Piece> {
    let rejections = || [Decision::WrongAnswer, Decision::PresentationError].map(Piece::decision);
    match row {
        1 => vec![
            Piece {
                internal: Some("interrupted by SIGINT"),
                ..Piece::default()
            },
            Piece::contestant(not_started("identity", libc::EPERM)),
            Piece::interactor(not_started("identity", libc::EPERM)),
        ],
        2 => vec![
            Piece::interactor(killed(libc::SIGSEGV)),
            Piece::interactor(killed_from_outside()),
            Piece::interactor(not_started("exec", libc::ENOENT)),
            Piece::interactor(cpu()),
            Piece::interactor(forbidden()),
            Piece::decision(Decision::Fail("no test".into())),
            Piece::decision(Decision::Undefined("exit code 42 means nothing".into())),
            Piece::decision(Decision::Points(f64::INFINITY)),
        ],
        3 => vec![Piece::contestant(forbidden())],
        4 => rejections().map(|piece| piece.with_eof(false)).into(),
        5 => vec![
            Piece::contestant(cpu()),
            Piece::contestant(over_bytes(LimitKind::Output, 20, 10)),
        ],
        6 => vec![
            Piece::contestant(not_started("exec", libc::EACCES)),
            Piece::contestant(killed(libc::SIGABRT)),
            Piece::contestant(killed_from_outside()),
            Piece::contestant(End::Exited(1)),
            Piece::contestant(End::Exited(137)),
        ],
        7 => rejections()
            .into_iter()
            .map(|piece| piece.with_eof(true))
            .flat_map(|piece| {
                let ended = Piece {
                    contestant: Some(End::Exited(0)),
                    ..piece.clone()
                };
                let closed = Piece {
                    closed_stdout: Some(true),
                    ..piece
                };
                [ended, closed]
            })
            .collect(),
        8 => vec![Piece {
            deadlock: true,
            ..Piece::default()
        }],
        _ => [Decision::Accepted, Decision::Points(5.0)]
            .map(|decision| Piece {
                contestant: Some(End::Exited(0)),
                ..Piece::decision(decision)
            })
            .into(),
    }
}

/// Pairs of rows of which no evidence can satisfy both, and why.
const NEVER_BOTH: [(u8, u8, &str); 12] = [
    (
        2,
        4,
        "the interactor has one end and one decision: a fault or a rejection",
    ),
    (
        2,
        7,
        "the interactor has one end and one decision: a fault or a rejection",
    ),
    (
        2,
        9,
        "the interactor has one end and one decision: a fault or a favourable one",
    ),
    (
        3,
        5,
        "the contestant has one end: a forbidden call or a limit",
    ),
    (
        3,
        6,
        "the contestant has one end: a forbidden call or a failure of its own",
    ),
    (
        3,
        9,
        "the contestant has one end: a forbidden call or a clean exit",
    ),
    (
        4,
        7,
        "end of input was given to the interactor or it was not",
    ),
    (
        4,
        9,
        "the interactor has one decision: against the contestant or for it",
    ),
    (
        5,
        6,
        "the contestant has one end: a limit or a failure of its own",
    ),
    (5, 9, "the contestant has one end: a limit or a clean exit"),
    (
        6,
        9,
        "the contestant has one end: a failure of its own or a clean exit",
    ),
    (
        7,
        9,
        "the interactor has one decision: against the contestant or for it",
    ),
];

#[test]
fn each_row_by_itself() {
    for row in 1..=9 {
        for piece in pieces(row) {
            let evidence = piece.merged(&Piece::default()).unwrap();
            let judgement = judge(&evidence, &Policy::default());
            assert!(fits(row, &evidence), "row {row}: {evidence:?}");
            assert_eq!(judgement.row, row, "{evidence:?}\n{judgement:?}");
            assert!(
                verdicts_of(row).contains(&judgement.verdict),
                "{judgement:?}"
            );
            assert!(!judgement.reason.contains("bug"), "{judgement:?}");
        }
    }
}

#[test]
fn of_each_pair_of_rows_the_first_wins() {
    for first in 1..=9 {
        for second in first + 1..=9 {
            let mut both = 0;
            for (a, b) in pieces(first)
                .iter()
                .flat_map(|a| pieces(second).into_iter().map(move |b| (a, b)))
            {
                let Some(evidence) = a.merged(&b) else {
                    continue;
                };
                both += 1;
                assert!(fits(first, &evidence), "row {first}: {evidence:?}");
                assert!(fits(second, &evidence), "row {second}: {evidence:?}");
                let judgement = judge(&evidence, &Policy::default());
                assert_eq!(judgement.row, first, "{evidence:?}\n{judgement:?}");
                assert!(verdicts_of(first).contains(&judgement.verdict));
            }
            let never = NEVER_BOTH
                .iter()
                .find(|(a, b, _)| (*a, *b) == (first, second));
            assert_eq!(
                both == 0,
                never.is_some(),
                "rows {first} and {second}: {both} combinations, {never:?}"
            );
        }
    }
}

#[test]
fn nothing_that_the_contestant_does_changes_an_early_rejection() {
    for decision in [Decision::WrongAnswer, Decision::PresentationError] {
        let verdicts = [
            End::Exited(0),
            End::Exited(1),
            killed(libc::SIGPIPE),
            killed_from_outside(),
            cpu(),
            over_bytes(LimitKind::Output, 20, 10),
            End::Stopped,
        ]
        .map(|end| {
            judge(
                &evidence(end, decided(decision.clone())),
                &Policy::default(),
            )
        })
        .map(|Judgement { verdict, row, .. }| (verdict, row));
        let first = verdicts[0];
        assert_eq!(first.1, 4);
        assert_eq!(verdicts, [first; 7]);
    }
}
