//! Every sentence, whole, with the verdict and the row it belongs to.

use super::*;

/// `row verdict: reason`.
fn told(evidence: &Evidence, policy: &Policy) -> String {
    let judgement = judge(evidence, policy);
    format!(
        "{} {}: {}",
        judgement.row,
        judgement.verdict.letters(),
        judgement.reason
    )
}

/// Asserts what is told of each evidence under the default policy.
#[track_caller]
fn assert_told<const N: usize>(cases: [(Evidence, &str); N]) {
    for (evidence, expected) in cases {
        let told = told(&evidence, &Policy::default());
        assert_eq!(told, expected, "{evidence:#?}");
    }
}

fn with_internal(text: &str, evidence: Evidence) -> Evidence {
    Evidence {
        internal: Some(text.to_owned()),
        ..evidence
    }
}

fn with_refused<const N: usize>(refused: [Refusal; N], mut evidence: Evidence) -> Evidence {
    evidence.contestant.refused = refused.into();
    evidence
}

fn with_extra(extra_output: u64, evidence: Evidence) -> Evidence {
    Evidence {
        extra_output,
        ..evidence
    }
}

fn half_closed(mut evidence: Evidence) -> Evidence {
    evidence.contestant.closed_stdout = true;
    evidence
}

#[test]
fn row_1_our_own_failure() {
    assert_told([
        (
            with_internal(
                "failed to create the inotify descriptor:\n  too many open files.",
                Evidence::default(),
            ),
            "1 IE: the run could not be judged: failed to create the inotify descriptor: too many open files; neither program is to blame",
        ),
        (
            with_internal(
                "interrupted by SIGINT",
                evidence(End::Exited(0), decided(Decision::Accepted)),
            ),
            "1 IE: the run could not be judged: interrupted by SIGINT; neither program is to blame; the interactor's decision (accepted) does not count",
        ),
        (
            with_internal(
                "no space",
                evidence(cpu(), decided(Decision::Fail("x".into()))),
            ),
            "1 IE: the run could not be judged: no space; neither program is to blame; the interactor's decision (FAIL) does not count",
        ),
        (
            evidence(not_started("identity", libc::EPERM), stopped()),
            "1 IE: the sandbox of the contestant could not be set up: operation not permitted (step identity, errno 1); neither program is to blame",
        ),
        (
            evidence(End::Stopped, ended(not_started("seccomp", libc::EINVAL))),
            "1 IE: the sandbox of the interactor could not be set up: invalid argument (step seccomp, errno 22); neither program is to blame",
        ),
    ]);
}

#[test]
fn evidence_with_a_gap() {
    let mut no_end = evidence(End::Exited(0), decided(Decision::Accepted));
    no_end.contestant.end = None;
    let mut no_interactor = evidence(End::Exited(0), decided(Decision::Accepted));
    no_interactor.interactor.end = None;
    assert_told([
        (
            Evidence::default(),
            "1 IE: the run could not be judged: how the interactor ended was not recorded; this is a bug in rejoinder",
        ),
        (
            no_end,
            "1 IE: the run could not be judged: how the contestant ended was not recorded; this is a bug in rejoinder",
        ),
        (
            no_interactor,
            "1 IE: the run could not be judged: how the interactor ended was not recorded; this is a bug in rejoinder",
        ),
        (
            evidence(End::Exited(0), ended(End::Exited(0))),
            "1 IE: the run could not be judged: the interactor exited, but what its exit code means was not recorded; this is a bug in rejoinder",
        ),
        (
            evidence(End::Stopped, decided(Decision::Accepted)),
            "1 IE: the run could not be judged: the interactor accepted, but the contestant was stopped before it could end; this is a bug in rejoinder",
        ),
        (
            evidence(End::Stopped, decided_at_the_end(Decision::WrongAnswer)),
            "1 IE: the run could not be judged: the interactor was given end of input, although the contestant had neither ended nor closed its standard output; this is a bug in rejoinder",
        ),
        (
            evidence(End::Exited(0), stopped()),
            "1 IE: the run could not be judged: the interactor was stopped before it decided, and what it was stopped for was not recorded; this is a bug in rejoinder",
        ),
    ]);
}

#[test]
fn row_2_the_interactor_is_at_fault() {
    let undefined = Decision::Undefined("exit code 42 means nothing in the testlib protocol (42 is `accepted` for icpc: use --protocol icpc?)".into());
    assert_told([
        (
            evidence(End::Stopped, ended(killed(libc::SIGSEGV))),
            "2 JE: the interactor failed: it died of signal 11 (SIGSEGV); the contestant was stopped and is not to blame",
        ),
        (
            evidence(End::Exited(0), ended(killed_from_outside())),
            "2 JE: the interactor failed: it was killed by signal 9 (SIGKILL) from outside; the contestant ended with exit code 0",
        ),
        (
            evidence(End::Exited(1), ended(not_started("exec", libc::ENOENT))),
            "2 JE: the interactor failed: it could not be started: no such file or directory (exec, errno 2); the contestant exited with code 1; this is not held against it",
        ),
        (
            evidence(
                killed(libc::SIGPIPE),
                ended(over_time(LimitKind::Cpu, 10_004_000, 10_000_000)),
            ),
            "2 JE: the interactor failed: it used 10.004 s of CPU time, 10 s allowed; the contestant died of signal 13 (SIGPIPE); this is not held against it",
        ),
        (
            evidence(
                cpu(),
                ended(over_time(LimitKind::Session, 60_001_000, 60_000_000)),
            ),
            "2 JE: the interactor failed: it had the turn when the session ran out of time, after 60.001 s of real time, 60 s allowed; the contestant used 1.003 s of CPU time, 1 s allowed; this is not held against it",
        ),
        (
            evidence(forbidden(), ended(forbidden())),
            "2 JE: the interactor failed: it made the forbidden call ptrace(0x10, 0x4d2, 0x0, 0x0, 0xffffffffffffffff, 0x0): it would control another process; the contestant made the forbidden call ptrace(0x10, 0x4d2, 0x0, 0x0, 0xffffffffffffffff, 0x0): it would control another process; this is not held against it",
        ),
        (
            evidence(
                not_started("exec", libc::EACCES),
                decided(Decision::Fail("cannot open the test\u{7}\n".into())),
            ),
            "2 JE: the interactor failed: it reported a failure of its own (FAIL): cannot open the test; the contestant could not be started: permission denied (exec, errno 13); this is not held against it",
        ),
        (
            evidence(End::Stopped, decided(Decision::Fail(String::new()))),
            "2 JE: the interactor failed: it reported a failure of its own (FAIL) and did not say which; the contestant was stopped and is not to blame",
        ),
        (
            evidence(End::Stopped, decided(undefined)),
            "2 JE: the interactor failed: exit code 42 means nothing in the testlib protocol (42 is `accepted` for icpc: use --protocol icpc?); the contestant was stopped and is not to blame",
        ),
        (
            evidence(End::Stopped, decided(Decision::Undefined(" ".into()))),
            "2 JE: the interactor failed: it did not keep to its protocol; the contestant was stopped and is not to blame",
        ),
        (
            evidence(End::Stopped, decided(Decision::Points(f64::NAN))),
            "2 JE: the interactor failed: it gave the score NaN, which is not a finite number; the contestant was stopped and is not to blame",
        ),
    ]);
    let mut unknown = evidence(End::Stopped, ended(killed(40)));
    unknown.contestant.end = None;
    assert_told([(
        unknown,
        "2 JE: the interactor failed: it died of signal 40; how the contestant ended is not known",
    )]);
}

#[test]
fn row_3_forbidden_call() {
    let named = |name: &str| {
        End::Forbidden(ForbiddenCall {
            name: name.to_owned(),
            args: [0; 6],
            why: "calls of another ABI would pass the filter by.".into(),
        })
    };
    let other_abi = named("system call 9999 (x32)");
    assert_told([
        (
            evidence(forbidden(), stopped()),
            "3 SV: the contestant made the forbidden call ptrace(0x10, 0x4d2, 0x0, 0x0, 0xffffffffffffffff, 0x0): it would control another process",
        ),
        (
            evidence(other_abi, decided(Decision::WrongAnswer)),
            "3 SV: the contestant made the forbidden system call 9999 (x32) with the arguments (0x0, 0x0, 0x0, 0x0, 0x0, 0x0): calls of another ABI would pass the filter by; the interactor's decision (wrong answer) does not count",
        ),
        (
            evidence(named("mount (int 0x80)"), stopped()),
            "3 SV: the contestant made the forbidden call mount (int 0x80) with the arguments (0x0, 0x0, 0x0, 0x0, 0x0, 0x0): calls of another ABI would pass the filter by",
        ),
        (
            evidence(forbidden(), decided(Decision::Points(1.0))),
            "3 SV: the contestant made the forbidden call ptrace(0x10, 0x4d2, 0x0, 0x0, 0xffffffffffffffff, 0x0): it would control another process; the interactor's decision (1 point) does not count",
        ),
    ]);
}

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
fn row_5_the_contestant_over_a_limit() {
    assert_told([
        (
            evidence(cpu(), stopped()),
            "5 TL: the contestant used 1.003 s of CPU time, 1 s allowed",
        ),
        (
            evidence(over_time(LimitKind::Cpu, 500_001, 500_000), stopped()),
            "5 TL: the contestant used 0.501 s of CPU time, 0.5 s allowed",
        ),
        (
            evidence(
                over_time(LimitKind::Wall, 10_002_000, 10_000_000),
                stopped(),
            ),
            "5 WL: the contestant took 10.002 s of real time for its own turns, 10 s allowed",
        ),
        (
            evidence(
                over_time(LimitKind::Session, 60_000_000, 60_000_000),
                stopped(),
            ),
            "5 WL: the contestant had the turn when the session ran out of time, after 60 s of real time, 60 s allowed",
        ),
        (
            evidence(over_time(LimitKind::Idle, 2_000_900, 2_000_000), stopped()),
            "5 IL: the contestant neither computed nor asked for input for 2.001 s, 2 s allowed",
        ),
        (
            evidence(
                over_bytes(LimitKind::Memory, (256 << 20) + 4096, 256 << 20),
                stopped(),
            ),
            "5 ML: the contestant used 256.01 MiB of memory, 256 MiB allowed",
        ),
        (
            evidence(
                over_bytes(LimitKind::Memory, 256 << 20, 256 << 20),
                stopped(),
            ),
            "5 ML: the contestant used 256 MiB of memory and wanted more, 256 MiB allowed",
        ),
        (
            evidence(over_bytes(LimitKind::Output, 64 << 20, 64 << 20), stopped()),
            "5 OL: the contestant wrote 64 MiB of output and wanted more, 64 MiB allowed",
        ),
        (
            evidence(over_bytes(LimitKind::Output, 1025, 1024), stopped()),
            "5 OL: the contestant wrote 1.01 KiB of output, 1 KiB allowed",
        ),
        (
            evidence(over_bytes(LimitKind::Output, 1001, 1000), stopped()),
            "5 OL: the contestant wrote 1001 bytes of output, 1000 bytes allowed",
        ),
        (
            evidence(cpu(), decided(Decision::Accepted)),
            "5 TL: the contestant used 1.003 s of CPU time, 1 s allowed; the interactor accepted, but a program must also end within its limits",
        ),
        (
            evidence(cpu(), decided(Decision::Points(12.5))),
            "5 TL: the contestant used 1.003 s of CPU time, 1 s allowed; the interactor gave 12.5 points, but a program must also end within its limits",
        ),
        (
            evidence(cpu(), decided_at_the_end(Decision::PresentationError)),
            "5 TL: the contestant used 1.003 s of CPU time, 1 s allowed; the interactor rejected (presentation error) only after end of input, which does not count",
        ),
    ]);
}

#[test]
fn row_6_the_contestant_failed() {
    let memory = [
        refusal("socket", 3, false),
        refusal("mmap", 2, true),
        refusal("brk", 1, true),
    ];
    assert_told([
        (
            evidence(not_started("exec", libc::ENOENT), stopped()),
            "6 RE: the contestant could not be started: no such file or directory (exec, errno 2)",
        ),
        (
            evidence(End::Exited(1), stopped()),
            "6 RE: the contestant exited with code 1",
        ),
        (
            evidence(End::Exited(137), stopped()),
            "6 RE: the contestant exited with code 137 (a code of its own; no signal ended it)",
        ),
        (
            evidence(killed(libc::SIGSEGV), stopped()),
            "6 RE: the contestant died of signal 11 (SIGSEGV), an access outside its memory or a stack that grew too large",
        ),
        (
            evidence(
                killed(libc::SIGABRT),
                decided_at_the_end(Decision::PresentationError),
            ),
            "6 RE: the contestant died of signal 6 (SIGABRT), as after a failed assertion, an uncaught exception or abort(); the interactor rejected (presentation error) only after end of input, which does not count",
        ),
        (
            evidence(killed(libc::SIGFPE), stopped()),
            "6 RE: the contestant died of signal 8 (SIGFPE), as after an integer division by zero",
        ),
        (
            evidence(killed(libc::SIGTERM), stopped()),
            "6 RE: the contestant died of signal 15 (SIGTERM)",
        ),
        (
            evidence(killed(40), stopped()),
            "6 RE: the contestant died of signal 40",
        ),
        (
            evidence(End::Exited(1), decided(Decision::Accepted)),
            "6 RE: the contestant exited with code 1; the interactor accepted, but a program must also end with exit code 0",
        ),
        (
            evidence(End::Exited(1), decided(Decision::Points(1.0))),
            "6 RE: the contestant exited with code 1; the interactor gave 1 point, but a program must also end with exit code 0",
        ),
        (
            evidence(killed_from_outside(), stopped()),
            "6 RE: the contestant was killed by signal 9 (SIGKILL) from outside",
        ),
        (
            with_refused(
                [refusal("socket", 3, false)],
                evidence(End::Exited(1), stopped()),
            ),
            "6 RE: the contestant exited with code 1",
        ),
        (
            with_refused(memory.clone(), evidence(killed(libc::SIGABRT), stopped())),
            "6 ML: the contestant was refused memory (mmap 2 times, brk once: 1024 MiB more than the 12 MiB in use, 64 MiB of address space allowed) and then died of signal 6 (SIGABRT), as after a failed assertion, an uncaught exception or abort()",
        ),
        (
            with_refused(
                [refusal("mmap", 1, true)],
                evidence(End::Exited(1), decided(Decision::Accepted)),
            ),
            "6 ML: the contestant was refused memory (mmap once: 1024 MiB more than the 12 MiB in use, 64 MiB of address space allowed) and then exited with code 1; the interactor accepted, but a program must also end with exit code 0",
        ),
        (
            with_refused(memory, evidence(killed_from_outside(), stopped())),
            "6 RE: the contestant was killed by signal 9 (SIGKILL) from outside",
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
fn row_8_deadlock() {
    use DeadlockPolicy::{Contestant, Interactor, WrongAnswer};
    for (unflushed, blamed, expected) in [
        (
            None,
            Contestant,
            "8 IL: deadlock: each program waits for the other to print something; nothing was found that either held back, and then the contestant answers for it",
        ),
        (
            None,
            Interactor,
            "8 JE: deadlock: each program waits for the other to print something; in this problem that is the interactor's fault",
        ),
        (
            None,
            WrongAnswer,
            "8 WA: deadlock: each program waits for the other to print something; in this problem that counts as a wrong answer",
        ),
        (
            Some(Role::Contestant),
            Contestant,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Contestant),
            Interactor,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Contestant),
            WrongAnswer,
            "8 IL: deadlock: each program waits for the other to print something; the contestant holds 5 bytes in stdout that it never flushed, `? 50\\n`",
        ),
        (
            Some(Role::Interactor),
            Contestant,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
        (
            Some(Role::Interactor),
            Interactor,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
        (
            Some(Role::Interactor),
            WrongAnswer,
            "8 JE: deadlock: each program waits for the other to print something; the interactor holds 5 bytes in stdout that it never flushed, `? 50\\n`; that is the jury's fault",
        ),
    ] {
        let policy = policy(blamed, ExtraOutput::Ignore);
        assert_eq!(
            told(&deadlock(unflushed), &policy),
            expected,
            "{unflushed:?}, {blamed:?}"
        );
    }
    let mut evidence = deadlock(None);
    evidence.unflushed = vec![unflushed(Role::Contestant, Found::AtTheEnd)];
    assert_eq!(
        told(&evidence, &policy(Contestant, ExtraOutput::Ignore)),
        "8 IL: deadlock: each program waits for the other to print something; nothing was found that either held back, and then the contestant answers for it; when it was then given end of input, the contestant wrote 5 bytes, `? 50\\n`, which it had held back or only wrote then"
    );
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
