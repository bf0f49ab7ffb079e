//! Tests of the JSON report: its form, and that the published schema describes exactly that.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::evidence::{End, ForbiddenCall, StartFailure};
use crate::report::samples;
use crate::report::schema::check;
use crate::verdict::Verdict;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../docs/report.schema.json")).expect("the schema is JSON")
}

fn value(outcome: &Outcome) -> Value {
    serde_json::from_str(&render(outcome)).expect("the report is JSON")
}

/// The object with one field a line, in the order in which it is printed.
fn pretty(outcome: &Outcome) -> String {
    serde_json::to_string_pretty(&report(outcome)).expect("the report can be written")
}

#[test]
fn accepted() {
    assert_snapshot!(pretty(&samples::accepted()), @r#"
    {
      "version": 1,
      "verdict": "accepted",
      "code": "AC",
      "reason": "The interactor accepted, and the contestant ended with exit code 0.",
      "message": "guessed 37 with 3 questions",
      "score": null,
      "title": "guess-number, test 02, solutions/binary_search.py",
      "contestant": {
        "program": "solutions/binary_search.py",
        "end": {
          "kind": "exited",
          "code": 0
        },
        "cpu_ms": 21.35,
        "user_ms": 16.012,
        "system_ms": 5.337,
        "wall_ms": 25.35,
        "turn_ms": 22.15,
        "states_ms": {
          "computing": 22.15,
          "asking": 3.2,
          "idle": 0,
          "stopped": 0
        },
        "idle_ms": 0,
        "memory_kib": 9216,
        "tasks": 1,
        "stdin_bytes": 14,
        "stdout_bytes": 37,
        "messages": 7,
        "limits": {
          "cpu_ms": 1000,
          "wall_ms": 10000,
          "idle_ms": 2000,
          "memory_kib": 262144,
          "address_space_kib": null,
          "output_bytes": 67108864,
          "tasks": 64,
          "stack_kib": 262144
        },
        "refused": [],
        "stderr": {
          "head": "",
          "tail": "",
          "total": 0
        },
        "explanation": null
      },
      "interactor": {
        "program": "interactor.cpp",
        "end": {
          "kind": "exited",
          "code": 0
        },
        "cpu_ms": 1.204,
        "user_ms": 0.903,
        "system_ms": 0.301,
        "wall_ms": 5.204,
        "turn_ms": 2.004,
        "states_ms": {
          "computing": 2.004,
          "asking": 3.2,
          "idle": 0,
          "stopped": 0
        },
        "idle_ms": 0,
        "memory_kib": 3584,
        "tasks": 1,
        "stdin_bytes": 14,
        "stdout_bytes": 37,
        "messages": 7,
        "limits": {
          "cpu_ms": 10000,
          "wall_ms": 60000,
          "idle_ms": 10000,
          "memory_kib": 1048576,
          "address_space_kib": null,
          "output_bytes": 268435456,
          "tasks": 64,
          "stack_kib": 1048576
        },
        "refused": [],
        "stderr": {
          "head": "",
          "tail": "",
          "total": 0
        },
        "explanation": null
      },
      "checker": null,
      "elapsed_ms": 27.9,
      "passes": null,
      "diagnosis": null,
      "extra_output_bytes": 0,
      "isolation": [
        "seccomp",
        "ptrace",
        "namespaces",
        "cgroup"
      ],
      "transcript": "runs/02.jsonl",
      "warnings": [],
      "interrupted": null
    }
    "#);
}

#[test]
fn deadlock_on_one_line() {
    assert_snapshot!(render(&samples::deadlock()), @r#"{"version":1,"verdict":"idleness-limit","code":"IL","reason":"Both sides wait for each other's output, and the contestant holds 5 bytes that it printed and did not flush: `? 50\\n`.","message":"","score":null,"title":"guess-number, test 02, solutions/binary_search.py","contestant":{"program":"solutions/binary_search.py","end":{"kind":"stopped"},"cpu_ms":21.35,"user_ms":16.012,"system_ms":5.337,"wall_ms":25.35,"turn_ms":22.15,"states_ms":{"computing":22.15,"asking":3.2,"idle":0,"stopped":0},"idle_ms":0,"memory_kib":9216,"tasks":1,"stdin_bytes":14,"stdout_bytes":0,"messages":7,"limits":{"cpu_ms":1000,"wall_ms":10000,"idle_ms":2000,"memory_kib":262144,"address_space_kib":null,"output_bytes":67108864,"tasks":64,"stack_kib":262144},"refused":[],"stderr":{"head":"","tail":"","total":0},"explanation":null},"interactor":{"program":"interactor.cpp","end":{"kind":"stopped"},"cpu_ms":1.204,"user_ms":0.903,"system_ms":0.301,"wall_ms":5.204,"turn_ms":2.004,"states_ms":{"computing":2.004,"asking":3.2,"idle":0,"stopped":0},"idle_ms":0,"memory_kib":3584,"tasks":1,"stdin_bytes":14,"stdout_bytes":37,"messages":7,"limits":{"cpu_ms":10000,"wall_ms":60000,"idle_ms":10000,"memory_kib":1048576,"address_space_kib":null,"output_bytes":268435456,"tasks":64,"stack_kib":1048576},"refused":[],"stderr":{"head":"","tail":"","total":0},"explanation":null},"checker":null,"elapsed_ms":27.9,"passes":null,"diagnosis":{"kind":"deadlock","waited_ms":8.4,"owes":"contestant","last_message_ms":19.5,"unended_line":null,"last_exchange":{"message":{"side":"contestant","at_ms":19.48,"bytes":"ready\n","total":6},"answer":{"side":"interactor","at_ms":19.5,"bytes":{"base64":"/wo="},"total":2}},"waits":{"contestant":"a read of its standard input","interactor":"a poll of its standard input"},"unflushed":[{"side":"contestant","stream":"stdout","bytes":"? 50\n","total":5,"found":"in-memory"}]},"extra_output_bytes":0,"isolation":["seccomp","ptrace","namespaces","cgroup"],"transcript":null,"warnings":[],"interrupted":null}"#);
}

#[test]
fn bytes_of_stderr_are_lossless() {
    let mut outcome = samples::accepted();
    outcome.contestant.stderr.head = b"caf\xc3\xa9\n".to_vec();
    outcome.contestant.stderr.tail = b"caf\xc3".to_vec();
    let stderr = &value(&outcome)["contestant"]["stderr"];
    assert_eq!(stderr["head"], "café\n");
    assert_eq!(stderr["tail"], json!({"base64": "Y2Fmww=="}));
}

#[test]
fn scores_are_exact() {
    let mut outcome = samples::points();
    let mut score = |score| {
        outcome.judgement.score = Some(score);
        value(&outcome)["score"].clone()
    };
    assert_eq!(score(37.5), json!(37.5));
    assert_eq!(score(100.0), json!(100));
    assert_eq!(score(-2.0), json!(-2));
    assert_eq!(score(1.0 / 3.0), json!(1.0 / 3.0));
    assert_eq!(score(f64::NAN), Value::Null);
    assert_eq!(score(f64::INFINITY), Value::Null);
}

#[test]
fn every_outcome_keeps_to_the_schema() {
    let root = schema();
    let mut outcomes = vec![
        samples::accepted(),
        samples::points(),
        samples::wrong_answer(),
        samples::binary(),
        samples::hostile(),
        samples::deadlock(),
        samples::crashed(),
        samples::idleness(),
        samples::judge_error(),
        samples::internal_error(),
    ];
    let ends = [
        End::NotStarted(StartFailure {
            step: "exec",
            errno: libc::ENOENT,
        }),
        End::Killed {
            signal: 40,
            from_outside: true,
        },
        End::Forbidden(ForbiddenCall {
            name: "ptrace".to_owned(),
            args: [u64::MAX, 0, 1, 2, 3, 4],
            why: "it reads other processes".to_owned(),
        }),
    ];
    for end in ends {
        let mut outcome = samples::wrong_answer();
        outcome.contestant.end = Some(end);
        outcomes.push(outcome);
    }
    let mut outcome = samples::accepted();
    outcome.passes = vec![PassOutcome::of(&outcome), PassOutcome::of(&outcome)];
    outcome.checker = Some(samples::accepted().interactor);
    outcomes.push(outcome);
    for outcome in &outcomes {
        assert_eq!(check(&value(outcome), &root, &root, "report"), Ok(()));
    }
}

#[test]
fn the_check_against_the_schema_can_fail() {
    let root = schema();
    let good = value(&samples::wrong_answer());
    let breaks: [(&str, Value); 7] = [
        ("/version", json!(2)),
        ("/verdict", json!("correct")),
        ("/elapsed_ms", json!("27")),
        ("/contestant/end", json!({"kind": "exited", "code": 256})),
        ("/contestant/end", json!({"kind": "vanished"})),
        ("/contestant/stderr/head", json!([104])),
        ("/contestant/limits", json!({})),
    ];
    for (pointer, wrong) in breaks {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("the field is there") = wrong;
        assert!(check(&bad, &root, &root, "report").is_err(), "{pointer}");
    }
    let mut bad = good.clone();
    bad["surprise"] = json!(1);
    assert!(check(&bad, &root, &root, "report").is_err());
}

#[test]
fn the_schema_lists_every_verdict() {
    const ALL: [Verdict; 13] = [
        Verdict::Accepted,
        Verdict::Points,
        Verdict::WrongAnswer,
        Verdict::PresentationError,
        Verdict::TimeLimit,
        Verdict::WallTimeLimit,
        Verdict::IdlenessLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::RuntimeError,
        Verdict::SecurityViolation,
        Verdict::JudgeError,
        Verdict::InternalError,
    ];
    let schema = schema();
    assert_eq!(
        schema["properties"]["verdict"]["enum"],
        json!(ALL.map(Verdict::name))
    );
    assert_eq!(
        schema["properties"]["code"]["enum"],
        json!(ALL.map(Verdict::letters))
    );
}

#[test]
fn the_explanation_names_every_field() {
    let text = include_str!("../../docs/json.md");
    let schema = schema();
    let participant = &schema["$defs"]["participant"]["properties"];
    for properties in [&schema["properties"], participant] {
        for name in properties.as_object().expect("an object").keys() {
            assert!(
                text.contains(&format!("`{name}`")),
                "docs/json.md does not explain {name}"
            );
        }
    }
}
