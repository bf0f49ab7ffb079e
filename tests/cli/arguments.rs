//! The command line by itself, and the help.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::program::{pair, run};

#[test]
fn nothing_to_run() {
    run(&["run"]).refused(
        "say what to run: a problem folder and a solution, or --interactor, --input and, after \
         `--`, the contestant",
    );
    let nothing: [&str; 0] = [];
    run(&nothing).refused_with(&[
        "say what to do",
        "Usage: rejoinder <COMMAND>",
        "run",
        "show",
    ]);
    run(&["rn"]).refused_with(&["'rn'", "Usage"]);
    run(&["run", "--memry", "1MiB"]).refused_with(&["--memry", "--memory"]);
}

#[test]
fn half_of_what_a_run_needs() {
    run(&["run", "p"])
        .refused("a problem's folder needs a solution: write `rejoinder run p SOLUTION`");
    run(&["run", "--interactor", "./accepts", "--input", "input"])
        .refused("a contestant after `--` is missing");
    run(&["run", "--interactor", "./accepts", "--", "./accepts"]).refused("--input is missing");
    run(&["run", "--", "./accepts"]).refused("--interactor and --input are missing");
    run(&["run", "--test", "1"]).refused(
        "--test chooses a test of a problem, but there is no problem: write `rejoinder run \
         PROBLEM SOLUTION --test NAME`",
    );
    let forgotten = [
        "run",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "./a",
    ];
    run(&forgotten)
        .refused("`./a` is in the place of a problem's folder: write `--` before a contestant");
    for flag in ["--interactor", "--input", "--answer"] {
        run(&["run", "p", "s", flag, "x"]).refused(&format!(
            "{flag} cannot be combined with a problem's folder (`p`), which names its own"
        ));
    }
    run(&["run", "p", "s", "--", "./accepts"]).refused(
        "a contestant after `--` cannot be combined with a problem's folder (`p`), which names \
         its own",
    );
    run(&["run", "", ""]).refused_with(&["[PROBLEM]"]);
}

#[test]
fn limits_that_make_no_sense() {
    for (flag, value, words) in [
        ("--cpu", "0", "no time at all"),
        ("--cpu", "0s", "no time at all"),
        ("--cpu", "0.0000000001s", "no time at all"),
        ("--cpu", "-1", "is negative"),
        ("--cpu", "-1s", "is negative"),
        ("--cpu", "1", "\"1s\""),
        ("--cpu", "", "a duration is missing"),
        ("--cpu", "1e99", "not a duration"),
        ("--cpu", "NaN", "not a duration"),
        ("--cpu", "inf", "not a duration"),
        ("--cpu", "--wall", "not a duration"),
        ("--wall", "1x", "unknown unit"),
        ("--idle", "99999999h", "8760h"),
        ("--session", "99999999999999999999s", "8760h"),
        ("--memory", "0MiB", "less than a byte"),
        ("--memory", "-1MiB", "is negative"),
        ("--memory", "12", "\"12MiB\""),
        ("--memory", "256M", "unclear unit"),
        ("--memory", "9999999TiB", "1048576TiB"),
        ("--output", "1e99", "not a size"),
        ("--stack", "1KiB", "at least \"64KiB\""),
        ("--interactor-stack", "1B", "at least \"64KiB\""),
        ("--tasks", "0", "at least one task"),
        ("--tasks", "-3", "-3"),
        ("--tasks", "1.5", "whole number"),
        ("--tasks", "100001", "up to 100000"),
        ("--interactor-cpu", "0", "no time at all"),
        ("--cpu-set", "a", "no list of CPUs"),
        ("--cpu-set", "-1", "no list of CPUs"),
        ("--cpu-set", "3-1", "no list of CPUs"),
        ("--cpu-set", "0,,1", "no list of CPUs"),
        ("--cpu-set", "1000", "CPU 1000"),
        ("--protocol", "acm", "testlib"),
        ("--channel", "fifo", "tmpfs"),
        ("--isolation", "chroot", "landlock"),
    ] {
        pair(&[&format!("{flag}={value}")]).refused_with(&[words]);
        // Clap refuses what begins with a minus where that is not expected.
        if !value.starts_with('-') || !["--protocol", "--channel", "--isolation"].contains(&flag) {
            pair(&[flag, value]).refused_with(&[words]);
        }
    }
}

#[test]
fn limits_at_their_ends() {
    pair(&["--cpu", "8760h", "--wall", "8760h", "--session", "8760h"]).accepted_with(&[]);
    pair(&["--memory", "1048576TiB", "--output", "1048576TiB"]).accepted_with(&[]);
    pair(&["--tasks", "1", "--cpu-set", "all"]).accepted_with(&[]);
    let tiny = pair(&["--memory", "1B"]).ends();
    assert_eq!(tiny.status, 1, "{tiny:?}");
    let tiny = pair(&["--interactor-memory", "1B"]).ends();
    assert_eq!(tiny.status, 3, "{tiny:?}");
}

#[test]
fn an_interactors_command_is_split_like_a_shells() {
    let of = |command: &[u8]| {
        let start = ["run", "--input", "input", "--interactor"].map(OsStr::new);
        let end = ["--", "./accepts"].map(OsStr::new);
        run(&[&start[..], &[OsStr::from_bytes(command)], &end[..]].concat())
    };
    of(b"'").refused_with(&["--interactor `'` cannot be split into words"]);
    of(b"").refused_with(&["there is no program to run"]);
    of(b"'./my judge' 'an argument'")
        .script("my judge", "#!/bin/sh\n[ \"$1\" = 'an argument' ]\n")
        .accepted_with(&[]);
    let name = OsStr::from_bytes(b"judge\xff");
    of(b"./judge\xff -x")
        .script(name, "#!/bin/sh\n[ \"$1\" = -x ]\n")
        .accepted_with(&[]);
}

#[test]
fn the_help_is_read_with_pleasure() {
    let help = |words: &[&str]| {
        let ended = run(words).env("COLUMNS", "80").ends();
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended.stdout
    };
    assert_eq!(help(&["run", "-h"]), help(&["run", "--help"]));
    insta::assert_snapshot!(help(&["--help"]));
    insta::assert_snapshot!(help(&["run", "--help"]));
    insta::assert_snapshot!(help(&["show", "--help"]));
}
