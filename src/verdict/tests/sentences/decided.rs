//! Rows 4, 7 and 9: what the interactor decided.

use super::*;

#[test]
fn row_4_rejected_while_input_lasted() {
    let wrong = || decided(Decision::WrongAnswer);
    assert_told([
        (
            evidence(End::Stopped, wrong()),
            "4 WA: the interactor rejected what the contestant printed (wrong answer)",
        ),
        (
            evidence(End::Exited(0), decided(Decision::PresentationError)),
            "4 PE: the interactor rejected what the contestant printed (presentation error)",
        ),
        (
            evidence(killed(libc::SIGSEGV), wrong()),
            "4 WA: the interactor rejected what the contestant printed (wrong answer); the contestant then died of signal 11 (SIGSEGV); this came after the output that was rejected",
        ),
        (
            evidence(End::Exited(1), wrong()),
            "4 WA: the interactor rejected what the contestant printed (wrong answer); the contestant then exited with code 1; this came after the output that was rejected",
        ),
        (
            evidence(cpu(), wrong()),
            "4 WA: the interactor rejected what the contestant printed (wrong answer); the contestant then used 1.003 s of CPU time, 1 s allowed; this came after the output that was rejected",
        ),
        (
            evidence(not_started("exec", libc::ENOEXEC), wrong()),
            "4 WA: the interactor rejected (wrong answer) without waiting for the contestant, which could not be started: exec format error (exec, errno 8)",
        ),
    ]);
}

#[test]
fn row_7_rejected_after_end_of_input() {
    assert_told([
        (
            evidence(End::Exited(0), decided_at_the_end(Decision::WrongAnswer)),
            "7 WA: the contestant stopped early: it ended with exit code 0, and the interactor, which wanted more input, then rejected (wrong answer)",
        ),
        (
            half_closed(evidence(
                End::Stopped,
                decided_at_the_end(Decision::PresentationError),
            )),
            "7 PE: the contestant stopped early: it closed its standard output, and the interactor, which wanted more input, then rejected (presentation error)",
        ),
        (
            half_closed(evidence(
                End::Exited(0),
                decided_at_the_end(Decision::WrongAnswer),
            )),
            "7 WA: the contestant stopped early: it ended with exit code 0, and the interactor, which wanted more input, then rejected (wrong answer)",
        ),
    ]);
}

#[test]
fn row_9_accepted() {
    let accepted = || evidence(End::Exited(0), decided(Decision::Accepted));
    let points = |score| evidence(End::Exited(0), decided(Decision::Points(score)));
    assert_told([
        (
            accepted(),
            "9 AC: the interactor accepted and the contestant ended with exit code 0",
        ),
        (
            evidence(End::Exited(0), decided_at_the_end(Decision::Accepted)),
            "9 AC: the interactor accepted and the contestant ended with exit code 0",
        ),
        (
            points(1.0),
            "9 PT: the interactor gave 1 point and the contestant ended with exit code 0",
        ),
        (
            points(12.5),
            "9 PT: the interactor gave 12.5 points and the contestant ended with exit code 0",
        ),
        (
            points(-0.25),
            "9 PT: the interactor gave -0.25 points and the contestant ended with exit code 0",
        ),
        (
            with_extra(1, accepted()),
            "9 AC: the interactor accepted and the contestant ended with exit code 0; the interactor left 1 byte of the contestant's output unread, which does not matter in this problem",
        ),
        (
            with_extra(7, points(100.0)),
            "9 PT: the interactor gave 100 points and the contestant ended with exit code 0; the interactor left 7 bytes of the contestant's output unread, which does not matter in this problem",
        ),
        (
            with_refused([refusal("mmap", 2, true)], accepted()),
            "9 AC: the interactor accepted and the contestant ended with exit code 0",
        ),
    ]);
    let strict = policy(DeadlockPolicy::Contestant, ExtraOutput::WrongAnswer);
    for (evidence, expected) in [
        (
            accepted(),
            "9 AC: the interactor accepted and the contestant ended with exit code 0",
        ),
        (
            with_extra(1, accepted()),
            "9 WA: the contestant printed 1 byte that the interactor did not read, which counts as a wrong answer in this problem; the interactor accepted, but that does not count",
        ),
        (
            with_extra(7, points(100.0)),
            "9 WA: the contestant printed 7 bytes that the interactor did not read, which counts as a wrong answer in this problem; the interactor gave 100 points, but that does not count",
        ),
    ] {
        assert_eq!(told(&evidence, &strict), expected, "{evidence:#?}");
    }
}

#[test]
fn points_carry_their_score() {
    let points = evidence(End::Exited(0), decided(Decision::Points(12.5)));
    assert_eq!(judge(&points, &Policy::default()).score, Some(12.5));
    let overruled = evidence(End::Exited(1), decided(Decision::Points(12.5)));
    assert_eq!(judge(&overruled, &Policy::default()).score, None);
}
