//! A process of its own between a test and the coordinator.
//!
//! The test binary starts itself again with [`FLAG`]. That process makes itself the one to which
//! orphans are handed, starts the coordinator, waits for it with a hard limit, and then reports
//! every process that the coordinator left behind, alive or as a zombie, before it removes them.
//! Trials run side by side in one test process, so only a process for each run can say whose
//! left-overs they are. If the test process dies, the supervisor, the coordinator and, by the
//! coordinator's own promise, its programs die with it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::signal::{SigHandler, Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::{Pid, SysconfVar, sysconf};
use serde::{Deserialize, Serialize};

/// The first argument by which the test binary knows that it is to supervise.
pub(crate) const FLAG: &str = "--supervise";

/// How long orphans get to disappear by themselves before they count as alive.
const GRACE: Duration = Duration::from_secs(1);

/// How long a program that was to be running when the coordinator is killed may take to start.
const START: Duration = Duration::from_secs(10);

/// What to start, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) argv: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    /// Start from an empty environment.
    pub(crate) clear_env: bool,
    pub(crate) cwd: PathBuf,
    /// The user and group; no supplementary groups are kept.
    pub(crate) uid: Option<u32>,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
    pub(crate) timeout_ms: u64,
    pub(crate) kill: Option<Kill>,
}

/// Signals for the coordinator in the middle of its work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Kill {
    pub(crate) after: Duration,
    /// Not before processes of these names run; that they do is part of what is reported.
    pub(crate) once_running: Vec<String>,
    pub(crate) signals: Vec<Blow>,
    /// Send them to the whole process group, as a terminal does.
    pub(crate) group: bool,
}

/// One signal, after a pause in microseconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Blow {
    pub(crate) pause_us: u64,
    pub(crate) signal: i32,
}

impl Blow {
    /// SIGKILL at once.
    pub(crate) const KILL: Blow = Blow {
        pause_us: 0,
        signal: libc::SIGKILL,
    };
}

/// How it went.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Supervised {
    /// The coordinator's id, which may belong to another by now.
    pub(crate) pid: u32,
    /// The coordinator's exit code.
    pub(crate) code: Option<i32>,
    /// Or the signal that ended it.
    pub(crate) signal: Option<i32>,
    /// It was over the hard limit and was killed.
    pub(crate) timed_out: bool,
    /// The names of [`Kill::once_running`] that were not seen before the coordinator was killed.
    pub(crate) never_ran: Vec<String>,
    pub(crate) wall_ms: u64,
    /// CPU time of the coordinator and of all that it waited for.
    pub(crate) cpu_ms: u64,
    /// CPU time that everybody else on this machine used in the meantime.
    pub(crate) others_cpu_ms: u64,
    /// Peak resident memory of the largest of them.
    pub(crate) memory_kib: u64,
    /// Processes that were alive a second after the coordinator's end; they are killed by now.
    pub(crate) left_alive: Vec<String>,
    /// Processes that were dead or died in that second, but that the coordinator had not reaped.
    pub(crate) left_dead: Vec<String>,
}

/// Call first in `main`: does the work and exits if this process is a supervisor.
pub(crate) fn enter_if_asked() {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some(FLAG) {
        return;
    }
    let answer = args
        .next()
        .ok_or_else(|| io::Error::other("the request is missing"))
        .and_then(|request| serde_json::from_str(&request).map_err(io::Error::other))
        .and_then(|request: Request| supervise(&request))
        .and_then(|answer| serde_json::to_string(&answer).map_err(io::Error::other));
    match answer {
        Ok(answer) => {
            print!("{answer}");
            std::process::exit(0);
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// Starts a supervisor for the request and returns what it saw.
pub(crate) fn run(request: &Request) -> Result<Supervised, String> {
    let text = serde_json::to_string(request).map_err(|error| error.to_string())?;
    let itself = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(itself);
    command
        .arg(FLAG)
        .arg(text)
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    let output = dies_with_us(&mut command)
        .output()
        .map_err(|error| format!("failed to start the supervisor: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the supervisor failed ({}): {said}", output.status));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the supervisor's answer cannot be read: {error}"))
}

fn dies_with_us(command: &mut Command) -> &mut Command {
    // SAFETY: the closure runs between fork and exec; prctl is one system call and neither
    // allocates nor takes a lock.
    unsafe { command.pre_exec(|| prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from)) }
}

fn supervise(request: &Request) -> io::Result<Supervised> {
    // Under nohup, or in the background of a script, these are ignored, and that is inherited: a
    // signal that came before the coordinator listens would be lost.
    for signal in [Signal::SIGINT, Signal::SIGHUP, Signal::SIGTERM] {
        // SAFETY: the default action runs no code of ours.
        unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }.map_err(io::Error::from)?;
    }
    prctl::set_child_subreaper(true)?;
    let (program, args) = request
        .argv
        .split_first()
        .ok_or_else(|| io::Error::other("there is nothing to start"))?;
    let mut command = Command::new(program);
    if request.clear_env {
        command.env_clear();
    }
    command
        .args(args)
        .envs(request.env.iter().map(|(name, value)| (name, value)))
        .current_dir(&request.cwd)
        .stdin(Stdio::null())
        .stdout(File::create(&request.stdout)?)
        .stderr(File::create(&request.stderr)?)
        // A contestant that breaks out and signals its group must not reach the test.
        .process_group(0);
    if let Some(uid) = request.uid {
        // The standard library gives up all supplementary groups on the way from root.
        command.gid(uid).uid(uid);
    }
    let busy_before = busy_ms();
    let started = Instant::now();
    let child = dies_with_us(&mut command).spawn()?;

    let ended = end_of(&child);
    let mut never_ran = Vec::new();
    if let Some(kill_it) = &request.kill
        && ended.recv_timeout(kill_it.after) == Err(RecvTimeoutError::Timeout)
    {
        never_ran = wait_for_names(&kill_it.once_running);
        for blow in &kill_it.signals {
            if ended.recv_timeout(Duration::from_micros(blow.pause_us))
                != Err(RecvTimeoutError::Timeout)
            {
                break;
            }
            send(&child, blow.signal, kill_it.group)?;
        }
    }
    let limit = Duration::from_millis(request.timeout_ms);
    let timed_out = ended.recv_timeout(limit.saturating_sub(started.elapsed()))
        == Err(RecvTimeoutError::Timeout);
    let wall = started.elapsed();
    if timed_out {
        send(&child, libc::SIGKILL, false)?;
    }
    let mut answer = reap(&child)?;
    let busy = busy_ms().saturating_sub(busy_before);
    answer.others_cpu_ms = busy.saturating_sub(answer.cpu_ms);
    answer.timed_out = timed_out;
    answer.never_ran = never_ran;
    answer.wall_ms = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX);
    (answer.left_alive, answer.left_dead) = remove_orphans();
    Ok(answer)
}

/// A channel that is closed when the child has ended. The child stays unreaped, so its number
/// stays its own.
fn end_of(child: &Child) -> mpsc::Receiver<()> {
    let pid = pid_of(child.id());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT)
            == Err(nix::errno::Errno::EINTR)
        {}
        drop(sender);
    });
    receiver
}

fn send(child: &Child, signal: i32, group: bool) -> io::Result<()> {
    let signal = Signal::try_from(signal)?;
    let pid = pid_of(child.id()).as_raw();
    kill(Pid::from_raw(if group { -pid } else { pid }), signal).map_err(io::Error::from)
}

/// CPU time that all CPUs together have spent on anything so far; 0 if the kernel does not say.
fn busy_ms() -> u64 {
    // user, nice, system, (idle, iowait,) irq, softirq, steal; guests are part of user.
    const BUSY: [usize; 6] = [1, 2, 3, 6, 7, 8];
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks: u64 = BUSY
        .iter()
        .filter_map(|field| fields.get(*field)?.parse::<u64>().ok())
        .sum();
    let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100);
    ticks * 1000 / per_second.unsigned_abs().max(1)
}

/// Reaps the child with what it used.
fn reap(child: &Child) -> io::Result<Supervised> {
    let mut status = 0;
    // SAFETY: rusage is made of integers only, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live, writable variables of the right types.
        let waited =
            unsafe { libc::wait4(pid_of(child.id()).as_raw(), &mut status, 0, &mut usage) };
        if waited >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let ms = |time: libc::timeval| {
        time.tv_sec.unsigned_abs() * 1000 + time.tv_usec.unsigned_abs() / 1000
    };
    Ok(Supervised {
        pid: child.id(),
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        timed_out: false,
        never_ran: Vec::new(),
        wall_ms: 0,
        cpu_ms: ms(usage.ru_utime) + ms(usage.ru_stime),
        others_cpu_ms: 0,
        memory_kib: usage.ru_maxrss.unsigned_abs(),
        left_alive: Vec::new(),
        left_dead: Vec::new(),
    })
}

/// Reaps what the coordinator left to us: first what ends by itself, then the rest by force.
fn remove_orphans() -> (Vec<String>, Vec<String>) {
    let until = Instant::now() + GRACE;
    let mut dead = Vec::new();
    loop {
        let (zombies, living): (Vec<_>, Vec<_>) =
            orphans().into_iter().partition(|orphan| orphan.zombie);
        for zombie in zombies {
            if waitpid(zombie.pid, None).is_ok() {
                dead.push(zombie.shown());
            }
        }
        if living.is_empty() {
            return (Vec::new(), dead);
        }
        if Instant::now() >= until {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    // The children of one that is killed come to us in turn, hence more than one round.
    let mut alive = Vec::new();
    for _ in 0..1000 {
        let living = orphans();
        if living.is_empty() {
            break;
        }
        for orphan in living {
            let _ = kill(orphan.pid, Signal::SIGKILL);
            let _ = waitpid(orphan.pid, None);
            alive.push(orphan.shown());
        }
    }
    (alive, dead)
}

struct Orphan {
    pid: Pid,
    name: String,
    zombie: bool,
}

impl Orphan {
    fn shown(&self) -> String {
        format!("{} ({})", self.pid, self.name)
    }
}

/// The processes whose parent this process is.
fn orphans() -> Vec<Orphan> {
    let me = std::process::id().to_string();
    processes()
        .filter_map(|(pid, stat)| {
            let (before, after) = stat.rsplit_once(')')?;
            let (_, name) = before.split_once('(')?;
            let mut fields = after.split_whitespace();
            let zombie = matches!(fields.next()?, "Z" | "X");
            (fields.next()? == me).then(|| Orphan {
                pid,
                name: name.to_owned(),
                zombie,
            })
        })
        .collect()
}

/// Every process with its `/proc/PID/stat`.
fn processes() -> impl Iterator<Item = (Pid, String)> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            Some((
                pid_of(pid),
                fs::read_to_string(entry.path().join("stat")).ok()?,
            ))
        })
}

/// Those of the names that some process has.
pub(crate) fn running(names: &[String]) -> BTreeSet<String> {
    processes()
        .filter_map(|(_, stat)| {
            let (before, _) = stat.rsplit_once(')')?;
            Some(before.split_once('(')?.1.to_owned())
        })
        .filter(|name| names.contains(name))
        .collect()
}

/// Waits until processes of all these names run; returns those that never did.
fn wait_for_names(names: &[String]) -> Vec<String> {
    let until = Instant::now() + START;
    loop {
        let seen = running(names);
        if seen.len() == names.len() || Instant::now() >= until {
            return names
                .iter()
                .filter(|name| !seen.contains(*name))
                .cloned()
                .collect();
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn pid_of(id: u32) -> Pid {
    Pid::from_raw(i32::try_from(id).unwrap_or(i32::MAX))
}
