//! The scenarios. Amounts are far enough from the limits that only a mistake decides otherwise.

use super::figures::{Figures, cpu_is_what_it_says, holds};
use super::harness::report::Code;
use super::scenario::Scenario;

/// All of them once.
pub(crate) fn scenarios() -> Vec<Scenario> {
    [
        cpu(),
        wall(),
        idle(),
        memory(),
        output(),
        tasks(),
        stack(),
        session(),
    ]
    .concat()
}

fn contestant_cpu(figures: &Figures) -> Result<(), String> {
    cpu_is_what_it_says("contestant", figures)
}

fn interactor_cpu(figures: &Figures) -> Result<(), String> {
    cpu_is_what_it_says("interactor", figures)
}

/// Milliseconds by which a limit may be overrun at the kill.
fn overrun(figures: &Figures, role: &str, most: f64) -> Result<(), String> {
    let end = |field: &str| figures.get(&format!("{role}/end/{field}"));
    holds("the overrun", end("used") - end("allowed"), 0.0..=most)
}

fn cpu() -> Vec<Scenario> {
    let contestants = [
        ["cpu/one-thread-within", "cpu/one-thread-over", "burn 400"],
        [
            "cpu/four-threads-within",
            "cpu/four-threads-over",
            "threads 4 400",
        ],
        [
            "cpu/reaped-child-within",
            "cpu/reaped-child-over",
            "child reaped 400",
        ],
        [
            "cpu/unreaped-child-within",
            "cpu/unreaped-child-over",
            "child left 400",
        ],
    ];
    let mut all = Vec::new();
    for [within, over, does] in contestants {
        all.push(Scenario::accepted(within, "--cpu 600ms", does, "hear").check(contestant_cpu));
        all.push(
            Scenario::accepted(over, "--cpu 200ms", does, "hear")
                .contestant_over("cpu", Code::TimeLimit)
                .check(|f| holds("cpu_ms", f.get("contestant/cpu_ms"), 200.0..=399.0))
                .timely(|f| overrun(f, "contestant", 10.0)),
        );
    }
    all.extend([
        Scenario::accepted(
            "cpu/on-all-cpus-within",
            "--cpu 600ms --cpu-set all",
            "threads 4 400",
            "hear",
        )
        .check(contestant_cpu),
        Scenario::accepted(
            "cpu/on-all-cpus-over",
            "--cpu 200ms --cpu-set all",
            "threads 4 400",
            "hear",
        )
        .contestant_over("cpu", Code::TimeLimit)
        .timely(|f| overrun(f, "contestant", 10.0)),
        Scenario::accepted(
            "cpu/interactor-within",
            "--interactor-cpu 600ms --cpu 100ms",
            "hear",
            "burn 400",
        )
        .check(interactor_cpu),
        Scenario::accepted(
            "cpu/interactor-over",
            "--interactor-cpu 200ms --cpu 100ms",
            "hear",
            "burn 400",
        )
        .interactor_over("cpu"),
        Scenario::accepted(
            "cpu/interactor-threads-over",
            "--interactor-cpu 200ms",
            "hear",
            "threads 4 400",
        )
        .interactor_over("cpu"),
        Scenario::accepted(
            "cpu/interactor-child-over",
            "--interactor-cpu 200ms",
            "hear",
            "child left 400",
        )
        .interactor_over("cpu"),
    ]);
    all
}

fn wall() -> Vec<Scenario> {
    // Twenty rests of 30 ms are 600 ms at least, of which almost nothing is CPU time.
    vec![
        Scenario::accepted(
            "wall/naps-on-own-turns-within",
            "--wall 20s",
            "ask 20 30",
            "answer 0",
        )
        .check(|f| holds("turn_ms", f.get("contestant/turn_ms"), 600.0..=20_000.0))
        .check(|f| holds("cpu_ms", f.get("contestant/cpu_ms"), 0.0..=50.0)),
        Scenario::accepted(
            "wall/naps-on-own-turns-over",
            "--wall 300ms",
            "ask 20 30",
            "answer 0",
        )
        .contestant_over("wall", Code::WallTimeLimit)
        .timely(|f| overrun(f, "contestant", 30.0)),
        Scenario::accepted(
            "wall/slow-interactor-is-not-charged",
            "--wall 1s",
            "ask 20 0",
            "answer 60",
        )
        .if_the_machine_is_not_late()
        .check(|f| {
            holds(
                "its turn_ms",
                f.get("interactor/turn_ms"),
                1200.0..=60_000.0,
            )
        }),
        Scenario::accepted(
            "wall/one-long-wait-is-not-charged",
            "--wall 500ms --idle 300ms",
            "ask 1 0",
            "answer 700",
        )
        .if_the_machine_is_not_late()
        .check(|f| holds("turn_ms", f.get("contestant/turn_ms"), 0.0..=200.0))
        .check(|f| holds("wall_ms", f.get("contestant/wall_ms"), 700.0..=60_000.0)),
        Scenario::accepted(
            "wall/interactor-within",
            "--interactor-wall 20s",
            "ask 20 0",
            "answer 30",
        ),
        Scenario::accepted(
            "wall/interactor-over",
            "--interactor-wall 300ms",
            "ask 20 0",
            "answer 30",
        )
        .interactor_over("wall"),
    ]
}

fn idle() -> Vec<Scenario> {
    vec![
        Scenario::accepted("idle/within", "--idle 20s", "rest 1 800", "hear")
            .timely(|f| holds("idle_ms", f.get("contestant/idle_ms"), 750.0..=1000.0)),
        Scenario::accepted("idle/over", "--idle 300ms", "rest 1 800", "hear")
            .contestant_over("idle", Code::IdlenessLimit)
            .timely(|f| overrun(f, "contestant", 30.0)),
        Scenario::accepted(
            "idle/with-work-in-between",
            "--idle 500ms",
            "rest 15 100",
            "hear",
        )
        .if_the_machine_is_not_late(),
        Scenario::accepted(
            "idle/interactor-within",
            "--interactor-idle 20s --idle 200ms",
            "hear",
            "rest 1 800",
        ),
        Scenario::accepted(
            "idle/interactor-over",
            "--interactor-idle 300ms --idle 200ms",
            "hear",
            "rest 1 800",
        )
        .interactor_over("idle"),
    ]
}

fn memory() -> Vec<Scenario> {
    const MIB: f64 = 1024.0;
    vec![
        Scenario::accepted("memory/within", "--memory 256MiB", "touch 200", "hear").check(|f| {
            holds(
                "memory_kib",
                f.get("contestant/memory_kib"),
                200.0 * MIB..=225.0 * MIB,
            )
        }),
        Scenario::accepted("memory/over", "--memory 256MiB", "touch 300", "hear")
            .contestant_over("memory", Code::MemoryLimit)
            .timely(|f| {
                holds(
                    "memory_kib",
                    f.get("contestant/memory_kib"),
                    256.0 * MIB..=290.0 * MIB,
                )
            }),
        Scenario::accepted(
            "memory/of-two-within",
            "--memory 256MiB",
            "touch-two 200",
            "hear",
        )
        .timely(|f| {
            holds(
                "memory_kib",
                f.get("contestant/memory_kib"),
                200.0 * MIB..=225.0 * MIB,
            )
        }),
        Scenario::accepted(
            "memory/of-two-over",
            "--memory 256MiB",
            "touch-two 300",
            "hear",
        )
        .contestant_over("memory", Code::MemoryLimit),
        // What is printed and not read yet is no memory of the program's; the rest of it is.
        Scenario::accepted(
            "memory/over-beside-unread-output",
            "--memory 64MiB --idle 150ms",
            "print-and-touch 40000000 80",
            "rest-and-hear 500",
        )
        .contestant_over("memory", Code::MemoryLimit),
        Scenario::accepted(
            "memory/interactor-within",
            "--interactor-memory 256MiB --memory 64MiB",
            "hear",
            "touch 200",
        ),
        Scenario::accepted(
            "memory/interactor-over",
            "--interactor-memory 256MiB",
            "hear",
            "touch 300",
        )
        .interactor_over("memory"),
    ]
}

fn output() -> Vec<Scenario> {
    let exactly = |f: &Figures| holds("stdout_bytes", f.get("contestant/stdout_bytes"), 1e6..=1e6);
    vec![
        Scenario::accepted(
            "output/all-of-it",
            "--output 1000000B",
            "print 1000000",
            "hear",
        )
        .check(exactly),
        Scenario::accepted(
            "output/one-byte-over",
            "--output 1000000B",
            "print 1000001",
            "hear",
        )
        .contestant_over("output", Code::OutputLimit),
        Scenario::accepted(
            "output/far-over",
            "--output 1000000B",
            "print 90000000",
            "hear",
        )
        .contestant_over("output", Code::OutputLimit),
        Scenario::accepted(
            "output/all-of-it-by-pipe",
            "--output 1000000B --channel pipe",
            "print 1000000",
            "hear",
        )
        .check(exactly),
        Scenario::accepted(
            "output/one-byte-over-by-pipe",
            "--output 1000000B --channel pipe",
            "print 1000001",
            "hear",
        )
        .contestant_over("output", Code::OutputLimit),
        Scenario::accepted(
            "output/interactor-all-of-it",
            "--interactor-output 1000000B",
            "hear",
            "print 1000000",
        ),
        Scenario::accepted(
            "output/interactor-one-byte-over",
            "--interactor-output 1000000B",
            "hear",
            "print 1000001",
        )
        .interactor_over("output"),
    ]
}

fn tasks() -> Vec<Scenario> {
    let seven = |f: &Figures| {
        holds("made", f.said("contestant", "made "), 7.0..=7.0)?;
        holds("tasks", f.get("contestant/tasks"), 8.0..=8.0)?;
        holds(
            "refused clones",
            f.refused("contestant", "clone"),
            1.0..=1.0,
        )
    };
    let twenty = |f: &Figures| {
        holds("made", f.said("contestant", "made "), 20.0..=20.0)?;
        holds("tasks", f.get("contestant/tasks"), 21.0..=21.0)?;
        holds(
            "refused clones",
            f.refused("contestant", "clone"),
            0.0..=0.0,
        )
    };
    vec![
        Scenario::accepted("tasks/processes-within", "--tasks 21", "forks 20", "hear")
            .check(twenty),
        Scenario::accepted("tasks/processes-over", "--tasks 8", "forks 20", "hear").check(seven),
        Scenario::accepted("tasks/threads-within", "--tasks 21", "pthreads 20", "hear")
            .check(twenty),
        Scenario::accepted("tasks/threads-over", "--tasks 8", "pthreads 20", "hear")
            .check(|f| holds("made", f.said("contestant", "made "), 7.0..=7.0)),
        Scenario::accepted(
            "tasks/interactor-over",
            "--interactor-tasks 8",
            "hear",
            "forks 20",
        )
        .check(|f| holds("refused", f.refused("interactor", "clone"), 1.0..=1.0)),
    ]
}

fn stack() -> Vec<Scenario> {
    vec![
        Scenario::accepted("stack/within", "--stack 8MiB", "recurse 4096", "hear"),
        Scenario::accepted("stack/over", "--stack 8MiB", "recurse 16384", "hear")
            .judged(Code::RuntimeError)
            .check(|f| holds("the signal", f.get("contestant/end/signal"), 11.0..=11.0)),
        Scenario::accepted(
            "stack/interactor-within",
            "--interactor-stack 8MiB",
            "hear",
            "recurse 4096",
        ),
        Scenario::accepted(
            "stack/interactor-over",
            "--interactor-stack 8MiB",
            "hear",
            "recurse 16384",
        )
        .judged(Code::JudgeError)
        .check(|f| holds("the signal", f.get("interactor/end/signal"), 11.0..=11.0)),
    ]
}

fn session() -> Vec<Scenario> {
    vec![
        Scenario::accepted(
            "session/contestants-turn",
            "--session 600ms",
            "rest 60 20",
            "hear",
        )
        .contestant_over("session", Code::WallTimeLimit),
        Scenario::accepted(
            "session/interactors-turn",
            "--session 600ms",
            "hear",
            "rest 60 20",
        )
        .interactor_over("session"),
        Scenario::accepted(
            "session/long-enough",
            "--session 20s",
            "rest 1 300",
            "rest-and-hear 600",
        ),
    ]
}

/// Those that must come out alike in every run, however busy the machine is.
pub(crate) fn always() -> Vec<Scenario> {
    vec![
        Scenario::accepted("cpu-over", "--cpu 100ms", "burn 400", "hear")
            .contestant_over("cpu", Code::TimeLimit),
        // It is killed in the middle of a fork as likely as not.
        Scenario::accepted("cpu-over-in-forks", "--cpu 30ms", "fork-on", "hear")
            .contestant_over("cpu", Code::TimeLimit),
        Scenario::accepted("memory-over", "--memory 64MiB", "touch 100", "hear")
            .contestant_over("memory", Code::MemoryLimit),
        Scenario::accepted("output-over", "--output 1000000B", "print 1000001", "hear")
            .contestant_over("output", Code::OutputLimit),
        Scenario::accepted("no-flush", "", "unflushed", "answer 0").judged(Code::IdlenessLimit),
        Scenario::accepted(
            "slow-interactor",
            "--idle 200ms --wall 1s",
            "ask 4 0",
            "answer 300",
        ),
        Scenario::accepted("naps", "--idle 1s", "ask 20 50", "answer 0"),
    ]
}
