//! `rejoinder judge`: one job in, one object out, whatever the job is.

use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

use serde_json::{Value, json};

use crate::program::{Run, run};

/// A run of `judge` with this job on its standard input: exit status and the object.
fn judged(made: Run, job: &[u8]) -> (i32, Value) {
    let mut made = made;
    made.command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = made.command.spawn().expect("start");
    // It may have had enough before the end.
    let _ = child.stdin.take().expect("a pipe").write_all(job);
    let output = child.wait_with_output().expect("wait");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        output.stderr.is_empty(),
        "{:?}",
        String::from_utf8_lossy(&output.stderr)
    );
    let object = serde_json::from_str(&text).expect("JSON");
    (output.status.code().unwrap_or(-1), object)
}

/// The shortest job, by paths relative to the folder.
fn job(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut job = json!({
        "version": 1,
        "contestant": {"program": {"path": "./accepts"}},
        "interactor": {"program": {"path": "./accepts"}, "input": "input"},
    });
    change(&mut job);
    job.to_string().into_bytes()
}

#[test]
fn a_job_has_a_result() {
    let (status, result) = judged(run(&["judge"]), &job(|job| job["id"] = "a job".into()));
    assert_eq!(
        (status, &result["verdict"], &result["id"]),
        (0, &"accepted".into(), &"a job".into())
    );
    assert_eq!(result["version"], 1);
    let (status, result) = judged(
        run(&["judge"]),
        &job(|job| {
            job["id"] = 7.into();
            job["interactor"]["program"]["path"] = "./rejects".into();
        }),
    );
    assert_eq!(
        (status, &result["code"], &result["id"]),
        (1, &"WA".into(), &7.into())
    );
    assert_eq!(result["message"], "no");
}

#[test]
fn limits_of_a_job_hold() {
    let made = run(&["judge"]).script("loops", "#!/bin/sh\nwhile :; do :; done\n");
    let (status, result) = judged(
        made,
        &job(|job| {
            job["contestant"] = json!({
                "program": {"path": "./loops"},
                "limits": {"cpu_ms": 100},
            });
        }),
    );
    assert_eq!((status, &result["code"]), (1, &"TL".into()), "{result}");
    assert_eq!(result["contestant"]["limits"]["cpu_ms"], 100);
    // Only its owner is told where a program stood.
    assert_eq!(result["contestant"]["explanation"], Value::Null);
}

#[test]
fn a_job_may_be_in_a_file() {
    let (status, result) = judged(run(&["judge", "job"]).file("job", job(|_| ())), b"");
    assert_eq!((status, &result["code"]), (0, &"AC".into()));
}

#[test]
fn mistakes_are_objects() {
    let told = |made: Run, text: &[u8]| {
        let begin = Instant::now();
        let (status, object) = judged(made, text);
        assert_eq!(
            (status, &object["error"]["kind"]),
            (2, &"usage".into()),
            "{object}"
        );
        // Far more than it takes.
        assert!(begin.elapsed().as_secs() < 20);
        format!(
            "{} | {}",
            object["error"]["where"], object["error"]["message"]
        )
    };
    let here = || run(&["judge"]);
    let mut all = vec![
        told(here(), b""),
        told(here(), b"null"),
        told(here(), b"{\"version\": 1,\n \"contestant\": 3}"),
        told(here(), "[".repeat(100_000).as_bytes()),
        told(here(), &vec![b' '; 5 << 20]),
        told(
            here(),
            &job(|job| job["contestant"]["program"]["path"] = "./none".into()),
        ),
        told(
            here(),
            &job(|job| job["contestant"]["program"]["path"] = "./a\0b".into()),
        ),
        told(
            here().fifo("pipe"),
            &job(|job| job["contestant"]["program"]["path"] = "./pipe".into()),
        ),
        told(
            here().fifo("pipe"),
            &job(|job| job["interactor"]["input"] = "pipe".into()),
        ),
        told(
            here(),
            &job(|job| job["contestant"]["limits"] = json!({"cpu_ms": 0})),
        ),
        told(run(&["judge", "none"]), b""),
        told(run(&["judge", "pipe"]).fifo("pipe"), b""),
    ];
    let (_, object) = judged(
        here(),
        &job(|job| {
            job["id"] = "mine".into();
            job["cpus"] = json!([]);
        }),
    );
    assert_eq!(object["id"], "mine");
    all.push(object["error"]["message"].to_string());
    insta::assert_snapshot!(all.join("\n"));
}
