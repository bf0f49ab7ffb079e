//! The program that prints, and one run of it.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sched::CpuSet;

use crate::harness::process::{Program, Wiring, start};
use crate::methods::{Method, Writing};

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Limits so wide that no figure depends on them.
const LIMITS: [&str; 10] = [
    "--cpu", "250s", "--wall", "280s", "--idle", "250s", "--memory", "1GiB", "--output", "1GiB",
];

/// What one run took. Times in milliseconds, memory in KiB.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// User and system time of the program: what a CPU limit is held against.
    pub(crate) cpu_ms: f64,
    /// Real time of the program, from its start to its end.
    pub(crate) real_ms: f64,
    /// Real time of the whole command, which ends when the output lies in its file.
    pub(crate) whole_ms: f64,
    /// Of rejoinder, where it takes part.
    pub(crate) coordinator: Option<Coordinator>,
}

/// What rejoinder itself needs for a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coordinator {
    /// Not a number where the kernel does not tell.
    pub(crate) cpu_ms: f64,
    pub(crate) memory_kib: f64,
    /// What it reports as the program's memory.
    pub(crate) program_memory_kib: f64,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    program: PathBuf,
    folder: PathBuf,
    cpu: usize,
}

impl Bench {
    /// Compiles the program into the folder. Everything runs on that CPU.
    pub(crate) fn new(folder: &Path, cpu: usize) -> Result<Bench> {
        let source = folder.join("print.cpp");
        std::fs::write(&source, include_str!("print.cpp")).context("failed to write print.cpp")?;
        let program = folder.join("print");
        let compiled = Command::new("c++")
            .arg("-O0")
            .arg("-o")
            .args([&program, &source])
            .output()
            .context("failed to run `c++`; the benchmark needs a C++ compiler")?;
        if !compiled.status.success() {
            bail!(
                "`c++` refused print.cpp: {}",
                String::from_utf8_lossy(&compiled.stderr)
            );
        }
        Ok(Bench {
            program,
            folder: folder.to_owned(),
            cpu,
        })
    }

    /// Prints so many bytes.
    pub(crate) fn run(&self, method: Method, writing: Writing, bytes: u64) -> Result<Run> {
        self.attempt(method, writing, bytes)
            .with_context(|| format!("method {}, {bytes} bytes", method.name()))
    }

    fn attempt(&self, method: Method, writing: Writing, bytes: u64) -> Result<Run> {
        let place = |name: &str| self.folder.join(name);
        let (input, output) = (place("input"), place("output"));
        std::fs::write(&input, format!("{bytes}\n")).context("failed to write the input")?;
        // An old file would be emptied in the time that is taken, and some file systems hurry to
        // write out a file that was emptied before.
        let _ = std::fs::remove_file(&output);
        let words = self.words(method, writing, &input, &output);
        let (path, args) = words.split_first().context("no program")?;
        let program = Program::new(path, args)?;
        let printed = match method {
            Method::Bare => &output,
            _ => &place("report"),
        };
        let (stdin, stdout, stderr) = (
            File::open(&input).context("failed to open the input")?,
            File::create(printed).context("failed to make a file for what is printed")?,
            File::create(place("messages")).context("failed to make a file for the messages")?,
        );
        let mut cpus = CpuSet::new();
        cpus.set(self.cpu)
            .context("the CPU does not fit into a CPU set")?;
        let wiring = Wiring {
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: Some(stderr.as_fd()),
            cpus: Some(cpus),
        };
        let began = Instant::now();
        let (ended, own_cpu) = start(&program, &wiring)?.wait_apart(began + TIME_LIMIT)?;
        let whole_ms = milliseconds(began.elapsed());
        if ended.code != 0 {
            let messages = std::fs::read(place("messages")).unwrap_or_default();
            let report = std::fs::read(place("report")).unwrap_or_default();
            bail!(
                "it exited with {}: {}{}",
                ended.code,
                String::from_utf8_lossy(&messages).trim(),
                String::from_utf8_lossy(&report[..report.len().min(400)]),
            );
        }
        check(&output, bytes)?;
        if method == Method::Bare {
            return Ok(Run {
                cpu_ms: milliseconds(ended.cpu),
                real_ms: whole_ms,
                whole_ms,
                coordinator: None,
            });
        }
        let report = std::fs::read(printed).context("failed to read the report")?;
        let report: serde_json::Value =
            serde_json::from_slice(&report).context("the report is no JSON")?;
        let number = |name: &str| {
            report["program"][name]
                .as_f64()
                .with_context(|| format!("the report has no number `program.{name}`"))
        };
        Ok(Run {
            cpu_ms: number("cpu_ms")?,
            real_ms: number("wall_ms")?,
            whole_ms,
            coordinator: Some(Coordinator {
                cpu_ms: own_cpu.map_or(f64::NAN, milliseconds),
                memory_kib: ended.resident_kib as f64,
                program_memory_kib: number("memory_kib")?,
            }),
        })
    }

    fn words(
        &self,
        method: Method,
        writing: Writing,
        input: &Path,
        output: &Path,
    ) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        if method != Method::Bare {
            words.extend([env!("CARGO_BIN_EXE_rejoinder").into(), "exec".into()]);
            words.extend(LIMITS.map(OsString::from));
            let cpu = self.cpu.to_string();
            words.extend(["--json", "--cpu-set", &cpu].map(OsString::from));
            words.extend(["--capture", method.name()].map(OsString::from));
            words.extend(["--stdin".into(), input.into(), "--stdout".into()]);
            words.extend([output.into(), "--".into()]);
        }
        words.push(self.program.clone().into_os_string());
        if writing == Writing::Unbuffered {
            words.push("unbuffered".into());
        }
        words
    }
}

/// An error if a file is not so many zeros. It is read in pieces: the memory of this process
/// counts as that of what it starts (see [`crate::harness::process::Ended`]).
fn check(output: &Path, bytes: u64) -> Result<()> {
    let mut file = File::open(output).context("failed to open the captured output")?;
    let mut piece = vec![0; 64 << 10];
    let mut total = 0;
    loop {
        match file.read(&mut piece).context("failed to read the output")? {
            0 => break,
            found if piece[..found].iter().any(|byte| *byte != b'0') => {
                bail!("something else was captured than what the program prints");
            }
            found => total += found as u64,
        }
    }
    match total == bytes {
        true => Ok(()),
        false => bail!("{total} bytes were captured"),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
