//! Standard streams that are closed, full or left.

use std::fs::File;

use crate::program::{Ended, Run, pair, run};

fn full() -> File {
    File::options().write(true).open("/dev/full").expect("open")
}

fn rejected(more: &[&str]) -> Run {
    let words = ["run", "--interactor", "./rejects", "--input", "input"];
    run(&[&words, more, &["--", "./accepts"]].concat())
}

#[test]
fn closed_standard_streams_change_no_verdict() {
    for closed in ["<&-", "2>&-", "<&- 2>&-"] {
        let ended = rejected(&[]).after(&format!("exec {closed}")).ends();
        assert_eq!(ended.status, 1, "{closed}: {ended:?}");
        assert!(ended.stdout.contains("WA  wrong answer"), "{ended:?}");
    }
    for closed in [">&-", "<&- >&- 2>&-"] {
        for more in [&[][..], &["--json", "--transcript", "t"]] {
            let ended = rejected(more).after(&format!("exec {closed}")).ends();
            assert_eq!(ended.status, 1, "{closed}: {ended:?}");
        }
        let ended = pair(&["--cpu", "0"])
            .after(&format!("exec {closed}"))
            .ends();
        assert_eq!(ended.status, 2, "{closed}: {ended:?}");
    }
}

#[test]
fn standard_input_is_nobodys() {
    let words = [
        "run",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "--",
        "./looks",
    ];
    run(&words)
        .script("looks", "#!/bin/sh\n! grep -q secret\n")
        .file("stream", "secret\n")
        .after("exec < stream")
        .accepted_with(&[]);
}

#[test]
fn a_reader_that_has_seen_enough_changes_no_exit_status() {
    for more in [&[][..], &["--json"]] {
        let (reader, writer) = nix::unistd::pipe().expect("pipe");
        drop(reader);
        let ended = rejected(more).ends_with(|command| {
            command.stdout(writer);
        });
        assert_eq!((ended.status, ended.stderr.as_str()), (1, ""));
    }
}

/// With a standard output that takes nothing.
fn into_nothing(run: Run) -> Ended {
    run.ends_with(|command| {
        command.stdout(full());
    })
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    for more in [&[][..], &["--json"]] {
        let ended = into_nothing(rejected(more));
        let expected = "rejoinder: failed to report the verdict wrong-answer on standard output: \
                        no space left on device\n";
        assert_eq!((ended.status, ended.stderr.as_str()), (4, expected));
    }
    let expected = "rejoinder: failed to write to standard output: no space left on device\n";
    for words in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let ended = into_nothing(run(words));
        assert_eq!((ended.status, ended.stderr.as_str()), (4, expected));
    }
}

#[test]
fn with_nowhere_to_say_it_the_exit_status_has_to_do() {
    for (run, status) in [
        (pair(&[]), 4),
        (pair(&["--cpu", "0"]), 2),
        (run(&["run", "nowhere", "x"]), 2),
        (run(&["show", "missing"]), 2),
    ] {
        let ended = run.ends_with(|command| {
            command.stdout(full()).stderr(full());
        });
        assert_eq!(ended.status, status, "{ended:?}");
    }
}
