//! System calls of the coordinator that nix lacks or wraps too narrowly; with `sandbox::child` the
//! only home of unsafe code.
//!
//! Every function is a thin, safe wrapper: it owns no state, decides nothing and returns the
//! kernel's error. Process ids are plain `i32`s as the kernel gives them.

mod attempt;
mod files;
mod trace;
mod wait;

use std::io;
use std::mem::{MaybeUninit, size_of};
use std::time::Duration;

pub use attempt::{Deed, landlock_allow, landlock_version, try_in_child};
pub use files::{
    background_closer, duplicate_above, inotify_add_watch, is_same_file, lock_byte, nobody_writes,
    pipe_bytes,
};
pub use trace::{
    SignalInfo, SyscallStop, ptrace_continue, ptrace_event_message, ptrace_interrupt,
    ptrace_listen, ptrace_peek, ptrace_registers, ptrace_seize, ptrace_set_registers,
    ptrace_signal_info, ptrace_syscall_info, read_memory,
};
pub use wait::{Waited, is_unreaped, peek_report, take_stop, wait4};

/// A process or thread id.
pub type Pid = i32;

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Which half of a fork this is.
pub enum Forked {
    Parent(Pid),
    Child,
}

/// Forks with namespace flags (`CLONE_NEW...`); all signals stay blocked in the child until it
/// sets its own mask, so that no handler of the coordinator ever runs there.
///
/// # Safety
/// Between this call and `exec` or `_exit` the child may only make system calls: another thread of
/// the parent may have held any lock at the moment of the fork.
pub unsafe fn fork_into(namespaces: u64) -> io::Result<Forked> {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut old = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are valid for writes; sigfillset initialises the first one.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), old.as_mut_ptr());
    }
    let flags = namespaces | libc::SIGCHLD as u64;
    // SAFETY: a clone without CLONE_VM and with a null stack behaves like fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    if pid == 0 {
        return Ok(Forked::Child);
    }
    let result = check(pid).map(|pid| Forked::Parent(pid as Pid));
    // SAFETY: `old` was filled by the first call of pthread_sigmask.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, old.as_ptr(), std::ptr::null_mut()) };
    result
}

/// Asks the scheduler for a time slice of this length for the calling thread, between 0.1 and 100 ms;
/// `None` for that which everybody has. A thread with a shorter one that is woken takes the CPU from
/// one with a longer (sched_setattr(2); since Linux 6.12, before that without effect).
///
/// # Errors
/// If the kernel refuses, or the thread has a policy that knows no such slices.
pub fn set_time_slice(slice: Option<Duration>) -> io::Result<()> {
    let size = size_of::<libc::sched_attr>() as u32;
    let mut attributes = MaybeUninit::<libc::sched_attr>::zeroed();
    // SAFETY: valid for writes of `size` bytes.
    check(unsafe { libc::syscall(libc::SYS_sched_getattr, 0, attributes.as_mut_ptr(), size, 0) })?;
    // SAFETY: zeroed at first, and plain integers.
    let mut attributes = unsafe { attributes.assume_init() };
    if ![libc::SCHED_OTHER, libc::SCHED_BATCH].contains(&(attributes.sched_policy as i32)) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    attributes.sched_runtime = slice.map_or(0, |slice| slice.as_nanos() as u64);
    // SAFETY: valid for reads of the size that it holds.
    check(unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) }).map(drop)
}

/// Sends a signal to a process.
pub fn kill(pid: Pid, signal: i32) -> io::Result<()> {
    // SAFETY: takes no pointers.
    check(unsafe { libc::kill(pid, signal) }.into()).map(drop)
}

/// CPU time that a process has used, user and system, all its threads, without its children; it
/// can be read until the process is reaped.
pub fn process_cpu_time(pid: Pid) -> io::Result<Duration> {
    // The kernel's own encoding (posix-timers.h): the complement of the id, and 2 for the
    // scheduler's clock of a whole process.
    let clock = (!pid << 3) | 2;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: time is valid for writes.
    check(unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) }.into())?;
    // SAFETY: initialised by the call.
    let time = unsafe { time.assume_init() };
    Ok(Duration::new(
        time.tv_sec.max(0) as u64,
        time.tv_nsec as u32,
    ))
}

/// The size of a page of memory in bytes.
pub fn page_size() -> u64 {
    // SAFETY: takes no pointers.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// The CPU that this thread runs on.
pub fn current_cpu() -> Option<usize> {
    // SAFETY: takes no pointers.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// Ignores a signal.
pub fn ignore(signal: i32) {
    // SAFETY: SIG_IGN is a valid action; a signal that cannot be ignored fails harmlessly.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// The largest value of the hard limit of a resource that this process may set.
pub fn hard_limit(resource: u32) -> io::Result<u64> {
    let mut limit = MaybeUninit::<libc::rlimit>::zeroed();
    // SAFETY: limit is valid for writes.
    check(unsafe { libc::getrlimit(resource, limit.as_mut_ptr()) }.into())?;
    // SAFETY: initialised by the call.
    Ok(unsafe { limit.assume_init() }.rlim_max)
}
