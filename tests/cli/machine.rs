//! What a machine or its user may lack.

use std::fs;
use std::process::Command;

use crate::program::{Run, contestant, has_or_skip, is_root_or_skip, pair};

/// A C program that does nothing.
const SOURCE: &str = "int main(void) { return 0; }\n";

#[test]
fn folders_that_are_not_there() {
    // A cache and scratch files are wanted, and every place for them may be missing.
    pair(&[]).env_remove("HOME").accepted_with(&[]);
    for place in ["/dev/null/x", "/proc/x", "relative", ""] {
        let run = pair(&[]).env("HOME", place).env("REJOINDER_CACHE", place);
        run.env("XDG_CACHE_HOME", place).accepted_with(&[]);
    }
    let nowhere = |run: Run| {
        let run = run
            .env_remove("REJOINDER_CACHE")
            .env_remove("XDG_CACHE_HOME");
        run.env("HOME", "/nowhere")
            .env("TMPDIR", "/nowhere")
            .by_nobody()
    };
    nowhere(pair(&[])).fails_with(
        4,
        &[
            "cannot make a file in the temporary folder `/nowhere`: ",
            ": set TMPDIR to a folder",
        ],
    );
    let run = pair(&[]).env("XDG_RUNTIME_DIR", "/").env("TMPDIR", "/tmp");
    run.by_nobody().accepted_with(&[]);
}

#[test]
fn folders_that_belong_to_someone_else() {
    if !is_root_or_skip("folders_that_belong_to_someone_else") {
        return;
    }
    let run = pair(&[])
        .env_remove("XDG_RUNTIME_DIR")
        .folder_with_mode("t", 0o777);
    let temporary = run.path().join("t");
    fs::create_dir(temporary.join("rejoinder-65534")).expect("mkdir");
    run.env("TMPDIR", temporary).by_nobody().fails_with(
        4,
        &["`FOLDER/t/rejoinder-65534` belongs to someone else: remove it, or set TMPDIR"],
    );
}

#[test]
fn a_cache_that_cannot_be_written_costs_time_only() {
    if has_or_skip("gcc", "a_cache_that_cannot_be_written_costs_time_only") {
        let run = contestant(&["./a.c"]).file("a.c", SOURCE);
        run.env("REJOINDER_CACHE", "/proc/cache").accepted_with(&[]);
    }
}

#[test]
fn a_strict_umask_does_not_change_the_verdict() {
    if has_or_skip("gcc", "a_strict_umask_does_not_change_the_verdict") {
        let run = contestant(&["./a.c"]).file("a.c", SOURCE);
        run.after("umask 077").accepted_with(&[]);
    }
}

#[test]
fn compiled_programs_run_under_landlock() {
    if has_or_skip("gcc", "compiled_programs_run_under_landlock") {
        let words = [
            "run",
            "--isolation",
            "landlock",
            "--interactor",
            "./accepts",
        ];
        let more = ["--input", "input", "--", "./a.c"];
        let run = crate::program::run(&[&words[..], &more[..]].concat());
        run.file("a.c", SOURCE).accepted_with(&["landlock"]);
    }
}

#[test]
fn isolation_is_what_was_asked_for() {
    for isolation in ["landlock", "namespaces"] {
        let run = || pair(&["--isolation", isolation]);
        let shown = isolation.trim_end_matches('s');
        run().accepted_with(&["isolation seccomp", shown]);
        run()
            .by_nobody()
            .accepted_with(&["isolation seccomp", shown]);
    }
}

#[test]
fn a_current_folder_that_is_gone_or_closed() {
    let gone = |words: &[&str]| {
        let run = pair(&[]);
        let path = |name: &str| run.path().join(name).to_string_lossy().into_owned();
        let (program, input) = (path("accepts"), path("input"));
        let mut command = Command::new(run.command.get_program());
        command.args(["run", "--interactor", &program, "--input", &input]);
        command.args(words).args(["--", &program]);
        let run = run.replace(command);
        run.after("mkdir gone && cd gone && rmdir ../gone")
    };
    gone(&[]).accepted_with(&[]);
    gone(&["--isolation", "landlock"]).accepted_with(&[]);
    gone(&["--transcript", "t"])
        .refused("cannot write the transcript `t`: no such file or directory");
    for isolation in ["landlock", "strongest"] {
        let words = ["run", "--isolation", isolation, "--interactor", "/bin/true"];
        let more = ["--input", "/etc/passwd", "--", "/bin/true"];
        let run = crate::program::run(&[&words[..], &more[..]].concat()).by_nobody();
        run.after("mkdir closed && cd closed && chmod 0 .")
            .accepted_with(&[]);
    }
}

#[test]
fn few_descriptors() {
    for (count, words) in [
        (8, ""),
        (20, "too many open files: allow more with `ulimit -n`"),
    ] {
        pair(&[])
            .after(&format!("ulimit -n {count}"))
            .fails_with(4, &["too many open files", words]);
    }
    pair(&[]).after("ulimit -n 64").accepted_with(&[]);
}

#[test]
fn few_processes() {
    // The number of processes that the user has is others' as well, so the limit is either far too
    // low or far above it.
    if has_or_skip("prlimit", "few_processes") {
        pair(&[])
            .by_nobody()
            .after("prlimit --pid $$ --nproc=1:1")
            .fails_with(
                4,
                &[
                    "resource temporarily unavailable: this user may have no more",
                    "`ulimit -u`",
                ],
            );
    }
}

#[test]
fn hard_limits_below_ours_are_said() {
    let run = |shell| pair(&[]).by_nobody().after(shell);
    run("ulimit -s 8192").accepted_with(&[
        "warning the stack is limited to 8192 KiB, not to the memory limit: this user's hard \
         limit (`ulimit -Hs`) allows no more",
    ]);
    run("ulimit -t 1").accepted_with(&[
        "warning the CPU time is limited to 1 s: this user's hard limit (`ulimit -Ht`) allows no \
         more",
    ]);
    run("ulimit -f 2").accepted_with(&[
        "warning the output is limited to 1024 bytes: this user's hard limit (`ulimit -Hf`) \
         allows no more",
    ]);
    pair(&["--stack", "16MiB"]).by_nobody().after("ulimit -s 8192").refused(
        "a stack of 16777216 bytes is more than this user may have (8388608 bytes): raise the hard \
         limit (`ulimit -Hs`) or ask for less with --stack",
    );
}

#[test]
fn a_file_size_limit_under_the_transcript_costs_no_verdict() {
    let run = pair(&["--transcript", "t"]).by_nobody();
    // The report goes to a pipe, which has no size.
    let output = run.after("ulimit -f 0").output();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(
        report.contains("transcript is incomplete: file too large"),
        "{report}"
    );
}
