//! Bad input gets a sentence: what is wrong, where, and what to do. Never a panic, a hang or a lost
//! result.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A run of the program in a folder of its own.
struct Run {
    folder: TempDir,
    command: Command,
}

/// How it ended.
#[derive(Debug)]
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

/// The folder holds `accepts`, a contestant and interactor in one that exits with 0, and `input`.
fn run(words: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("tempdir");
    script(folder.path(), "accepts", "#!/bin/sh\nexit 0\n");
    script(
        folder.path(),
        "rejects",
        "#!/bin/sh\necho wrong answer no >&2\nexit 1\n",
    );
    fs::write(folder.path().join("input"), "1\n").expect("write");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rejoinder"));
    command
        .args(words)
        .current_dir(folder.path())
        .env("COLUMNS", "80")
        .stdin(Stdio::null());
    Run { folder, command }
}

/// `rejoinder run` of the two sample programs with more words before `--`.
fn pair(more: &[&str]) -> Run {
    let words = ["run", "--interactor", "./accepts", "--input", "input"];
    run(&[&words, more, &["--", "./accepts"]].concat())
}

fn script(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::write(&path, text).expect("write");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("chmod");
}

impl Run {
    fn ends(mut self) -> Ended {
        let (mut out, mut err) = (self.capture("out"), self.capture("err"));
        self.wait(&mut out, &mut err)
    }

    fn capture(&self, name: &str) -> File {
        let path = self.folder.path().join(format!(".captured-{name}"));
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .expect("open")
    }

    fn wait(&mut self, out: &mut File, err: &mut File) -> Ended {
        self.command.stdout(out.try_clone().expect("clone"));
        self.command.stderr(err.try_clone().expect("clone"));
        self.finish(out, err)
    }

    fn finish(&mut self, out: &mut File, err: &mut File) -> Ended {
        let mut child = self.command.spawn().expect("start rejoinder");
        let deadline = Instant::now() + Duration::from_secs(60);
        let status = loop {
            if let Some(status) = child.try_wait().expect("wait") {
                break status;
            }
            if Instant::now() > deadline {
                child.kill().expect("kill");
                panic!("it hangs");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |file: &mut File| {
            use std::io::Seek;
            let mut bytes = Vec::new();
            file.rewind()
                .and_then(|()| file.read_to_end(&mut bytes))
                .expect("read");
            let folder = self.folder.path().to_string_lossy().into_owned();
            String::from_utf8_lossy(&bytes).replace(&folder, "FOLDER")
        };
        let ended = Ended {
            status: status.code().unwrap_or(-1),
            stdout: text(out),
            stderr: text(err),
        };
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        ended
    }

    /// It is the user's mistake, and all that is said is this.
    fn refused(self, sentence: &str) {
        let ended = self.ends();
        assert_eq!(
            (ended.status, ended.stderr.trim_end()),
            (2, sentence),
            "{ended:?}"
        );
        assert_eq!(ended.stdout, "");
    }

    /// It is the user's mistake, and what is said has these words.
    fn refused_with(self, words: &[&str]) {
        let ended = self.ends();
        assert_eq!(ended.status, 2, "{ended:?}");
        for words in words {
            assert!(
                ended.stderr.contains(words),
                "{words:?} not in {}",
                ended.stderr
            );
        }
    }
}

#[test]
fn nothing_to_run() {
    run(&["run"]).refused(
        "rejoinder: say what to run: a problem folder and a solution, or --interactor, --input \
         and, after `--`, the contestant",
    );
    run(&[]).refused_with(&["Usage: rejoinder <COMMAND>"]);
    run(&["rn"]).refused_with(&["'rn'", "Usage"]);
    run(&["run", "--memry", "1MiB"]).refused_with(&["--memry", "--memory"]);
}

fn program(name: &str, text: &[u8], mode: u32) -> Run {
    let run = run(&[
        "run",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "--",
        name,
    ]);
    if !text.is_empty() || mode != 0 {
        script(run.folder.path(), name.trim_start_matches("./"), text);
        let path = run.folder.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("chmod");
    }
    run
}

/// The beginning of an ELF file of this class (1: 32 bits, 2: 64 bits) and machine.
fn elf(class: u8, machine: u8) -> Vec<u8> {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', class, 1, 1, 0];
    bytes.resize(16, 0);
    bytes.extend([2, 0, machine, 0]);
    bytes.resize(64, 0);
    bytes
}

#[test]
fn programs_that_cannot_be_started() {
    program("./missing", b"", 0).refused("rejoinder: there is no file `./missing`");
    program("no-such-program", b"", 0).refused_with(&["`no-such-program`", "$PATH"]);
    program("./empty", b"", 0o755).refused_with(&["`./empty`", "empty"]);
    program("./text", b"hello\n", 0o755).refused_with(&["`./text`", "neither", "`#!`"]);
    program("./plain", b"#!/bin/sh\n", 0o644).refused_with(&["`./plain`", "chmod +x"]);
    program("./arm", &elf(2, 183), 0o755).refused_with(&["`./arm`", "x86-64"]);
    program("./old", &elf(1, 3), 0o755).refused_with(&["`./old`", "32"]);
    program("./bang", b"#!/no/such/shell\n", 0o755).refused_with(&["/no/such/shell"]);
    run(&[
        "run",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "--",
        "/etc",
    ])
    .refused("rejoinder: `/etc` is a folder, not a program: name a file in it");
    run(&[
        "run",
        "--interactor",
        "'",
        "--input",
        "input",
        "--",
        "./accepts",
    ])
    .refused_with(&["--interactor", "split into words"]);
}

#[test]
fn a_program_that_only_the_kernel_refuses_is_judged_not_crashed() {
    // A 64-bit header with nothing behind it.
    let ended = program("./broken", &elf(2, 62), 0o755).ends();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stdout.contains("could not be started"), "{ended:?}");
}

#[test]
fn inputs_that_cannot_be_read() {
    let of = |input: &str| {
        run(&[
            "run",
            "--interactor",
            "./accepts",
            "--input",
            input,
            "--",
            "./accepts",
        ])
    };
    of("missing")
        .refused("rejoinder: cannot read the input file `missing`: no such file or directory");
    of("/etc").refused("rejoinder: the input file `/etc` is a folder: give the file itself");
    pair(&["--answer", "gone"])
        .refused("rejoinder: cannot read the answer file `gone`: no such file or directory");
}

#[test]
fn limits_that_make_no_sense() {
    for (flag, value, words) in [
        ("--cpu", "0", "no time at all"),
        ("--cpu", "0s", "no time at all"),
        ("--cpu", "-1", "-1"),
        ("--cpu", "-1s", "-1s"),
        ("--cpu", "1", "\"1s\""),
        ("--cpu", "1e99", "not a duration"),
        ("--cpu", "nan", "not a duration"),
        ("--wall", "1x", "unknown unit"),
        ("--idle", "99999999h", "8760h"),
        ("--memory", "0MiB", "less than a byte"),
        ("--memory", "-1MiB", "-1MiB"),
        ("--memory", "12", "\"12MiB\""),
        ("--memory", "9999999TiB", "1048576TiB"),
        ("--output", "1e99", "not a size"),
        ("--tasks", "0", "at least one task"),
        ("--tasks", "-3", "-3"),
        ("--tasks", "1.5", "whole number"),
        ("--interactor-cpu", "0", "no time at all"),
        ("--cpu-set", "a", "no list of CPUs"),
        ("--cpu-set", "1000", "CPU 1000"),
        ("--protocol", "acm", "testlib"),
        ("--channel", "fifo", "tmpfs"),
    ] {
        pair(&[&format!("{flag}={value}")]).refused_with(&[words]);
    }
    // Also with a space before the value.
    pair(&["--cpu", "-1"]).refused_with(&["--cpu"]);
}

#[test]
fn transcripts_that_cannot_be_written() {
    pair(&["--transcript", "no/folder/t"])
        .refused("rejoinder: cannot write the transcript `no/folder/t`: no such file or directory");
    pair(&["--transcript", "/"]).refused_with(&["cannot write the transcript `/`"]);
    let run = pair(&["--transcript", "pipe"]);
    nix::unistd::mkfifo(
        &run.folder.path().join("pipe"),
        nix::sys::stat::Mode::S_IRWXU,
    )
    .expect("mkfifo");
    run.refused_with(&["a named pipe would block the run"]);
}

#[test]
fn a_full_disk_under_the_transcript_costs_no_verdict() {
    let ended = pair(&["--transcript", "/dev/full"]).ends();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("AC  accepted"), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("the transcript is incomplete: no space left on device"),
        "{ended:?}"
    );
}

#[test]
fn a_small_file_system_under_the_transcript_costs_no_verdict() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("skipped: only root can mount a small tmpfs");
        return;
    }
    let mut run = run(&[]);
    let folder = run.folder.path().to_owned();
    script(
        &folder,
        "talks",
        "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do\nprintf '%09999d\\n' 1\ndone\n",
    );
    script(&folder, "reads", "#!/bin/sh\ncat > /dev/null\n");
    fs::create_dir(folder.join("small")).expect("mkdir");
    let script = format!(
        "mount -t tmpfs -o size=16k none small && {} run --interactor ./reads --input input \
         --transcript small/t -- ./talks; echo $?; tail -c 1 small/t | od -c",
        env!("CARGO_BIN_EXE_rejoinder")
    );
    run.command = Command::new("unshare");
    run.command
        .args(["-m", "sh", "-c", &script])
        .current_dir(&folder)
        .stdin(Stdio::null());
    let ended = run.ends();
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

/// Runs a pair with descriptors changed between fork and exec.
fn with_descriptors(change: fn()) -> Ended {
    let mut run = pair(&[]);
    let (mut out, mut err) = (run.capture("out"), run.capture("err"));
    run.command.stdout(out.try_clone().expect("clone"));
    run.command.stderr(err.try_clone().expect("clone"));
    // SAFETY: the changes are single system calls on numbers.
    unsafe {
        run.command.pre_exec(move || {
            change();
            Ok(())
        });
    }
    run.finish(&mut out, &mut err)
}

fn close(fd: i32) {
    // SAFETY: takes no pointers.
    unsafe { libc::close(fd) };
}

#[test]
fn closed_standard_streams_change_no_verdict() {
    let ended = with_descriptors(|| close(0));
    assert!(
        ended.status == 0 && ended.stdout.contains("AC  accepted"),
        "{ended:?}"
    );
    assert_eq!(with_descriptors(|| close(1)).status, 0);
    let ended = with_descriptors(|| close(2));
    assert!(
        ended.status == 0 && ended.stdout.contains("AC  accepted"),
        "{ended:?}"
    );
    let all = with_descriptors(|| [0, 1, 2].into_iter().for_each(close));
    assert_eq!(all.status, 0, "{all:?}");
}

#[test]
fn a_reader_that_has_seen_enough_changes_no_exit_status() {
    let mut run = run(&[
        "run",
        "--interactor",
        "./rejects",
        "--input",
        "input",
        "--",
        "./accepts",
    ]);
    let (reader, writer) = nix::unistd::pipe().expect("pipe");
    drop(reader);
    let mut err = run.capture("err");
    run.command
        .stdout(writer)
        .stderr(err.try_clone().expect("clone"));
    let mut nothing = run.capture("out");
    let ended = run.finish(&mut nothing, &mut err);
    assert_eq!((ended.status, ended.stderr.as_str()), (1, ""));
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    let mut run = pair(&["--json"]);
    let (mut nothing, mut err) = (run.capture("out"), run.capture("err"));
    run.command
        .stdout(File::options().write(true).open("/dev/full").expect("open"));
    run.command.stderr(err.try_clone().expect("clone"));
    let ended = run.finish(&mut nothing, &mut err);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert_eq!(
        ended.stderr.trim_end(),
        "rejoinder: failed to write to standard output: No space left on device (os error 28)"
    );
}

fn problem(text: &str) -> Run {
    let run = run(&["run", "p", "../accepts"]);
    let folder = run.folder.path().join("p");
    fs::create_dir_all(folder.join("tests")).expect("mkdir");
    fs::write(folder.join("problem.toml"), text).expect("write");
    fs::write(folder.join("tests/1.in"), "1\n").expect("write");
    script(&folder, "judge", "#!/bin/sh\nexit 0\n");
    run
}

#[test]
fn problem_folders_with_mistakes() {
    run(&["run", "nowhere", "x"]).refused("rejoinder: there is no folder `nowhere`");
    run(&["run", ".", "x"]).refused_with(&["problem.toml"]);
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
    problem("interactor = \"judge\"\n").refused_with(&["`p` has no solutions"]);
}

#[test]
fn a_problem_without_mistakes_is_judged() {
    let mut run = problem("interactor = \"judge\"\n");
    run.command = Command::new(env!("CARGO_BIN_EXE_rejoinder"));
    run.command
        .args(["run", "p", "accepts"])
        .current_dir(run.folder.path())
        .stdin(Stdio::null());
    let ended = run.ends();
    assert!(
        ended.status == 0 && ended.stdout.contains("AC  accepted"),
        "{ended:?}"
    );
}

#[test]
fn a_source_that_does_not_compile_shows_the_compilers_words() {
    let run = run(&[
        "run",
        "--interactor",
        "./accepts",
        "--input",
        "input",
        "--",
        "wrong.c",
    ]);
    fs::write(
        run.folder.path().join("wrong.c"),
        "int main(void) { return x; }\n",
    )
    .expect("write");
    run.refused_with(&["wrong.c` does not compile", "undeclared"]);
}

#[test]
fn transcripts_that_are_none() {
    run(&["show", "missing"])
        .refused("rejoinder: cannot read the transcript `missing`: no such file or directory");
    run(&["show", "input"])
        .refused("rejoinder: input:1: this is no transcript: it does not begin with a header");
    run(&["show", "."]).refused_with(&["is a directory"]);
    let binary = run(&["show", "binary"]);
    fs::write(binary.folder.path().join("binary"), [0xff, 0, b'\n', 0xfe]).expect("write");
    binary.refused_with(&["binary:1"]);
}
