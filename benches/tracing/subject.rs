//! The ways in which one program is run, and one run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::harness::process::only;
use crate::harness::{alone, compile, places};

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Limits so wide that no figure depends on them.
const LIMITS: [&str; 6] = ["--cpu", "100s", "--wall", "110s", "--idle", "100s"];

/// Who watches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watcher {
    Nobody,
    /// A filter of one instruction, which lets every call go on.
    AllowingFilter,
    /// `rejoinder exec`.
    Rejoinder,
    /// A stop before and after every system call.
    Ptrace,
    /// `strace -f`, which writes every call down.
    Strace,
    /// `strace -c`, which counts.
    StraceCounts,
}

/// What the program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// So many system calls that do next to nothing.
    Calls(u64),
    /// So many steps without a system call.
    Steps(u64),
    Nothing,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    work: PathBuf,
    allow: PathBuf,
    stops: PathBuf,
    strace: Option<PathBuf>,
    folder: PathBuf,
    cpu: usize,
}

impl Bench {
    /// Compiles the programs into the folder. Everything runs on that CPU.
    pub(crate) fn new(folder: &Path, cpu: usize) -> Result<Bench> {
        let program = |name, text| compile::c(folder, name, text, &["-static"]);
        Ok(Bench {
            work: program("work", include_str!("work.c"))?,
            allow: program("allow", include_str!("allow.c"))?,
            stops: program("stops", include_str!("stops.c"))?,
            strace: places::installed("strace"),
            folder: folder.to_owned(),
            cpu,
        })
    }

    /// Why nothing can be measured under this watcher, if so.
    pub(crate) fn missing(&self, watcher: Watcher) -> Option<String> {
        match watcher {
            Watcher::Strace | Watcher::StraceCounts if self.strace.is_none() => {
                Some("skipped: `strace` is not installed".to_owned())
            }
            _ => None,
        }
    }

    fn words(&self, watcher: Watcher, work: Work) -> Vec<OsString> {
        let strace = || self.strace.clone().unwrap_or_default().into_os_string();
        let mut words: Vec<OsString> = match watcher {
            Watcher::Nobody => Vec::new(),
            Watcher::AllowingFilter => vec![self.allow.clone().into_os_string()],
            Watcher::Rejoinder => {
                let mut words = vec![env!("CARGO_BIN_EXE_rejoinder").into(), "exec".into()];
                words.extend(LIMITS.map(OsString::from));
                words.extend(["--cpu-set".into(), self.cpu.to_string().into(), "--".into()]);
                words
            }
            Watcher::Ptrace => vec![self.stops.clone().into_os_string()],
            Watcher::Strace => vec![strace(), "-f".into(), "-o".into(), "/dev/null".into()],
            Watcher::StraceCounts => vec![strace(), "-c".into(), "-o".into(), "/dev/null".into()],
        };
        words.push(self.work.clone().into_os_string());
        match work {
            Work::Calls(times) => words.extend(["calls".into(), times.to_string().into()]),
            Work::Steps(times) => words.extend(["steps".into(), times.to_string().into()]),
            Work::Nothing => {}
        }
        words
    }

    /// Runs the program; the time is the one from before the fork until after the wait.
    fn run(&self, watcher: Watcher, work: Work) -> Result<(Duration, Vec<u8>)> {
        let words = self.words(watcher, work);
        let ran = alone::run(&words, &self.folder, Some(only(self.cpu)?), TIME_LIMIT)?;
        let ran = ran.succeeded(&words[0])?;
        Ok((ran.took, ran.stdout))
    }

    /// Nanoseconds that the program's loop took.
    pub(crate) fn nanoseconds(&self, watcher: Watcher, work: Work) -> Result<f64> {
        let (_, output) = self.run(watcher, work)?;
        let text = String::from_utf8_lossy(&output);
        let text = text.trim();
        text.parse()
            .with_context(|| format!("the program printed `{text}` instead of a number"))
    }

    /// Milliseconds from before the start of the program, which does nothing, until its end is
    /// known.
    pub(crate) fn start_ms(&self, watcher: Watcher) -> Result<f64> {
        let (took, _) = self.run(watcher, Work::Nothing)?;
        Ok(took.as_secs_f64() * 1e3)
    }
}
