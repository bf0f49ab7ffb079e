//! Runs a compiler or an interpreter of this machine to its end, within a bounded time.
//!
//! This is for the user's own tools before a session starts; it isolates nothing.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::error::{Context, Error, Result, no_temporary_files};
use crate::interrupts;

/// How much of a tool's output is read; what follows is of no use to a person.
const KEPT: u64 = 256 << 10;

/// How a tool ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    /// None if it was stopped because its time was over.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Ran {
    /// True if it ended by itself with exit code 0.
    pub(crate) fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, in words that read after "it".
    pub(crate) fn ending(&self) -> String {
        match self.status {
            None => "did not end in time".to_owned(),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exited with code {code}"),
                (None, Some(signal)) => {
                    format!("was killed by {}", crate::evidence::signal_name(signal))
                }
                (None, None) => "ended in an unknown way".to_owned(),
            },
        }
    }

    /// Everything it said, standard error first because that is where the reasons are, cut to
    /// `lines` lines.
    pub(crate) fn words(&self, lines: usize) -> String {
        let stderr = String::from_utf8_lossy(&self.stderr);
        let stdout = String::from_utf8_lossy(&self.stdout);
        let all: Vec<&str> = stderr.lines().chain(stdout.lines()).collect();
        let mut shown = all[..all.len().min(lines)].join("\n");
        if all.len() > lines {
            shown.push_str(&format!("\n... and {} more lines", all.len() - lines));
        }
        shown.truncate(shown.trim_end().len());
        shown
    }
}

/// Runs `words` in `folder` with `environment` added to ours, for at most `limit`.
///
/// Standard input is empty. The tool has a process group of its own, so that what it started
/// ends with it when its time is over.
///
/// # Errors
///
/// [`Error::System`] if it cannot be started or waited for, [`Error::Interrupted`] if we were told
/// to end meanwhile.
pub(crate) fn run(
    words: &[OsString],
    folder: &Path,
    environment: &[(OsString, OsString)],
    limit: Duration,
) -> Result<Ran> {
    let name = words.first().cloned().unwrap_or_default();
    let action = || format!("run `{}`", name.display());
    // Files instead of pipes: nothing has to be read while it runs, and nothing can block it.
    let file = || tempfile::tempfile().map_err(|e| no_temporary_files(&e));
    let (mut stdout, mut stderr) = (file()?, file()?);
    let mut child = Command::new(&name)
        .args(words.iter().skip(1))
        .current_dir(folder)
        .envs(environment.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().context(action)?)
        .stderr(stderr.try_clone().context(action)?)
        .process_group(0)
        .spawn()
        .context(action)?;
    let status = wait(&mut child, limit).context(action)?;
    if let (None, Some(signal)) = (status, interrupts::seen()) {
        return Err(Error::Interrupted(signal));
    }
    Ok(Ran {
        status,
        stdout: beginning(&mut stdout).context(action)?,
        stderr: beginning(&mut stderr).context(action)?,
    })
}

fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    // Short naps at first, for tools that end at once; then longer ones for compilers.
    let mut nap = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        // Signals from a terminal do not reach it, because its group is another.
        if Instant::now() >= deadline || interrupts::seen().is_some() {
            // The group's number is the child's, which still exists because it is not reaped. An
            // error can only mean that it has just ended, and then the wait below is short.
            let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(10));
    }
}

fn beginning(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(KEPT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ran {
        let words = ["sh", "-c", script].map(OsString::from);
        let environment = [("GREETING".into(), "hello".into())];
        run(&words, Path::new("/"), &environment, limit).unwrap()
    }

    #[test]
    fn output_environment_and_folder_are_right() {
        let ran = shell(
            "echo $GREETING; pwd; echo oops >&2; read x || echo closed; exit 3",
            Duration::from_secs(60),
        );
        assert!(!ran.succeeded());
        assert_eq!(ran.ending(), "exited with code 3");
        assert_eq!(ran.words(10), "oops\nhello\n/\nclosed");
        assert_eq!(ran.words(2), "oops\nhello\n... and 2 more lines");
    }

    #[test]
    fn a_tool_that_does_not_end_is_stopped_with_its_children() {
        // The inner sleep would keep the test waiting for a minute if only the shell were killed
        // and the output were a pipe; its pid shows that it is gone.
        let ran = shell("sleep 61 & echo $!; wait", Duration::from_millis(300));
        assert_eq!(ran.ending(), "did not end in time");
        let pid: i32 = ran.words(1).trim().parse().unwrap();
        let gone = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
                Ok(stat) => stat.contains(") Z "),
                Err(_) => true,
            }
        });
        assert!(gone);
    }

    #[test]
    fn a_signal_is_named() {
        let ran = shell("kill -KILL $$", Duration::from_secs(60));
        assert_eq!(ran.ending(), "was killed by SIGKILL");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(
            &["/nowhere/tool".into()],
            Path::new("/"),
            &[],
            Duration::from_secs(1),
        )
        .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("failed to run `/nowhere/tool`: ")
        );
    }
}
