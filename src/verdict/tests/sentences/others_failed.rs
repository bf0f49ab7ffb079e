//! Rows 1 and 2: what is neither program's fault, and what is the interactor's.

use super::*;

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
