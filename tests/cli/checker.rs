//! A checker decides where the interactor has accepted.

use std::fs;

use serde_json::Value;

use crate::program::{Run, run};

/// Writes down what it is told, and accepts.
const INTERACTOR: &str = "#!/bin/sh\nread answer\necho \"$answer\" > \"$2\"\nexit 0\n";

/// Accepts 1, rejects 2, gives points for 3, does not like 4, and dies of everything else.
const CHECKER: &str = r#"#!/bin/sh
read n < "$1"
read found < "$2"
read answer < "$3" || answer=nothing
case $found in
1) echo "ok $n $answer" >&2 ;;
2) echo "wrong answer no" >&2; exit 1 ;;
3) echo "points 2.5 so so" >&2; exit 7 ;;
4) echo "wrong output format what?" >&2; exit 2 ;;
5) echo "FAIL who wrote this test?" >&2; exit 3 ;;
6) kill -SEGV $$ ;;
7) while :; do :; done ;;
*) exit 99 ;;
esac
"#;

fn problem(answer: &str, more: &[&str]) -> Run {
    let words = [
        &["run", "p", "p/answers", "--interactor-cpu", "300ms"],
        more,
    ]
    .concat();
    run(&words)
        .file(
            "p/problem.toml",
            "interactor = \"writes\"\nchecker = \"checks\"\n",
        )
        .file("p/tests/1.in", "17\n")
        .script("p/writes", INTERACTOR)
        .script("p/checks", CHECKER)
        .script("p/answers", format!("#!/bin/sh\necho {answer}\n"))
}

fn report(answer: &str, more: &[&str]) -> Value {
    let ended = problem(answer, &[more, &["--json"]].concat()).ends();
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {ended:?}"))
}

#[test]
fn the_checker_decides() {
    let mut told = String::new();
    for answer in ["1", "2", "3", "4", "5", "6", "8"] {
        let report = report(answer, &[]);
        told += &format!(
            "{answer}: {} {}: {} | {}\n",
            report["code"].as_str().unwrap_or_default(),
            report["score"],
            report["reason"].as_str().unwrap_or_default(),
            report["message"].as_str().unwrap_or_default()
        );
        assert!(report["checker"]["cpu_ms"].is_number(), "{report}");
    }
    insta::assert_snapshot!(told);
    // It has limits as well.
    let report = report("7", &[]);
    assert_eq!(report["code"], "JE", "{report}");
    let reason = report["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("cpu limit"), "{reason}");
}

#[test]
fn it_has_nothing_to_decide_where_the_run_is_not_accepted() {
    let rejects = "#!/bin/sh\nread answer\nexit 1\n";
    let crashes = "#!/bin/sh\necho 1\nkill -SEGV $$\n";
    for (name, content, code) in [("writes", rejects, "WA"), ("answers", crashes, "RE")] {
        let run = problem("1", &["--json"]).script(format!("p/{name}"), content);
        let ended = run.ends();
        let report: Value = serde_json::from_str(&ended.stdout).expect("a report");
        assert_eq!(report["code"], code, "{report}");
        assert_eq!(report["checker"], Value::Null);
    }
}

#[test]
fn the_transcript_has_what_the_checker_decided() {
    let run = problem("2", &["--transcript", "t"]);
    let folder = run.path().to_owned();
    let mut run = run;
    assert_eq!(run.command.output().expect("run").status.code(), Some(1));
    let text = fs::read_to_string(folder.join("t")).expect("a transcript");
    let verdicts: Vec<&str> = text.lines().filter(|l| l.contains("\"verdict\"")).collect();
    assert!(
        verdicts.len() == 1 && verdicts[0].contains("wrong-answer"),
        "{verdicts:?}"
    );
}

#[test]
fn every_way_of_isolation_lets_it_read_its_files() {
    for more in [
        &["--isolation", "landlock"][..],
        &["--isolation", "namespaces"],
    ] {
        let ended = problem("1", &[more, &["--json"]].concat()).ends();
        // What this machine does not have is another test's matter.
        if ended.status == 2 || ended.status == 4 {
            eprintln!("skipped: {more:?}: {}", ended.stderr);
            continue;
        }
        let report: Value = serde_json::from_str(&ended.stdout).expect("a report");
        assert_eq!(report["message"], "17 nothing", "{report}");
    }
    let ended = problem("1", &["--json"]).by_nobody().ends();
    let report: Value = serde_json::from_str(&ended.stdout).expect("a report");
    assert_eq!(report["message"], "17 nothing", "{report}");
}

#[test]
fn checkers_that_cannot_be() {
    let with = |text: &str| problem("1", &[]).file("p/problem.toml", text);
    with("interactor = \"writes\"\nchecker = \"checkt\"\n")
        .refused_with(&["problem.toml:2", "checkt"]);
    with("interactor = \"writes\"\nprotocol = \"icpc\"\nchecker = \"checks\"\n").refused_with(&[
        "problem.toml:3",
        "`checker` cannot be used: an interactor of the protocol icpc decides alone",
    ]);
}
