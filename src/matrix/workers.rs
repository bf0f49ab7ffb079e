//! Carries cells out, several at a time, each in a coordinator process of its own.

use std::io::{Read as _, Write as _};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;

use super::cells::Cell;
use super::record::{Read, ReadError};
use crate::error::{Context, Error, Result};
use crate::interrupts;
use crate::spec::job::Job;
use crate::sys::{self, Pid};

/// How often it is looked whether we were told to end. Whoever told us has mostly told the
/// coordinators too.
const LOOK: Duration = Duration::from_millis(50);

/// What a coordinator said about its cell.
#[derive(Debug)]
pub enum Answer {
    /// The report, and what is read of it.
    Report(Box<RawValue>, Box<Read>),
    /// Why there is none.
    Failed(String),
}

/// What is heard of the cells, in the order in which it happens.
#[derive(Debug)]
pub enum News {
    Begun(Cell),
    Ended(Cell, Answer),
}

/// Runs every cell, `at_once` at a time, and tells of each as it begins and ends. `job` is what
/// there is to do for a cell. If `told` is false for one that has ended, no more are begun.
///
/// # Errors
/// If no coordinator can be started, and [`Error::Interrupted`] if we were told to end. Whatever
/// had ended until then was told of.
pub fn run(
    cells: &[Cell],
    at_once: usize,
    job: impl Fn(Cell) -> Result<Job> + Sync,
    mut told: impl FnMut(News) -> Result<bool>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let running = Running::default();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(cells.len()) {
            let (sender, next, running, job) = (sender.clone(), &next, &running, &job);
            scope.spawn(move || {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if running.is_over() || sender.send(Ok(News::Begun(*cell))).is_err() {
                        break;
                    }
                    let answer = job(*cell).and_then(|job| play(&job, running));
                    let news = match answer {
                        Ok(Some(answer)) => Ok(News::Ended(*cell, answer)),
                        Ok(None) => break,
                        Err(error) => Err(error),
                    };
                    if sender.send(news).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(Ok(news)) if result.is_ok() => match told(news) {
                    Ok(true) => {}
                    Ok(false) => running.end(false),
                    Err(error) => {
                        result = Err(error);
                        running.end(true);
                    }
                },
                // Only the first failure is told; whoever else ends has been told to.
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    result = result.and(Err(error));
                    running.end(true);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Some(signal) = interrupts::seen().filter(|_| result.is_ok()) {
                result = Err(Error::Interrupted(signal));
                running.end(true);
            }
        }
        result
    })
}

/// The coordinators that run, so that they can be told to end.
#[derive(Default)]
struct Running {
    /// No more are begun.
    over: AtomicBool,
    /// Those that ran were told to end.
    ended: AtomicBool,
    pids: Mutex<Vec<Pid>>,
}

impl Running {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    fn is_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// No more are begun; those that run are told to end, or may go on.
    fn end(&self, at_once: bool) {
        self.over.store(true, Ordering::SeqCst);
        if at_once {
            self.ended.store(true, Ordering::SeqCst);
            for pid in self.pids().iter() {
                let _ = sys::kill(*pid, libc::SIGTERM);
            }
        }
    }

    fn pids(&self) -> MutexGuard<'_, Vec<Pid>> {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has a job done; `None` if we have ended meanwhile.
fn play(job: &Job, running: &Running) -> Result<Option<Answer>> {
    let failed = || "start a coordinator".to_owned();
    let text = serde_json::to_vec(job).unwrap_or_default();
    let (mut child, pid) = {
        // Under the lock, so that whoever ends everything ends this one as well.
        let mut pids = running.pids();
        if running.is_over() {
            return Ok(None);
        }
        let child = Command::new("/proc/self/exe")
            .arg0("rejoinder")
            .args(["judge", "--parent", &std::process::id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context(failed)?;
        let pid = child.id() as Pid;
        pids.push(pid);
        (child, pid)
    };
    if let Some(mut stdin) = child.stdin.take() {
        // If it has ended already, its end says why.
        let _ = stdin.write_all(&text);
    }
    let mut said = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut said).context(failed)?;
    }
    let mut complaint = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr.take(4096).read_to_end(&mut complaint);
    }
    let status = {
        let mut pids = running.pids();
        let status = child.wait().context(failed)?;
        pids.retain(|other| *other != pid);
        status
    };
    // What we were told to end says nothing about its programs.
    let ended = running.is_ended() || interrupts::seen().is_some();
    Ok((!ended).then(|| understood(&said, &complaint, status)))
}

/// What a coordinator meant.
fn understood(said: &[u8], complaint: &[u8], status: ExitStatus) -> Answer {
    if let Ok(read) = serde_json::from_slice::<Read>(said) {
        let text = String::from_utf8_lossy(said).trim_end().to_owned();
        if let Ok(report) = RawValue::from_string(text) {
            return Answer::Report(report, Box::new(read));
        }
    }
    if let Ok(read) = serde_json::from_slice::<ReadError>(said) {
        return Answer::Failed(read.error.message);
    }
    let how = match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was ended by {}", crate::evidence::signal_name(signal)),
        (None, code) => format!("ended with exit code {}", code.unwrap_or(-1)),
    };
    let complaint = String::from_utf8_lossy(complaint);
    Answer::Failed(match complaint.trim() {
        "" => format!("the coordinator {how} and said nothing"),
        complaint => format!("the coordinator {how}: {complaint}"),
    })
}
