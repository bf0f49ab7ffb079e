//! One command from start to end, with nothing to read and its outputs in files.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sched::CpuSet;

use super::process::{Ended, Program, Wiring, start};

/// What became of a command.
pub(crate) struct Ran {
    /// Real time from before the fork until after the wait.
    pub(crate) took: Duration,
    pub(crate) ended: Ended,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Runs the command, the first word of which is a path; its outputs are kept in the folder
/// meanwhile. Without `cpus` it runs on every CPU that the benchmark may use.
pub(crate) fn run(
    words: &[OsString],
    folder: &Path,
    cpus: Option<CpuSet>,
    limit: Duration,
) -> Result<Ran> {
    let (path, args) = words.split_first().context("no program")?;
    let program = Program::new(path, args)?;
    let (printed, complained) = (folder.join("stdout"), folder.join("stderr"));
    let (stdin, stdout, stderr) = (
        File::open("/dev/null").context("failed to open /dev/null")?,
        File::create(&printed).context("failed to make a file for the output")?,
        File::create(&complained).context("failed to make a file for the messages")?,
    );
    let wiring = Wiring {
        stdin: stdin.as_fd(),
        stdout: stdout.as_fd(),
        stderr: Some(stderr.as_fd()),
        cpus,
    };
    let began = Instant::now();
    let ended = start(&program, &wiring)?.wait(began + limit)?;
    let took = began.elapsed();
    Ok(Ran {
        took,
        ended,
        stdout: std::fs::read(&printed).context("failed to read the output")?,
        stderr: std::fs::read(&complained).context("failed to read the messages")?,
    })
}

impl Ran {
    /// Demands the exit code 0; otherwise the error says what `name` complained of.
    pub(crate) fn succeeded(self, name: &OsString) -> Result<Ran> {
        if self.ended.code != 0 {
            bail!(
                "{} exited with {}: {}",
                name.to_string_lossy(),
                self.ended.code,
                String::from_utf8_lossy(&self.stderr).trim()
            );
        }
        Ok(self)
    }
}
