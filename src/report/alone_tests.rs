//! Tests of the reports of a program that ran alone, and that the schema describes the JSON.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::evidence::{
    ContestantEvidence, End, Excess, LimitKind, Quantity, Refusal, RefusedMemory, Role,
    StartFailure,
};
use crate::outcome;
use crate::report::samples;
use crate::report::schema::check;
use crate::spec::layer::Layer;
use crate::verdict::{Verdict, judge_alone};

const MIB: u64 = 1 << 20;

fn outcome(end: End, refused: Vec<Refusal>) -> RunnerOutcome {
    let evidence = ContestantEvidence {
        end: Some(end.clone()),
        refused: refused.clone(),
        closed_stdout: false,
    };
    let mut program = samples::participant(Role::Contestant, end);
    program.shown = "./solution".to_owned();
    program.refused = refused;
    RunnerOutcome {
        judgement: judge_alone(&evidence, None),
        program,
        output: None,
        elapsed: Duration::from_micros(27_900),
        isolation: vec![
            Layer::Seccomp,
            Layer::Namespaces,
            Layer::Identity,
            Layer::Cgroup,
        ],
        warnings: Vec::new(),
        interrupted: None,
    }
}

fn over_its_time() -> RunnerOutcome {
    let mut outcome = outcome(
        End::Limit(Excess {
            limit: LimitKind::Cpu,
            used: Quantity::Time(Duration::from_micros(1_000_312)),
            allowed: Quantity::Time(Duration::from_secs(1)),
        }),
        Vec::new(),
    );
    outcome.program.cpu = Duration::from_micros(1_000_312);
    outcome.program.explanation = Some(samples::overflow());
    outcome
}

fn refused_memory() -> RunnerOutcome {
    let refusal = |call: &str, count, memory| Refusal {
        call: call.to_owned(),
        count,
        memory,
    };
    let memory = RefusedMemory {
        asked: 100 * MIB,
        in_use: 3 * MIB,
        allowed: 64 * MIB,
    };
    let end = End::Killed {
        signal: libc::SIGABRT,
        from_outside: false,
    };
    let refused = vec![refusal("mmap", 2, Some(memory)), refusal("socket", 1, None)];
    let mut outcome = outcome(end, refused);
    outcome.program.limits.address_space = Some(64 * MIB);
    outcome.program.stderr = outcome::Stderr {
        head: b"terminate called after throwing an instance of 'std::bad_alloc'\n".to_vec(),
        tail: Vec::new(),
        total: 64,
    };
    outcome
}

fn not_started() -> RunnerOutcome {
    let failure = StartFailure {
        step: "exec",
        errno: libc::ENOMEM,
    };
    let mut outcome = outcome(End::NotStarted(failure), Vec::new());
    outcome.isolation = Vec::new();
    outcome
}

fn warned() -> RunnerOutcome {
    let mut outcome = outcome(End::Exited(0), Vec::new());
    outcome.warnings = vec!["the input is empty: a terminal is not given".to_owned()];
    outcome
}

/// The report without its colours.
fn plain(outcome: &RunnerOutcome) -> String {
    anstream::adapter::strip_str(&render(outcome, 80)).to_string()
}

#[test]
fn ended_well() {
    assert_snapshot!(plain(&outcome(End::Exited(0), Vec::new())), @"
     OK  ok                                                  27.9 ms
    the program ended with exit code 0

                program
    end         exit code 0
    cpu         21.4 ms of 1 s
    real time   22.2 ms of 10 s
    memory      9 MiB of 256 MiB
    output      37 B of 64 MiB
    tasks       1 of 64

    isolation   seccomp, namespaces, identity, cgroup
    ");
}

#[test]
fn went_over_a_limit() {
    assert_snapshot!(plain(&over_its_time()), @"
     TL  time limit                                          27.9 ms
    the program used 1.001 s of CPU time, 1 s allowed

    program     stack overflow
                in _int_malloc, malloc, called from `walk` at walk.cpp:12
                `walk` at walk.cpp:12
                `walk` at walk.cpp:12
                ... 52,342 more of `walk` at walk.cpp:12
                `main` at walk.cpp:30

                program
    end         over the cpu limit
    cpu         1.001 s of 1 s
    real time   22.2 ms of 10 s
    memory      9 MiB of 256 MiB
    output      37 B of 64 MiB
    tasks       1 of 64

    isolation   seccomp, namespaces, identity, cgroup
    ");
}

#[test]
fn failed_for_want_of_address_space() {
    assert_snapshot!(plain(&refused_memory()), @"
     ML  memory limit                                        27.9 ms
    the program was refused memory (mmap 2 times: 100 MiB more than the 3 MiB in
    use, 64 MiB of address space allowed) and then died of signal 6 (SIGABRT),
    as after a failed assertion, an uncaught exception or abort()

                program
    end         SIGABRT
    cpu         21.4 ms of 1 s
    real time   22.2 ms of 10 s
    memory      9 MiB of 256 MiB
    output      37 B of 64 MiB
    tasks       1 of 64

    refused     mmap ×2, socket
    stderr      the program
                │ terminate called after throwing an instance of 'std::bad_alloc'
    isolation   seccomp, namespaces, identity, cgroup
    ");
}

#[test]
fn could_not_be_started() {
    assert_snapshot!(plain(&not_started()), @"
     RE  runtime error                                       27.9 ms
    the program could not be started: out of memory (exec, errno 12)
    ");
}

#[test]
fn with_a_warning() {
    assert_snapshot!(plain(&warned()), @"
     OK  ok                                                  27.9 ms
    the program ended with exit code 0

                program
    end         exit code 0
    cpu         21.4 ms of 1 s
    real time   22.2 ms of 10 s
    memory      9 MiB of 256 MiB
    output      37 B of 64 MiB
    tasks       1 of 64

    warning     the input is empty: a terminal is not given
    isolation   seccomp, namespaces, identity, cgroup
    ");
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../docs/exec.schema.json")).expect("the schema is JSON")
}

fn value(outcome: &RunnerOutcome, stdout: Option<&outcome::Stderr>) -> Value {
    serde_json::from_str(&super::json(outcome, stdout)).expect("the report is JSON")
}

#[test]
fn every_outcome_keeps_to_the_schema() {
    let root = schema();
    let mut interrupted = outcome(End::Stopped, Vec::new());
    interrupted.interrupted = Some(libc::SIGTERM);
    interrupted.judgement = judge_alone(&ContestantEvidence::default(), Some("it was interrupted"));
    let all = [
        outcome(End::Exited(0), Vec::new()),
        outcome(End::Exited(3), Vec::new()),
        over_its_time(),
        refused_memory(),
        not_started(),
        warned(),
        interrupted,
    ];
    let stdout = outcome::Stderr {
        head: vec![0xff, 0],
        tail: b"text".to_vec(),
        total: 100,
    };
    for outcome in &all {
        for stdout in [None, Some(&stdout)] {
            let value = value(outcome, stdout);
            assert_eq!(check(&value, &root, &root, "report"), Ok(()));
        }
    }
    let good = value(&all[0], None);
    for (field, wrong) in [
        ("verdict", json!("accepted")),
        ("stdout", json!("text")),
        ("surprise", json!(1)),
    ] {
        let mut bad = good.clone();
        bad[field] = wrong;
        assert!(check(&bad, &root, &root, "report").is_err(), "{field}");
    }
}

#[test]
fn the_schema_lists_every_verdict_that_a_program_alone_can_get() {
    const FAILURES: [Verdict; 8] = [
        Verdict::TimeLimit,
        Verdict::WallTimeLimit,
        Verdict::IdlenessLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::RuntimeError,
        Verdict::SecurityViolation,
        Verdict::InternalError,
    ];
    let schema = schema();
    let list = |first: &str, rest: [&'static str; 8]| -> Vec<String> {
        let rest = rest.iter().map(|name| (*name).to_owned());
        std::iter::once(first.to_owned()).chain(rest).collect()
    };
    let properties = &schema["properties"];
    let names = list("ok", FAILURES.map(Verdict::name));
    assert_eq!(properties["verdict"]["enum"], json!(names));
    let letters = list("OK", FAILURES.map(Verdict::letters));
    assert_eq!(properties["code"]["enum"], json!(letters));
}

#[test]
fn the_explanation_names_every_field() {
    let text = include_str!("../../docs/json.md");
    let (_, section) = text
        .split_once("## One program alone")
        .expect("its section");
    let schema = schema();
    let properties = schema["properties"].as_object().expect("an object");
    for name in properties.keys() {
        assert!(
            section.contains(&format!("`{name}`")),
            "{name} is not explained"
        );
    }
    let program = &schema["$defs"]["participant"]["properties"];
    for name in program.as_object().expect("an object").keys() {
        assert!(
            text.contains(&format!("`{name}`")),
            "{name} is not explained"
        );
    }
}
