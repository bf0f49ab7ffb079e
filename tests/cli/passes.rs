//! Multi-pass problems: the interactor asks for another pass by `nextpass.in`.

use std::fs;

use serde_json::Value;

use crate::program::{Run, run};

/// Asks for the double of the number in its input, and as long as that is below 4 for another pass
/// with the next one.
const DOUBLES: &str = r#"#!/bin/sh
read n < "$1"
echo "$n"
read reply || exit 43
echo "$n: $reply" >> "$3/judgemessage.txt"
[ "$reply" = $((n * 2)) ] || exit 43
[ "$n" -ge 4 ] || echo $((n + 1)) > "$3/nextpass.in"
exit 42
"#;

const RIGHT: &str = "#!/bin/sh\nread n\necho $((n * 2))\n";

/// `rejoinder run` of a contestant and an interactor, both scripts, with more words.
fn passes(interactor: &str, contestant: &str, more: &[&str]) -> Run {
    let words = ["run", "--protocol", "icpc", "--interactor", "./doubles"];
    let words = [
        &words[..],
        &["--input", "input"],
        more,
        &["--", "./answers"],
    ]
    .concat();
    run(&words)
        .script("doubles", interactor)
        .script("answers", contestant)
}

/// The report of such a run.
fn report(interactor: &str, contestant: &str, more: &[&str]) -> Value {
    let more = [more, &["--json"]].concat();
    let ended = passes(interactor, contestant, &more).ends();
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {ended:?}"))
}

#[test]
fn each_pass_has_the_input_that_the_last_one_left() {
    let report = report(DOUBLES, RIGHT, &["--passes", "4"]);
    assert_eq!(report["verdict"], "accepted", "{report}");
    assert_eq!(report["passes"].as_array().map(Vec::len), Some(4));
    // The feedback folder is kept, and the message is appended to; told is what the last pass said.
    assert_eq!(report["message"], "4: 8", "{report}");
    let elapsed = report["passes"].as_array().into_iter().flatten();
    let sum: f64 = elapsed.filter_map(|pass| pass["elapsed_ms"].as_f64()).sum();
    let whole = report["elapsed_ms"].as_f64().unwrap_or_default();
    assert!((sum - whole).abs() < 0.01, "{sum} and {whole}");
}

#[test]
fn the_first_pass_that_is_not_accepted_decides() {
    let wrong = "#!/bin/sh\nread n\n[ $n = 3 ] && echo 7 || echo $((n * 2))\n";
    let told = report(DOUBLES, wrong, &["--passes", "9"]);
    assert_eq!(told["verdict"], "wrong-answer", "{told}");
    assert_eq!(told["passes"].as_array().map(Vec::len), Some(3));
    let reason = told["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("in pass 3: "), "{reason}");

    let crashes = "#!/bin/sh\nread n\n[ $n = 2 ] && kill -SEGV $$\necho $((n * 2))\n";
    let told = report(DOUBLES, crashes, &["--passes", "9"]);
    assert_eq!(told["verdict"], "runtime-error", "{told}");
    assert_eq!(told["passes"].as_array().map(Vec::len), Some(2));

    // A crash after the interactor has accepted.
    let crashes = "#!/bin/sh\nread n\necho $((n * 2))\nexec >&-\nsleep 0.1\nkill -SEGV $$\n";
    let told = report(DOUBLES, crashes, &["--passes", "9"]);
    assert_eq!(told["verdict"], "runtime-error", "{told}");
    assert_eq!(told["passes"].as_array().map(Vec::len), Some(1));

    // Who rejects does not ask for more.
    let rejects = "#!/bin/sh\necho 2 > \"$3/nextpass.in\"\nexit 43\n";
    let told = report(rejects, "#!/bin/sh\n", &["--passes", "9"]);
    assert_eq!(told["verdict"], "wrong-answer", "{told}");
    assert_eq!(told["passes"].as_array().map(Vec::len), Some(1));
}

#[test]
fn more_passes_than_there_may_be_are_the_interactors_fault() {
    let told = report(DOUBLES, RIGHT, &["--passes", "3"]);
    assert_eq!(told["verdict"], "judge-error", "{told}");
    let reason = told["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("another pass after pass 3"), "{reason}");

    let link = "#!/bin/sh\nln -s /etc/passwd \"$3/nextpass.in\"\nexit 42\n";
    let told = report(link, "#!/bin/sh\n", &["--passes", "3"]);
    assert_eq!(told["verdict"], "judge-error", "{told}");
    let reason = told["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("`nextpass.in`"), "{reason}");
}

#[test]
fn a_problem_with_one_pass_says_that_another_was_asked_for() {
    let told = report(DOUBLES, RIGHT, &[]);
    assert_eq!(told["verdict"], "accepted", "{told}");
    assert_eq!(told["passes"], Value::Null);
    let warnings = told["warnings"].to_string();
    assert!(warnings.contains("nextpass.in"), "{warnings}");
}

#[test]
fn one_transcript_has_all_passes() {
    let all = passes(DOUBLES, RIGHT, &["--passes", "4", "--transcript", "t"]);
    let folder = all.path().to_owned();
    let shown = |all: Run, words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rejoinder"));
        command.args(["show", "t"]).args(words);
        let mut all = all.replace(command);
        let output = all.command.output().expect("show");
        (all, String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let mut all = all;
    assert!(all.command.output().expect("run").status.success());
    let text = fs::read_to_string(folder.join("t")).expect("a transcript");
    assert_eq!(text.matches("\"kind\":\"pass\"").count(), 3);
    assert_eq!(text.matches("\"kind\":\"verdict\"").count(), 1);
    let times: Vec<f64> = text
        .lines()
        .skip(1)
        .filter_map(|line| line[1..].split(',').next()?.parse().ok())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    let (all, interaction) = shown(all, &["--format", "interaction"]);
    let wanted = "<1\n>2\n---\n<2\n>4\n---\n<3\n>6\n---\n<4\n>8\n";
    assert_eq!(interaction, wanted);
    let (_all, dialogue) = shown(all, &[]);
    assert!(dialogue.contains("· pass 4 begins"), "{dialogue}");
}

#[test]
fn passes_that_cannot_be() {
    passes(DOUBLES, RIGHT, &["--passes", "0"])
        .refused("--passes is 0, but every run has a first pass: write 1 or more");
    passes(DOUBLES, RIGHT, &["--passes", "1001"])
        .refused("--passes is 1001: there may be at most 1000");
    passes(DOUBLES, RIGHT, &["--passes", "2", "--protocol", "testlib"])
        .refused_with(&["--protocol"]);
    run(&[
        "run",
        "--passes",
        "2",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "--",
        "./accepts",
    ])
    .refused("--passes is 2, but only an interactor of the protocol icpc can ask for another pass");
}
