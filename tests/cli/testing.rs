//! `rejoinder test`: what a problem's owner is told, and what a machine can read of it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, run};

/// Asks for the number in the input, and accepts it.
const INTERACTOR: &str = "#!/bin/sh
read number < \"$1\"
echo \"$number\"
read answer
[ \"$answer\" = \"$number\" ] && exit 0
echo wrong answer no >&2
exit 1
";
const ECHO: &str = "#!/bin/sh\nread number\necho $number\n";
/// Right on the first test only.
const ONE: &str = "#!/bin/sh\nread number\necho 1\n";
const DIES: &str = "#!/bin/sh\nread number\nexit 3\n";

/// A problem with two groups of tests; `solutions` are lines of (path, verdict).
fn problem(words: &[&str], solutions: &[(&str, &str)]) -> Run {
    let mut text =
        "name = \"Echo\"\ninteractor = \"judge\"\ntests = \"tests/**/*.in\"\n".to_owned();
    for (path, verdict) in solutions {
        text += &format!("[[solution]]\npath = \"{path}\"\nverdict = \"{verdict}\"\n");
    }
    run(&[&["test", "p"], words].concat())
        .file("p/problem.toml", text)
        .file("p/tests/sample/1.in", "1\n")
        .file("p/tests/secret/1.in", "2\n")
        .script("p/judge", INTERACTOR)
        .script("p/echo", ECHO)
        .script("p/one", ONE)
        .script("p/dies", DIES)
}

const RIGHT: [(&str, &str); 3] = [
    ("echo", "accepted"),
    ("one", "wrong-answer"),
    ("dies", "runtime-error"),
];

/// The lines of a text with whatever depends on the machine left out.
fn plain(text: &str) -> String {
    let figure = |word: &str| word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let unit = ["ms", "s", "µs", "KiB", "MiB"];
    let lines = text.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let kept = words.iter().enumerate().filter(|(place, word)| {
            let before_unit = words.get(place + 1).is_some_and(|next| unit.contains(next));
            !(unit.contains(word) || figure(word) && before_unit)
        });
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn solutions_that_do_what_is_expected() {
    let ended = problem(&[], &RIGHT).ends();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    insta::assert_snapshot!(plain(&ended.stdout));
}

#[test]
fn solutions_that_do_not() {
    let wrong = [
        ("echo", "wrong-answer"),
        ("one", "accepted"),
        ("dies", "time-limit"),
        ("p.nix", "accepted"),
    ];
    let ended = problem(&["-j1"], &wrong).file("p/p.nix", "what").ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    let folder = |text: &str| {
        let words = text.split(' ').map(|word| match word.contains(".cache") {
            true => word.rsplit_once('/').map_or(word, |(_, name)| name),
            false => word,
        });
        words.collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(plain(&ended.stdout));
    insta::assert_snapshot!(folder(&ended.stderr));
}

#[test]
fn transcripts_of_surprises_are_kept_and_no_others() {
    let mut made = problem(&[], &[("echo", "accepted"), ("one", "accepted")]);
    assert_eq!(made.command.output().expect("run").status.code(), Some(1));
    let folder = made.path().join(".cache/transcripts/Echo");
    let names = std::fs::read_dir(folder).expect("a folder");
    let names: Vec<_> = names
        .map(|entry| entry.expect("a file").file_name())
        .collect();
    assert_eq!(names, ["one.tests-secret-1.transcript"]);

    let mut made = problem(&["--transcripts", "all"], &RIGHT);
    assert_eq!(made.command.output().expect("run").status.code(), Some(0));
    let count = std::fs::read_dir(made.path().join("all"))
        .expect("a folder")
        .count();
    assert_eq!(count, 6);
}

/// The objects of `--json`.
fn objects(text: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(parse).collect()
}

#[test]
fn each_session_is_a_line() {
    let ended = problem(&["--json", "--solution", "o*", "--test", "*se*"], &RIGHT).ends();
    assert_eq!(ended.status, 0, "{ended:?}");
    let [frame, record] = &objects(&ended.stdout)[..] else {
        panic!("{ended:?}");
    };
    assert_eq!(frame["tests"], serde_json::json!(["tests/secret/1"]));
    assert_eq!(frame["solutions"][0]["name"], "one");
    assert_eq!(
        (&record["verdict"], &record["repeat"]),
        (&"wrong-answer".into(), &1.into())
    );
    assert_eq!(record["report"]["verdict"], "wrong-answer");
    assert_eq!(record["report"]["interactor"]["end"]["kind"], "exited");
}

#[test]
fn partitions_are_put_together() {
    let whole = problem(&[], &RIGHT).ends();
    let parts: Vec<String> = ["1/3", "2/3", "3/3"]
        .map(|part| {
            problem(&["--json", "--partition", part], &RIGHT)
                .ends()
                .stdout
        })
        .into();
    let merged = run(&["test", "--merge", "a", "b", "c"])
        .file("a", &parts[0])
        .file("b", &parts[1])
        .file("c", &parts[2])
        .ends();
    assert_eq!(
        (merged.status, plain(&merged.stdout)),
        (0, plain(&whole.stdout))
    );
    // What a killed part has left can be read, and is not the whole.
    let cut = parts[0].trim_end();
    let merged = run(&["test", "--merge", "a", "b"])
        .file("a", &cut[..cut.len() - 9])
        .file("b", &parts[1])
        .ends();
    assert_eq!(merged.status, 0);
    assert!(merged.stdout.contains("not all was run"), "{merged:?}");

    let other = problem(&["--json"], &RIGHT[..2]).ends().stdout;
    run(&["test", "--merge", "a", "b"])
        .file("a", &parts[0])
        .file("b", other)
        .refused("the results `b` are of other solutions or tests than those in `a`");
    run(&["test", "--merge", "input"]).refused_with(&["the results `input`: line 1", "--json"]);
    run(&["test", "--merge", "none"]).refused_with(&["cannot read the results `none`"]);
    run(&["test", "--merge", "a"])
        .file("a", format!("{}{{}}\n", parts[0]))
        .refused_with(&["the results `a`: line", "missing field"]);
}

#[test]
fn what_is_found_is_listed() {
    let ended = problem(&["--list"], &RIGHT).ends();
    assert_eq!(ended.status, 0);
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn what_there_is_not() {
    run(&["test"]).refused("there is no problem to test: write `rejoinder test PROBLEM`");
    problem(&["--solution", "x*"], &RIGHT)
        .refused("no solution is called `x*`: there are `echo`, `one` and `dies`");
    problem(&["--test", "9"], &RIGHT)
        .refused("no test is called `9`: there are `tests/sample/1` and `tests/secret/1`");
    problem(&[], &[])
        .refused("the problem `Echo` has no solutions to test: list some in its problem.toml");
    problem(&["--junit", "no/such"], &RIGHT).refused_with(&["cannot write the results", "no/such"]);
    for (flag, value) in [
        ("-j", "0"),
        ("--repeat", "-1"),
        ("--partition", "3/2"),
        ("--time-factor", "x"),
    ] {
        problem(&[flag, value], &RIGHT).refused_with(&[value]);
    }
}

#[test]
fn languages_that_are_not_installed() {
    let table = "[[language]]\nname = \"Nix\"\nsuffixes = [\"nix\"]\ncompilers = [\"no-such-compiler\"]\n\
                 compile = [\"{compiler}\", \"{source}\", \"{output}\"]\nrun = [\"{output}\"]\n";
    let solutions = [("echo", "accepted"), ("s.nix", "accepted")];
    let with = |words: &[&str]| {
        let words = [words, &["--languages", "table"]].concat();
        problem(&words, &solutions)
            .file("table", table)
            .file("p/s.nix", "")
            .ends()
    };
    let missing = with(&[]);
    assert_eq!(missing.status, 1, "{missing:?}");
    assert!(missing.stdout.contains("no-such-compiler"), "{missing:?}");
    let allowed = with(&["--allow-missing"]);
    assert_eq!(allowed.status, 0, "{allowed:?}");
    assert!(allowed.stdout.contains("left out: 1"), "{allowed:?}");
}

#[test]
fn the_first_surprise_can_end_it() {
    let surprising = [("one", "accepted"), ("echo", "accepted")];
    let ended = problem(&["-j1", "--fail-fast", "--json"], &surprising).ends();
    assert_eq!(ended.status, 1);
    let records = objects(&ended.stdout).len() - 1;
    // One more may have been begun before the surprise was heard of.
    assert!((2..=3).contains(&records), "{ended:?}");
    let ended = problem(&["-j1", "--until-failure", "--json"], &surprising).ends();
    assert_eq!(
        (ended.status, objects(&ended.stdout).len()),
        (1, 5),
        "{ended:?}"
    );
}

#[test]
fn where_nothing_can_run_there_is_an_end() {
    let ended = problem(&["--until-failure"], &[("input", "accepted")])
        .file("p/input", "no program")
        .ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    let none = [
        ("--cpu-set", "999"),
        ("--require", "identity,user-namespace"),
    ];
    for (flag, value) in none {
        let ended = problem(&[flag, value], &RIGHT).ends();
        assert_eq!(
            ended.status,
            if flag == "--require" { 2 } else { 1 },
            "{ended:?}"
        );
    }
}

#[test]
fn a_ci_reads_junit() {
    let made = problem(
        &["--junit", "out.xml"],
        &[("echo", "accepted"), ("one", "accepted")],
    );
    let mut made = made;
    assert_eq!(made.command.output().expect("run").status.code(), Some(1));
    let text = std::fs::read_to_string(made.path().join("out.xml")).expect("a file");
    for part in [
        "<testsuite name=\"one\"",
        "tests=\"3\"",
        "failures=\"2\"",
        "wrong-answer",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// How many processes have this text in their command line.
fn processes_with(text: &str) -> usize {
    let has = |entry: std::io::Result<std::fs::DirEntry>| {
        let line = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).contains(text))
    };
    let all = std::fs::read_dir("/proc").expect("/proc");
    all.filter_map(has).filter(|has| *has).count()
}

#[track_caller]
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn whatever_ends_it_nothing_is_left_and_what_was_done_can_be_read() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let sleeper = format!("sleeper-{signal}-{}", std::process::id());
        let solutions = [("echo", "accepted"), (&sleeper, "accepted")];
        let mut made = problem(&["-j2", "--json"], &solutions)
            .script(format!("p/{sleeper}"), "#!/bin/sh\nread number\nsleep 60\n");
        made.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = made.command.spawn().expect("start");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        // What is tested, and two sessions of the one that ends.
        let done: Vec<String> = lines
            .by_ref()
            .take(3)
            .map(|line| line.expect("UTF-8"))
            .collect();
        wait_until("both sleep", || processes_with(&sleeper) >= 2);
        let pid = nix::unistd::Pid::from_raw(child.id() as i32);
        let signal = nix::sys::signal::Signal::try_from(signal).expect("a signal");
        nix::sys::signal::kill(pid, signal).expect("kill");
        let status = child.wait().expect("wait");
        match signal {
            nix::sys::signal::SIGKILL => assert_eq!(status.code(), None),
            _ => assert_eq!(status.code(), Some(128 + signal as i32)),
        }
        wait_until("all are gone", || processes_with(&sleeper) == 0);
        let parent = format!("--parent\0{pid}");
        wait_until("the coordinators are gone", || processes_with(&parent) == 0);
        assert_eq!(lines.count(), 0, "an interrupted session has no result");
        assert_eq!(objects(&done.join("\n"))[2]["verdict"], "accepted");
    }
}
