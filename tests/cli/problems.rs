//! Problem folders. The mistakes in a problem.toml have tests of their own in the library.

use crate::program::{Run, is_root_or_skip, run};

fn problem(text: &str) -> Run {
    run(&["run", "p", "../accepts"])
        .file("p/problem.toml", text)
        .file("p/tests/1.in", "1\n")
        .script("p/judge", "#!/bin/sh\nexit 0\n")
}

#[test]
fn problem_folders_with_mistakes() {
    run(&["run", "nowhere", "x"]).refused("there is no folder `nowhere`");
    run(&["run", ".", "x"]).refused(
        "`.` is no problem folder: it has no `problem.toml`, `problem.yaml` or `problem.xml`",
    );
    run(&["run", "input", "x"])
        .refused("`input` is a file; a problem is a folder with a problem.toml");
    problem("interactor = \"judge\"\nlimts = 3\n").refused_with(&[
        "problem.toml:2",
        "limts",
        "limits",
    ]);
    problem("interactor = \"judge\n").refused_with(&["problem.toml:1"]);
    problem("interactor = \"jury\"\n").refused_with(&["problem.toml:1", "jury"]);
    problem("interactor = \"judge\"\n[limits]\ncpu = \"1 parsec\"\n")
        .refused_with(&["problem.toml:3", "1 parsec"]);
    problem("interactor = \"judge\"\ntests = \"tests/*.txt\"\n")
        .refused_with(&["problem.toml:2", "tests/*.txt"]);
    problem("interactor = \"judge\"\n")
        .refused("the problem `p` has no solutions: list some in its problem.toml");
    problem("x = \"\u{1}").refused_with(&["problem.toml:1"]);
    problem("")
        .file("p/problem.toml", [0xff])
        .refused_with(&["problem.toml:1", "UTF-8"]);
}

const GOOD: &str = "name = \"Yes\"\ninteractor = \"judge\"\n[[solution]]\npath = \"yes\"\n";

/// A problem without mistakes, in a folder with a space; the words follow `run`.
fn good(words: &[&str]) -> Run {
    run(&[&["run"], words].concat())
        .file("a problem/problem.toml", GOOD)
        .file("a problem/tests/1.in", "1\n")
        .file("a problem/tests/2.in", "2\n")
        .script("a problem/judge", "#!/bin/sh\nexit 0\n")
        .script("a problem/yes", "#!/bin/sh\nexit 0\n")
}

#[test]
fn names_that_a_problem_does_not_have() {
    good(&["a problem", "no"]).refused("the problem `Yes` has no solution `no`; it has `yes`");
    for folder in ["tests", "a problem/tests"] {
        good(&["a problem", folder])
            .refused("`a problem/tests` is a folder, and not a solution: name a file in it");
    }
    good(&["a problem", "yes", "--test", "3"])
        .refused("the problem `Yes` has no test `3`: did you mean `1`?");
    for flag in ["--transcript", "--keep-output"] {
        good(&["a problem", "yes", flag, "t"]).refused(&format!(
            "{flag} names one file, but 2 tests would be run: choose one with --test"
        ));
    }
    let words = ["a problem", "yes", "--test", "1", "--transcript"];
    for file in [
        "a problem/tests/2.in",
        "a problem/problem.toml",
        "a problem/yes",
    ] {
        good(&[&words[..], &[file]].concat()).refused(&format!(
            "cannot write the transcript to `{file}`: this run reads that file"
        ));
    }
}

#[test]
fn a_problem_without_mistakes_is_judged() {
    good(&["a problem", "yes"]).accepted_with(&["Yes, test 1", "(0 messages, "]);
    good(&["a problem", "accepts", "--test", "2"]).accepted_with(&["Yes, test 2, accepts"]);
}

#[test]
fn problems_that_the_user_may_not_read() {
    if !is_root_or_skip("problems_that_the_user_may_not_read") {
        return;
    }
    good(&["a problem", "yes"])
        .folder_with_mode("a problem", 0o700)
        .by_nobody()
        .refused("cannot read the problem's folder `a problem`: permission denied");
    good(&["a problem", "yes"])
        .file_with_mode("a problem/problem.toml", GOOD, 0o600)
        .by_nobody()
        .refused("cannot read the problem file `a problem/problem.toml`: permission denied");
    good(&["a problem", "yes", "--test", "2"])
        .file_with_mode("a problem/tests/2.in", "2\n", 0o600)
        .refused_with(&["who cannot read `FOLDER/a problem/tests/2.in`", "chmod o+r"]);
}
