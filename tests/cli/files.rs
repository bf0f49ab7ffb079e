//! Inputs, transcripts, kept output, and the names of files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use crate::program::{Run, contestant, is_root_or_skip, pair, run};

fn with_input(input: &str) -> Run {
    run(&[
        "run",
        "--interactor",
        "./accepts",
        "--input",
        input,
        "--",
        "./accepts",
    ])
}

#[test]
fn inputs_that_cannot_be_read() {
    with_input("missing")
        .refused("cannot read the input file `missing`: no such file or directory");
    with_input("/etc").refused("the input file `/etc` is a folder: give the file itself");
    with_input("pipe").fifo("pipe").refused(
        "the input file `pipe` is a pipe, which cannot be read twice: write it to a file first",
    );
    with_input("/dev/zero")
        .refused("the input file `/dev/zero` is neither a file nor `/dev/null`: give a file");
    with_input("/dev/null").accepted_with(&[]);
    pair(&["--answer", "/dev/null"]).accepted_with(&[]);
    pair(&["--answer", "gone"])
        .refused("cannot read the answer file `gone`: no such file or directory");
    pair(&["--read", "gone"])
        .refused("cannot read the file or folder `gone`: no such file or directory");
}

#[test]
fn inputs_that_only_root_can_read() {
    if !is_root_or_skip("inputs_that_only_root_can_read") {
        return;
    }
    with_input("secret")
        .file_with_mode("secret", "1\n", 0o600)
        .by_nobody()
        .refused("cannot read the input file `secret`: permission denied");
    // Root can read it, but its interactor could not, and would give a verdict all the same.
    for isolation in ["namespaces", "landlock"] {
        let flags = ["--answer", "secret", "--isolation", isolation];
        pair(&flags).file_with_mode("secret", "1\n", 0o600).refused(
            "programs run as a user of their own, who cannot read `FOLDER/secret`: allow it with \
             `chmod o+r FOLDER/secret`",
        );
    }
    let below = ["--answer", "closed/a", "--isolation", "landlock"];
    let closed = |flags| {
        pair(flags)
            .file("closed/a", "1\n")
            .folder_with_mode("closed", 0o700)
    };
    closed(&below).refused(
        "programs run as a user of their own, who cannot read `FOLDER/closed/a` (`FOLDER/closed` \
         is closed to others): allow it with `chmod o+x FOLDER/closed`",
    );
    // With namespaces only the file itself is shown, and the folders above it are not in the way.
    closed(&below[..2]).accepted_with(&[]);
}

#[test]
fn transcripts_that_cannot_be_written() {
    pair(&["--transcript", "no/folder/t"])
        .refused("cannot write the transcript `no/folder/t`: no such file or directory");
    pair(&["--transcript", "/"]).refused("cannot write the transcript `/`: is a directory");
    pair(&["--transcript", "pipe"])
        .fifo("pipe")
        .refused("cannot write the transcript to `pipe`: a named pipe would block the run");
    pair(&["--transcript", "/proc/t"]).refused_with(&["cannot write the transcript `/proc/t`"]);
    if is_root_or_skip("transcripts_that_cannot_be_written: read-only folder") {
        pair(&["--transcript", "closed/t"])
            .folder_with_mode("closed", 0o755)
            .by_nobody()
            .refused("cannot write the transcript `closed/t`: permission denied");
    }
}

#[test]
fn nothing_that_the_run_reads_is_overwritten() {
    for name in ["./accepts", "input", "link"] {
        let linked = |flag| pair(&[flag, name]).link("link", "input");
        linked("--transcript").refused(&format!(
            "cannot write the transcript to `{name}`: this run reads that file"
        ));
        linked("--keep-output").refused(&format!(
            "cannot keep the interactor's output in `{name}`: this run reads that file"
        ));
    }
    pair(&["--transcript", "x", "--keep-output", "x"])
        .refused("--transcript and --keep-output name the same file");
}

#[test]
fn a_full_disk_under_the_transcript_costs_no_verdict() {
    pair(&["--transcript", "/dev/full"])
        .accepted_with(&["warning the transcript is incomplete: no space left on device"]);
    let words = ["run", "--interactor", "./rejects", "--input", "input"];
    let more = ["--transcript", "/dev/full", "--", "./accepts"];
    let ended = run(&[&words[..], &more[..]].concat()).ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stdout.contains("WA  wrong answer"), "{ended:?}");
}

#[test]
fn a_small_file_system_under_the_transcript_costs_no_verdict() {
    if !is_root_or_skip("a_small_file_system_under_the_transcript_costs_no_verdict") {
        return;
    }
    let run = run(&["run"])
        .script(
            "talks",
            "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do\nprintf '%09999d\\n' 1\ndone\n",
        )
        .script("reads", "#!/bin/sh\ncat > /dev/null\n")
        .folder_with_mode("small", 0o755);
    let script = format!(
        "mount -t tmpfs -o size=16k none small && {} run --interactor ./reads --input input \
         --transcript small/t -- ./talks; echo $?; tail -c 1 small/t | od -c",
        env!("CARGO_BIN_EXE_rejoinder")
    );
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &script]);
    let ended = run.replace(command).ends();
    assert!(ended.stdout.contains("AC  accepted"), "{ended:?}");
    assert!(
        ended.stdout.contains("transcript is incomplete"),
        "{ended:?}"
    );
    assert!(
        ended.stdout.contains("\n0\n0000000  \\n\n"),
        "whole lines remain: {ended:?}"
    );
}

#[test]
fn output_that_cannot_be_kept() {
    let kept = |more: &[&str]| pair(&[&["--keep-output"], more].concat());
    kept(&["no/folder/x"])
        .refused("cannot keep the interactor's output in `no/folder/x`: no such file or directory");
    kept(&["/tmp"])
        .refused("cannot keep the interactor's output in `/tmp`: give the name of a file");
    kept(&["pipe"])
        .fifo("pipe")
        .refused("cannot keep the interactor's output in `pipe`: it is a named pipe");
    kept(&["input", "--protocol", "icpc"]).refused(
        "cannot keep the interactor's output in `input`: this protocol's interactors fill a folder",
    );
    let writes = [
        "run",
        "--interactor",
        "./writes",
        "--input",
        "input",
        "--keep-output",
    ];
    let full = run(&[&writes[..], &["/dev/full", "--", "./accepts"]].concat());
    full.script("writes", "#!/bin/sh\necho x > $2\n")
        .accepted_with(&[
            "warning cannot keep the interactor's output in `/dev/full`: no space left on device",
        ]);
    if is_root_or_skip("output_that_cannot_be_kept: read-only folder") {
        kept(&["closed/x"])
            .folder_with_mode("closed", 0o755)
            .by_nobody()
            .accepted_with(&[
                "warning cannot keep the interactor's output in `closed/x`: permission denied",
            ]);
    }
}

#[test]
fn names_of_any_bytes() {
    let name = OsStr::from_bytes(b"n\xff ame");
    let path = OsStr::from_bytes(b"./n\xff ame");
    let words = ["run", "--interactor", "./accepts", "--input"].map(OsStr::new);
    let transcript = OsStr::new("--transcript");
    let run_of_name = run(&[
        &words[..],
        &[
            name,
            transcript,
            OsStr::from_bytes(b"t\xff"),
            OsStr::new("--"),
            path,
            name,
        ],
    ]
    .concat());
    let ended = run_of_name.script(name, "#!/bin/sh\n").ends();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("AC  accepted"), "{ended:?}");
    // What cannot be shown is replaced, and what would steer the terminal is escaped.
    contestant(&[OsStr::from_bytes(b"./no\xff")]).refused("there is no file `./no\u{fffd}`");
    contestant(&["./a\u{1b}[31m\nb"]).refused("there is no file `./a\\u{1b}[31m\\nb`");
    run(&["show", "\u{7}"])
        .refused("cannot read the transcript `\\u{7}`: no such file or directory");
}

#[test]
fn very_long_command_lines() {
    let long = "x".repeat(120_000);
    contestant(&["./accepts", &long]).accepted_with(&["./accepts ... with ./accepts"]);
    let many = vec!["abcdefghijklmnopqrstuvwxyz"; 30_000];
    contestant(&[&["./accepts"], &many[..]].concat()).accepted_with(&[]);
    contestant(&[&long]).refused_with(&["$PATH has no program"]);
    contestant(&[format!("./{long}")]).refused(&format!(
        "cannot read the program `./{long}`: file name too long"
    ));
    let mut words = vec!["run", "--interactor", "./accepts", "--input", "input"];
    words.extend(["--stack", "64KiB", "--", "./accepts"]);
    let ended = run(&[words, many].concat()).ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("could not be started: argument list too long"),
        "{ended:?}"
    );
}

#[test]
fn no_file_is_left_by_a_run_that_was_refused() {
    let run = contestant(&["./missing"]);
    let folder = run.path().to_owned();
    let kept = tempfile::tempdir().expect("tempdir");
    // The cache is made before a program is looked at, and may stay.
    let run = run.env("REJOINDER_CACHE", kept.path().join("cache"));
    let names = || {
        let entries = fs::read_dir(&folder).expect("read");
        let mut names: Vec<_> = entries.map(|e| e.expect("entry").file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let mut run = run;
    assert_eq!(run.command.output().expect("output").status.code(), Some(2));
    assert_eq!(names(), before);
}
