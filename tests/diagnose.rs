//! Unflushed output is found in the memory of programs that wait: in C, C++, Rust and Python, however
//! they are linked. And whatever a program does to its memory, a look into it ends.
//!
//! - `holds`: programs that print in every way there is. What is found and what was written must
//!   together be what was printed.
//! - `lies`: programs that damage what a look goes by.

#[expect(dead_code, reason = "shared with the tests of the binary")]
mod harness;
#[path = "diagnose/tables.rs"]
mod tables;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::Duration;

use harness::identity::Identity;
use harness::programs::{Build, Program, Source};
use libtest_mimic::{Arguments, Failed, Trial};
use nix::time::{ClockId, clock_gettime};
use rejoinder::diagnose::{KEPT, Unflushed, unflushed};
use tables::{
    C, C_LIES, C_WAYS, CXX, CXX_LIAR, CXX_LIES, CXX_WAYS, LIAR, MUSL, MUSL_WAYS, PYTHON_LIAR,
    PYTHON_LIES, PYTHON_WAYS, PYTHONS, RUST, RUST_WAYS, STRIPPED, STRIPPED_CXX, STRIPPED_CXX_WAYS,
    STRIPPED_LIAR, STRIPPED_LIES, Way,
};

/// CPU time that a look may take on any content. A look at an honest program takes a fraction of a
/// millisecond.
const LOOK: Duration = Duration::from_millis(50);

/// How often a program that changes its memory all the time is looked at.
const LOOKS: usize = 1500;

/// What is printed by the ways whose output is partly written.
fn long_output() -> Vec<u8> {
    (0..10000u32).map(|i| b'a' + (i % 26) as u8).collect()
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for (stem, ending, builds, ways) in [
        ("holds", "c", &C[..], &C_WAYS[..]),
        ("holds", "c", &MUSL[..], &MUSL_WAYS[..]),
        ("holds", "c", &STRIPPED[..], &C_WAYS[..C_WAYS.len() - 1]),
        ("holds", "cpp", &STRIPPED_CXX[..], &STRIPPED_CXX_WAYS[..]),
        ("holds", "cpp", &CXX[..], &CXX_WAYS[..]),
        ("holds", "rs", &RUST[..], &RUST_WAYS[..]),
    ] {
        for build in builds {
            trials.extend(ways.iter().map(|way| {
                let source = format!("{stem}.{ending}");
                trial(source, *build, way.0, move |program| holds(program, way))
            }));
        }
    }
    for python in PYTHONS {
        trials.extend(PYTHON_WAYS.iter().map(|way| of_python(python, way)));
    }
    for (source, build, ways) in [
        ("lies.c", LIAR, &C_LIES[..]),
        ("lies.c", STRIPPED_LIAR, &STRIPPED_LIES[..]),
        ("lies.cpp", CXX_LIAR, &CXX_LIES[..]),
        ("lies_python.c", PYTHON_LIAR, &PYTHON_LIES[..]),
    ] {
        for (way, is_found) in ways {
            let test = |program| lies(program, way, *is_found);
            trials.push(trial(source.to_owned(), build, way, test));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// A trial of a program; it is ignored, with the reason in its name, where there is no compiler.
fn trial(
    source: String,
    build: Build,
    way: &str,
    test: impl FnOnce(Program) -> Result<(), String> + Send + 'static,
) -> Trial {
    let path = sources().join(&source);
    let source = Source::at(&path).map(|source| source.built_by(build));
    let missing = source
        .as_ref()
        .ok()
        .and_then(|source| source.missing_tool(Identity::Own));
    let mut name = format!("{}/{}/{way}", file_name(&path), build.name);
    if let Some(tool) = missing {
        name.push_str(&format!(" (no {tool})"));
    }
    let run = move || Ok(test(source?.built()?)?);
    let run =
        move || run().map_err(|error: Box<dyn std::error::Error>| Failed::from(error.to_string()));
    Trial::test(name, run).with_ignored_flag(missing.is_some())
}

/// A trial of a script; ignored where there is no such interpreter.
fn of_python(python: &'static str, way: &'static Way) -> Trial {
    // A version manager has commands for versions that it does not have.
    let version = Command::new(python)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_missing = !version.is_ok_and(|status| status.success());
    let mut name = format!("holds.py/{python}/{}", way.0);
    if is_missing {
        name.push_str(&format!(" (no {python})"));
    }
    let script = sources().join("holds.py");
    // Whatever the environment says of buffers.
    let argv = [python, "-E", &script.to_string_lossy()]
        .map(str::to_owned)
        .into();
    let run = move || Ok(holds(Program { argv }, way)?);
    Trial::test(name, run).with_ignored_flag(is_missing)
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnose")
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A program that waits, as a child of this test; it is killed at the end.
struct Waiting {
    child: Child,
    stdout: ChildStdout,
    program: PathBuf,
}

impl Waiting {
    /// Starts it and lets it get as far as its waiting.
    fn start(program: &Program, words: &[&str]) -> Result<Waiting, String> {
        let Program { argv } = program.with_args(words);
        let mut command = Command::new(&argv[0]);
        command
            .args(&argv[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let waiting = Waiting {
            child,
            stdout: stdout.ok_or("no stdout")?,
            program: PathBuf::from(&argv[0]),
        };
        let mut ready = [0; 6];
        let told = stderr.ok_or("no stderr")?.read_exact(&mut ready);
        match told {
            Ok(()) if &ready == b"ready\n" => Ok(waiting),
            told => Err(format!("it is not ready: {told:?}, {ready:?}")),
        }
    }

    fn look(&self) -> Vec<Unflushed> {
        unflushed(
            self.child.id().cast_signed(),
            &self.program,
            rejoinder::diagnose::deadline(),
        )
    }

    /// Kills it; what it had written.
    fn written(&mut self) -> Result<Vec<u8>, String> {
        let _ = self.child.kill();
        let mut written = Vec::new();
        let read = self.stdout.read_to_end(&mut written);
        read.map(|_| written).map_err(|error| error.to_string())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn holds(program: Program, (way, expected): &Way) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let note = folder.path().join("note").to_string_lossy().into_owned();
    let mut waiting = Waiting::start(&program, &[way, &note])?;
    let found = waiting.look();
    if found != waiting.look() {
        return Err(format!("two looks differ: {found:?}, {:?}", waiting.look()));
    }
    let written = waiting.written()?;
    let late = long_output().split_off(written.len().min(10000));
    let expected: Vec<_> = expected
        .iter()
        .map(|(stream, bytes)| (*stream, bytes.unwrap_or(&late)))
        .collect();
    let summary: Vec<_> = found
        .iter()
        .map(|f| {
            (
                &*f.stream,
                f.descriptor,
                f.total,
                String::from_utf8_lossy(&f.bytes),
            )
        })
        .collect();
    let is_same = |(found, (stream, bytes)): (&Unflushed, &(&str, &[u8]))| {
        let kept = bytes.get(..KEPT).unwrap_or(bytes);
        let to_stdout = match *stream {
            "stdout" | "std::cout" | "std::wcout" => *way != "fast-file",
            // What Python writes to, and a copy of descriptor 1.
            stream => stream.starts_with("sys.") || stream == "file descriptor 4",
        };
        found.stream == *stream
            && found.total == bytes.len() as u64
            && found.bytes == kept
            && found.to_stdout == to_stdout
    };
    match found.len() == expected.len() && found.iter().zip(&expected).all(is_same) {
        true => Ok(()),
        false => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let expected = expected.iter().map(|(stream, bytes)| (stream, text(bytes)));
            Err(format!(
                "found {summary:?} instead of {:?}",
                expected.collect::<Vec<_>>()
            ))
        }
    }
}

fn lies(program: Program, way: &str, is_found: bool) -> Result<(), String> {
    let mut waiting = match way {
        "gone" => Waiting::start(&program, &["itself"])?,
        way => Waiting::start(&program, &[way])?,
    };
    if way == "gone" {
        waiting.written()?;
        waiting.child.wait().map_err(|error| error.to_string())?;
    }
    let looks = match way {
        "random" | "remapped" => LOOKS,
        _ => 20,
    };
    for _ in 0..looks {
        let before = cpu_time();
        let found = waiting.look();
        let took = cpu_time().saturating_sub(before);
        if took > LOOK {
            return Err(format!("a look took {took:?} of CPU time"));
        }
        if found
            .iter()
            .any(|found| found.bytes.len() > KEPT || found.total == 0)
        {
            return Err(format!("found {found:?}"));
        }
        let finds = found.iter().any(|found| found.bytes == b"? 50\n");
        if is_found && !finds {
            return Err(format!("the message was not found, but {found:?}"));
        }
    }
    // It must have lived through its own lies, or this would have tested nothing.
    let lives = waiting
        .child
        .try_wait()
        .map_err(|error| error.to_string())?
        .is_none();
    match lives || way == "gone" {
        true => Ok(()),
        false => Err("the program has died".to_owned()),
    }
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock of this thread");
    Duration::from(now)
}
