//! Transcripts that are none, and those of odd dialogues.

use std::fs;
use std::process::Command;

use crate::program::{Run, run};

#[test]
fn transcripts_that_are_none() {
    run(&["show", "missing"])
        .refused("cannot read the transcript `missing`: no such file or directory");
    run(&["show", "input"])
        .refused("input:1: this is no transcript: it does not begin with a header");
    run(&["show", "."]).refused("cannot read the transcript `.`: is a directory");
    run(&["show", "empty"])
        .file("empty", "")
        .refused("empty:1: the file is empty; a transcript begins with a header");
    run(&["show", "binary"])
        .file("binary", [0xff, 0, b'\n', 0xfe])
        .refused_with(&["binary:1: this is no transcript"]);
    run(&["show", "new"])
        .file("new", "{\"version\": 99}\n")
        .refused("new:1: the transcript has version `99`; this program reads version 1");
    // The tests' standard input is empty.
    run(&["show", "-"])
        .refused("standard input:1: the file is empty; a transcript begins with a header");
    run(&["show"]).refused_with(&["<TRANSCRIPT>"]);
    run(&["show", "input", "--side", "jury"]).refused_with(&["contestant", "interactor"]);
}

/// `rejoinder show t` with these words, where `t` is the transcript of a dialogue with bytes that
/// are not UTF-8, changed.
fn show(words: &[&str], change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Run {
    let made = run(&["run"])
        .script(
            "asks",
            "#!/bin/sh\nprintf '\\377\\000?\\n'\ncat > /dev/null\n",
        )
        .script(
            "answers",
            "#!/bin/sh\nread line\nprintf 'a\\342\\202\\254\\n\\033[31m'\n",
        );
    let binary = made.command.get_program().to_owned();
    let transcript = made.path().join("t");
    let mut command = Command::new(&binary);
    command.args(["run", "--interactor", "./asks", "--input", "input"]);
    command.args(["--transcript", "t", "--", "./answers"]);
    let mut made = made.replace(command);
    let output = made.command.output().expect("run");
    assert!(output.status.success(), "{output:?}");
    let whole = fs::read(&transcript).expect("read");
    fs::write(&transcript, change(whole)).expect("write");
    let mut command = Command::new(binary);
    command.args(["show", "t"]).args(words);
    made.replace(command)
}

#[test]
fn one_side_comes_back_byte_for_byte() {
    for (side, bytes) in [
        ("interactor", &b"\xff\0?\n"[..]),
        ("contestant", &b"a\xe2\x82\xac\n\x1b[31m"[..]),
    ] {
        let output = show(&["--side", side], |t| t).output();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(0), bytes)
        );
    }
    let dialogue = show(&[], |t| t).ends();
    assert_eq!(dialogue.status, 0);
    assert!(!dialogue.stdout.contains('\u{1b}'), "{dialogue:?}");
}

#[test]
fn a_transcript_that_breaks_off_is_shown_so_far() {
    let cut = |mut whole: Vec<u8>| {
        whole.truncate(whole.len() - 10);
        whole
    };
    let ended = show(&[], cut).ends();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (
            0,
            "rejoinder: the transcript `t` breaks off: its run was cut short\n"
        )
    );
    assert!(ended.stdout.contains("breaks off here"), "{ended:?}");
    let header = |whole: Vec<u8>| whole[..20].to_vec();
    show(&[], header).refused("t:1: the file breaks off within its header");
}

#[test]
fn a_bad_line_is_named_after_what_is_before_it() {
    let spoiled = |mut whole: Vec<u8>| {
        whole.extend(b"[0.5, \"contestant\", \"\xff\"]\n[0.6, \"contestant\", \"x\"]\n");
        whole
    };
    let ended = show(&["--side", "contestant"], spoiled).ends();
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.stdout.starts_with("a€\n"), "{ended:?}");
    assert!(ended.stderr.contains("the line is not JSON"), "{ended:?}");
}

#[test]
fn a_view_that_cannot_be_written_is_said() {
    for words in [
        &[][..],
        &["--side", "contestant"],
        &["--format", "interaction"],
    ] {
        let full = fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("open");
        let ended = show(words, |t| t).ends_with(|command| {
            command.stdout(full);
        });
        assert_eq!(ended.status, 4, "{ended:?}");
        assert!(
            ended.stderr.contains("no space left on device"),
            "{ended:?}"
        );
    }
    let (reader, writer) = nix::unistd::pipe().expect("pipe");
    drop(reader);
    let ended = show(&[], |t| t).ends_with(|command| {
        command.stdout(writer);
    });
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
}

#[test]
fn a_run_and_its_transcript_show_the_same_turns() {
    let words = [
        "run",
        "--interactor",
        "./asks",
        "--input",
        "input",
        "--transcript",
        "t",
        "--",
        "./sleeps",
    ];
    let mut made = run(&words)
        .script("asks", "#!/bin/sh\necho go\nread line\n")
        .script("sleeps", "#!/bin/sh\nread line\nsleep 0.5\necho found\n");
    let mut show = Command::new(made.command.get_program());
    show.args(["show", "t", "--format", "turns"]);
    let output = made.command.output().expect("run");
    let report = String::from_utf8(output.stdout).expect("UTF-8");
    let shown = made.replace(show).ends();
    // How long the others are depends on the machine; each bar and sentence stands in both.
    let (_, picture) = shown.stdout.split_once("\n\n").expect("a title");
    let rows: Vec<&str> = picture.lines().collect();
    assert!(rows[0].starts_with("  turns       ╷0 "), "{shown:?}");
    assert!(
        rows[1].starts_with("  contestant  ") && rows[1].contains("████"),
        "{shown:?}"
    );
    assert!(rows[2].starts_with("  interactor  "), "{shown:?}");
    let slept = |row: &&&str| row.contains("the contestant for ") && row.contains("until `found`");
    let [slept] = rows.iter().filter(slept).collect::<Vec<_>>()[..] else {
        panic!("{shown:?}");
    };
    assert!(
        report.contains(rows[1]) && report.contains(slept),
        "{report}\n{shown:?}"
    );
}
