//! Rows 3, 5 and 6: what the contestant did besides printing, or could not do.

use super::*;

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
