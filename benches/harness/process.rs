//! Starting a child, waiting for it with its resource usage, and leaving none behind.
//!
//! `std::process` gives no resource usage and no wait with a time limit, so this is fork, exec and
//! wait4 by hand. All unsafe code of the benchmark is here.

use std::ffi::{CString, OsStr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::CpuSet;

/// The exit code of a child that could not become the program it was meant to be.
const NOT_STARTED: i32 = 127;

/// Set when a signal asked the benchmark to end.
static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From here on SIGINT and SIGTERM end the benchmark by way of an error, so that children are
/// waited for and temporary files removed.
pub(crate) fn notice_interrupts() -> Result<()> {
    let flag = INTERRUPTED.get_or_init(Arc::default);
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(flag))
            .context("failed to install a signal handler")?;
    }
    Ok(())
}

/// An error if a signal asked the benchmark to end.
pub(crate) fn check_interrupt() -> Result<()> {
    match INTERRUPTED.get() {
        Some(flag) if flag.load(Ordering::Relaxed) => bail!("interrupted by a signal"),
        _ => Ok(()),
    }
}

/// A program and its arguments, ready for exec: nothing is allocated after the fork.
pub(crate) struct Program {
    argv: Vec<CString>,
}

impl Program {
    /// `path` is executed as it is, without a search along `PATH`.
    pub(crate) fn new<S: AsRef<OsStr>>(path: &OsStr, args: &[S]) -> Result<Self> {
        let argv = std::iter::once(path)
            .chain(args.iter().map(AsRef::as_ref))
            .map(|word| CString::new(word.as_bytes()).context("a word contains a NUL byte"))
            .collect::<Result<_>>()?;
        Ok(Self { argv })
    }

    fn name(&self) -> String {
        let words: Vec<_> = self
            .argv
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        words.join(" ")
    }
}

/// What a child's standard descriptors are, and where it runs.
pub(crate) struct Wiring<'a> {
    pub(crate) stdin: BorrowedFd<'a>,
    pub(crate) stdout: BorrowedFd<'a>,
    /// `None` leaves it the benchmark's own.
    pub(crate) stderr: Option<BorrowedFd<'a>>,
    /// `None` leaves it every CPU that the benchmark may use.
    pub(crate) cpus: Option<CpuSet>,
}

/// This CPU and no other.
pub(crate) fn only(cpu: usize) -> Result<CpuSet> {
    cpu_set(&[cpu])
}

/// A set of these CPUs.
pub(crate) fn cpu_set(cpus: &[usize]) -> Result<CpuSet> {
    let mut set = CpuSet::new();
    for cpu in cpus {
        set.set(*cpu)
            .with_context(|| format!("CPU {cpu} does not fit into a CPU set"))?;
    }
    Ok(set)
}

/// A child that has not been waited for. Dropping it kills it and waits.
pub(crate) struct Running {
    pid: libc::pid_t,
    name: String,
    reaped: bool,
}

/// How a child ended and what it used, its own descendants that it waited for included.
pub(crate) struct Ended {
    /// User and system time, that of descendants included that it waited for.
    pub(crate) cpu: Duration,
    /// Peak resident memory in KiB. At least that of this process when it forked, because the
    /// kernel counts the image before exec too.
    pub(crate) resident_kib: u64,
    /// The exit code; a child that died of a signal is an error of [`Running::wait`].
    pub(crate) code: i32,
}

/// Forks and executes `program`.
pub(crate) fn start(program: &Program, wiring: &Wiring<'_>) -> Result<Running> {
    let mut argv: Vec<_> = program.argv.iter().map(|word| word.as_ptr()).collect();
    argv.push(std::ptr::null());
    // SAFETY: this process has one thread, and the child calls only async-signal-safe functions,
    // on memory that was prepared before, until it execs or exits.
    let pid = unsafe { libc::fork() };
    match pid {
        -1 => Err(Errno::last()).context("failed to fork"),
        // SAFETY: we are the child; `argv` is a null-terminated array of C strings that outlive
        // the call, and the descriptors in `wiring` are open.
        0 => unsafe { become_program(&argv, wiring) },
        pid => Ok(Running {
            pid,
            name: program.name(),
            reaped: false,
        }),
    }
}

/// The child between fork and exec. All descriptors that it must not keep are close-on-exec.
///
/// # Safety
/// Only in a freshly forked child; `argv` ends with a null pointer and its strings are valid.
unsafe fn become_program(argv: &[*const libc::c_char], wiring: &Wiring<'_>) -> ! {
    // SAFETY: plain system calls with valid arguments; `CpuSet` has the layout of `cpu_set_t`,
    // and the caller answers for `argv`.
    unsafe {
        // The benchmark may be killed at any time; what it started goes with it.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Rust's runtime ignores SIGPIPE, and exec would hand that on.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let pinned = wiring.cpus.is_none_or(|set| {
            nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &set).is_ok()
        });
        let connected = libc::dup2(wiring.stdin.as_raw_fd(), 0) == 0
            && libc::dup2(wiring.stdout.as_raw_fd(), 1) == 1
            && wiring
                .stderr
                .is_none_or(|fd| libc::dup2(fd.as_raw_fd(), 2) == 2);
        if pinned && connected {
            libc::execv(argv[0], argv.as_ptr());
        }
        libc::_exit(NOT_STARTED)
    }
}

impl Running {
    /// Waits until the child ends, or fails (and kills it) when `deadline` comes first.
    pub(crate) fn wait(mut self, deadline: Instant) -> Result<Ended> {
        self.await_end(deadline)?;
        self.end()
    }

    /// As [`wait`](Self::wait), with the CPU time of the child's main thread alone; `None` for it
    /// on a kernel that does not tell.
    pub(crate) fn wait_apart(mut self, deadline: Instant) -> Result<(Ended, Option<Duration>)> {
        self.await_end(deadline)?;
        let own_cpu = time_on_cpu(self.pid);
        Ok((self.end()?, own_cpu))
    }

    fn end(&mut self) -> Result<Ended> {
        let (status, usage) = self.reap()?;
        if libc::WIFSIGNALED(status) {
            bail!("`{}` died of signal {}", self.name, libc::WTERMSIG(status));
        }
        let code = libc::WEXITSTATUS(status);
        if code == NOT_STARTED {
            bail!("`{}` could not be started", self.name);
        }
        Ok(Ended {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            resident_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0),
            code,
        })
    }

    /// Waits, and demands the exit code 0.
    pub(crate) fn wait_success(self, deadline: Instant) -> Result<Ended> {
        let name = self.name.clone();
        let ended = self.wait(deadline)?;
        if ended.code != 0 {
            bail!("`{name}` exited with {}", ended.code);
        }
        Ok(ended)
    }

    fn await_end(&self, deadline: Instant) -> Result<()> {
        first_to_end(&[self], deadline).map(|_| ())
    }

    /// A descriptor that becomes readable when the child is a zombie.
    fn pidfd(&self) -> Result<OwnedFd> {
        // SAFETY: plain system call; the pid is of a child that was not waited for.
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, self.pid, 0) };
        let fd = i32::try_from(fd).unwrap_or(-1);
        if fd < 0 {
            return Err(Errno::last()).context("failed to open a pidfd");
        }
        // SAFETY: the descriptor was just opened and is owned by nobody else.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    }

    fn reap(&mut self) -> Result<(i32, libc::rusage)> {
        let mut status = 0;
        // SAFETY: `rusage` is plain data, for which all zeros is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both pointers are to locals; the pid is of a child not yet waited for.
            let got = unsafe { libc::wait4(self.pid, &mut status, 0, &mut usage) };
            match Errno::result(got) {
                Ok(_) => break,
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(errno).context("failed to wait for a child"),
            }
        }
        self.reaped = true;
        Ok((status, usage))
    }
}

/// Blocks until one of the children is a zombie, and says which; the children are not reaped. This
/// does not poll by time: the benchmark must not take CPU time from what it measures.
pub(crate) fn first_to_end(children: &[&Running], deadline: Instant) -> Result<usize> {
    let pidfds: Vec<OwnedFd> = children
        .iter()
        .map(|child| child.pidfd())
        .collect::<Result<_>>()?;
    let mut polled: Vec<PollFd> = pidfds
        .iter()
        .map(|pidfd| PollFd::new(pidfd.as_fd(), PollFlags::POLLIN))
        .collect();
    loop {
        check_interrupt()?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let names: Vec<_> = children.iter().map(|child| child.name.as_str()).collect();
            bail!(
                "`{}` did not end in the time it was given",
                names.join("`, `")
            );
        }
        // One millisecond more than is left, so that rounding down never makes this spin.
        let timeout = PollTimeout::try_from(left.as_millis() + 1).unwrap_or(PollTimeout::MAX);
        match poll(&mut polled, timeout) {
            Ok(0) | Err(Errno::EINTR) => {}
            Ok(_) => {
                let ended = polled.iter().position(|fd| fd.any() == Some(true));
                return ended.context("no child is ready though one should be");
            }
            Err(errno) => return Err(errno).context("failed to poll a pidfd"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            // SAFETY: the child was not waited for, so the pid cannot belong to another process.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
            // There is nobody left to tell: an error here means there is no such child.
            let _ = self.reap();
        }
    }
}

/// The time that the main thread of a process has spent on a CPU, also after its end.
fn time_on_cpu(pid: libc::pid_t) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn time(value: libc::timeval) -> Duration {
    let part = |n: i64| u64::try_from(n).unwrap_or(0);
    Duration::from_secs(part(value.tv_sec)) + Duration::from_micros(part(value.tv_usec))
}
