//! `rejoinder exec`: one program in the sandbox.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::flags::{self, ContestantLimits, Place};
use crate::error::{Context, Error, Result, shown};
use crate::interrupts;
use crate::outcome::{RunnerOutcome, Stderr};
use crate::participant::stderr::Excerpt;
use crate::report::alone;
use crate::runner::{self, Captured};
use crate::spec::cache::Cache;
use crate::spec::inputs;
use crate::spec::language::Languages;
use crate::spec::outputs;
use crate::spec::plan::{Capture, RunnerPlan};
use crate::spec::resolve::resolve;

/// What the help says at its end.
const AFTER_HELP: &str = "\
The program may be an executable, a script, or a source in C, C++, Rust, Python, Java, JavaScript \
or Go, which is compiled and cached. It reads --stdin, or our own standard input if that is a file \
or a pipe. Its output goes to standard output, the report to standard error; with --json the \
report goes to standard output and has the output in it.

Exit status: 0 the program ended with exit code 0 within its limits, 1 it did not, 2 a mistake in \
the command line, 4 internal-error, 128 + n interrupted by signal n.

Examples:
  rejoinder exec -- ./solution < 1.in > 1.out
  rejoinder exec --cpu 2s --memory 64MiB --stdin 1.in --stdout 1.out --json -- solution.cpp
  rejoinder exec --address-space 64MiB -- ./solution";

/// Run one program in the sandbox, with its limits, and report what it did
#[derive(Debug, Args)]
#[command(
    override_usage = "rejoinder exec [OPTIONS] -- PROGRAM [ARGUMENTS]",
    after_help = AFTER_HELP
)]
pub(super) struct Exec {
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
    /// The file that it reads [default: our own standard input]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// The file that its output goes to [default: our own standard output]
    #[arg(long, value_name = "FILE")]
    stdout: Option<PathBuf>,
    /// How its output is captured (see docs/capture.md) [default: pipe-file]
    #[arg(long, value_enum, value_name = "METHOD")]
    capture: Option<Method>,
    /// A file or folder that it may read, besides its own program (may be repeated)
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// A table of languages that adds to the built-in one, or overrides it
    #[arg(
        long,
        value_name = "FILE",
        env = "REJOINDER_LANGUAGES",
        hide_env_values = true
    )]
    languages: Option<PathBuf>,
    /// Print one JSON object instead of the report (see docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: ContestantLimits,
    #[command(flatten)]
    place: Place,
}

/// How output is captured.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Method {
    File,
    Tmpfs,
    Pipe,
    PipeFile,
    PipeTmpfs,
    Peek,
    Readv,
}

impl From<Method> for Capture {
    fn from(method: Method) -> Self {
        match method {
            Method::File => Capture::File,
            Method::Tmpfs => Capture::Tmpfs,
            Method::Pipe => Capture::Pipe,
            Method::PipeFile => Capture::PipeToFile,
            Method::PipeTmpfs => Capture::PipeToTmpfs,
            Method::Peek => Capture::Peek,
            Method::Readv => Capture::Readv,
        }
    }
}

impl Exec {
    pub(super) fn execute(&self) -> Result<u8> {
        interrupts::catch()?;
        // As in `run`: daemons of a program that has ended are ours to reap.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        let plan = self.plan()?;
        let mut outcome = runner::run(&plan)?;
        let most = plan.limits.output;
        let output = outcome.output.take();
        if self.json {
            let stdout = output.map(|captured| excerpt(captured, most)).transpose()?;
            super::print(&(alone::json(&outcome, stdout.as_ref()) + "\n"))?;
        } else {
            let copied = match output {
                Some(mut captured) => captured.copy_to(&mut io::stdout().lock(), most),
                None => Ok(()),
            };
            super::tell(&alone::render(&outcome, super::width()));
            match copied {
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {}
                copied => copied.context(|| "write the output to standard output".into())?,
            }
        }
        Ok(exit_status(&outcome))
    }

    fn plan(&self) -> Result<RunnerPlan> {
        let languages = match &self.languages {
            Some(file) => Languages::with_file(file)?,
            None => Languages::builtin(),
        };
        let command = resolve(&self.command, &languages, &Cache::open()?)?;
        let command = inputs::with_reads(command, &self.read)?;
        let stdin = self.stdin.as_deref();
        let stdin = stdin.map(input_file);
        let stdin = stdin.transpose()?;
        let mut used: Vec<PathBuf> = command.reads.clone();
        used.push(command.program.clone());
        used.extend(self.command.first().map(PathBuf::from));
        used.extend(stdin.clone());
        let stdout = self.stdout.as_deref();
        let stdout = stdout.map(|path| outputs::captured(path, &used));
        let stdout = stdout.transpose()?;
        let base = flags::default_limits().0;
        Ok(RunnerPlan {
            command,
            limits: self.limits.over(&base),
            stdin,
            capture: self.capture.map_or_else(Capture::default, Capture::from),
            stdout,
            cpus: self.place.cpu_set.clone(),
            isolation: self.place.isolation(),
            require: self.place.require()?,
            explain: self.place.explain(),
        })
    }
}

/// The file that is to be read, as an absolute path.
fn input_file(path: &Path) -> Result<PathBuf> {
    let is_pipe = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    match is_pipe {
        true => Err(Error::usage(format!(
            "the input file {} is a pipe: leave --stdin out and redirect ours (`< PIPE`)",
            shown(path)
        ))),
        false => inputs::input_file("input file", path),
    }
}

/// The status to exit with.
fn exit_status(outcome: &RunnerOutcome) -> u8 {
    match (outcome.interrupted, outcome.judgement.failure) {
        (Some(signal), _) => 128u8.saturating_add(signal as u8),
        (None, None) => 0,
        (None, Some(verdict)) => verdict.exit_status(),
    }
}

/// The beginning and the end of an output, as a report has it.
fn excerpt(mut captured: Captured, most: u64) -> Result<Stderr> {
    let mut kept = Excerpt::default();
    let copied = captured.copy_to(&mut kept, most);
    copied.context(|| "read the captured output".into())?;
    Ok(kept.kept())
}
