//! System calls of the coordinator that nix lacks or wraps too narrowly; with `sandbox::child` the
//! only home of unsafe code.
//!
//! Every function is a thin, safe wrapper: it owns no state, decides nothing and returns the
//! kernel's error. Process ids are plain `i32`s as the kernel gives them.

mod attempt;

use std::ffi::CStr;
use std::io;
use std::mem::{MaybeUninit, size_of};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

pub use attempt::{Deed, landlock_allow, landlock_version, try_in_child};

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

/// What `wait4` reported.
pub struct Waited {
    pub pid: Pid,
    /// The raw status: nix's decoded form loses real-time signals, and with them the tracee.
    pub status: i32,
    pub user: Duration,
    pub system: Duration,
    /// Peak resident memory in KiB, as the kernel folded it (see `sandbox::usage`).
    pub max_rss_kib: u64,
}

/// The next child or tracee of this thread that has something to report, without taking the
/// report: its id and whether it has ended.
pub fn peek_report() -> io::Result<Option<(Pid, bool)>> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED
        | libc::WSTOPPED
        | libc::WNOHANG
        | libc::WNOWAIT
        | libc::__WALL
        | libc::__WNOTHREAD;
    // SAFETY: info is valid for writes.
    let result = unsafe { libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), options) };
    match check(result.into()) {
        Ok(_) => {}
        Err(e) if e.raw_os_error() == Some(libc::ECHILD) => return Ok(None),
        Err(e) => return Err(e),
    }
    // SAFETY: zeroed at first, written by the kernel if there was a report.
    let (pid, code) = unsafe {
        let info = info.assume_init();
        (info.si_pid(), info.si_code)
    };
    let ended = matches!(code, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED);
    Ok((pid != 0).then_some((pid, ended)))
}

/// Takes the report of `pid`, a child or tracee of this thread; `None` if it has none now.
pub fn wait4(pid: Pid, block: bool) -> io::Result<Option<Waited>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let options = libc::__WALL | libc::__WNOTHREAD | if block { 0 } else { libc::WNOHANG };
    loop {
        // SAFETY: both pointers are valid for writes.
        let result = unsafe { libc::wait4(pid, &mut status, options, usage.as_mut_ptr()) };
        match check(result.into()) {
            Ok(0) => return Ok(None),
            Ok(pid) => {
                // SAFETY: zeroed at first, so it is initialised in any case.
                let usage = unsafe { usage.assume_init() };
                return Ok(Some(Waited {
                    pid: pid as Pid,
                    status,
                    user: timeval(usage.ru_utime),
                    system: timeval(usage.ru_stime),
                    max_rss_kib: usage.ru_maxrss.max(0) as u64,
                }));
            }
            Err(e) if e.raw_os_error() == Some(libc::ECHILD) => return Ok(None),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Takes the stop that a tracee of this thread is in, as the status that `wait4` would give;
/// `None` if it is in none now. An end is not taken.
pub fn take_stop(pid: Pid) -> io::Result<Option<i32>> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WSTOPPED | libc::WNOHANG | libc::__WALL | libc::__WNOTHREAD;
    // SAFETY: info is valid for writes.
    let result = unsafe { libc::waitid(libc::P_PID, pid as u32, info.as_mut_ptr(), options) };
    match check(result.into()) {
        Ok(_) => {}
        Err(e) if e.raw_os_error() == Some(libc::ECHILD) => return Ok(None),
        Err(e) => return Err(e),
    }
    // SAFETY: zeroed at first, written by the kernel if there was a stop.
    let (pid, signal_and_event) = unsafe {
        let info = info.assume_init();
        (info.si_pid(), info.si_status())
    };
    Ok((pid != 0).then_some(signal_and_event << 8 | 0x7f))
}

fn timeval(t: libc::timeval) -> Duration {
    Duration::new(t.tv_sec.max(0) as u64, t.tv_usec.max(0) as u32 * 1000)
}

/// True as long as a child or tracee, alive or dead, has not been reaped by us.
pub fn is_unreaped(pid: Pid) -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    // SAFETY: an all-zero siginfo_t is valid, and valid for writes.
    let result = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, options)
    };
    result == 0
}

/// `ptrace` with two plain words; for requests that read or write nothing of ours.
fn ptrace(request: libc::c_uint, pid: Pid, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: the requests used below take integers, not pointers into our memory.
    check(unsafe { libc::ptrace(request, pid, address, data) }).map(drop)
}

/// Starts tracing a running process without stopping it. If the tracer dies, the kernel kills it.
pub fn ptrace_seize(pid: Pid, options: i32) -> io::Result<()> {
    ptrace(libc::PTRACE_SEIZE, pid, 0, options as usize)
}

/// Lets a stopped tracee go on and delivers `signal` to it (0: none), with the siginfo it came with.
pub fn ptrace_continue(pid: Pid, signal: i32) -> io::Result<()> {
    ptrace(libc::PTRACE_CONT, pid, 0, signal as usize)
}

/// Leaves a tracee in its group-stop, but hears when that ends.
pub fn ptrace_listen(pid: Pid) -> io::Result<()> {
    ptrace(libc::PTRACE_LISTEN, pid, 0, 0)
}

/// The number that belongs to the ptrace event (`PTRACE_EVENT_...`) that a tracee is stopped at: a new
/// task's id, the former id of a thread that executed a program, or the filter's data.
///
/// A tracee that is killed leaves any stop, and may be in that of its exit when it is asked: the
/// number would be its exit status. Then, as when it has vanished, the error is ESRCH.
pub fn ptrace_event_message(pid: Pid, event: i32) -> io::Result<u64> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the kernel writes one unsigned long to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, pid, 0, &mut message) })?;
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel writes one siginfo_t to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, pid, 0, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first, written by the call.
    let code = unsafe { info.assume_init() }.si_code;
    // Nobody returns to a stop: who is in it now was in it before.
    match code == libc::SIGTRAP | event << 8 {
        true => Ok(message),
        false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    }
}

/// The system call that a tracee is stopped at.
#[derive(Debug, Clone, Copy)]
pub struct SyscallStop {
    /// `AUDIT_ARCH_...` of the ABI through which it came.
    pub arch: u32,
    pub number: u64,
    pub args: [u64; 6],
}

/// Reads the system call at a seccomp stop.
pub fn ptrace_syscall_info(pid: Pid) -> io::Result<SyscallStop> {
    let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let size = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: the kernel writes at most `size` bytes to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, size, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first; at a seccomp stop the kernel fills the seccomp variant.
    let (op, arch, call) = unsafe {
        let info = info.assume_init();
        (info.op, info.arch, info.u.seccomp)
    };
    if op != libc::PTRACE_SYSCALL_INFO_SECCOMP {
        // It was killed, and is stopped at its exit by now.
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(SyscallStop {
        arch,
        number: call.nr,
        args: call.args,
    })
}

/// The registers of a stopped tracee.
pub fn ptrace_registers(pid: Pid) -> io::Result<libc::user_regs_struct> {
    let mut registers = MaybeUninit::<libc::user_regs_struct>::zeroed();
    // SAFETY: the kernel writes one user_regs_struct to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETREGS, pid, 0, registers.as_mut_ptr()) })?;
    // SAFETY: initialised by the call.
    Ok(unsafe { registers.assume_init() })
}

/// Sets the registers of a stopped tracee.
pub fn ptrace_set_registers(pid: Pid, registers: &libc::user_regs_struct) -> io::Result<()> {
    // SAFETY: the kernel reads one user_regs_struct from the address.
    check(unsafe { libc::ptrace(libc::PTRACE_SETREGS, pid, 0, registers) }).map(drop)
}

/// What a signal was sent for (siginfo_t).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalInfo {
    pub signal: i32,
    /// `SEGV_MAPERR`, `FPE_INTDIV` and the like, which are positive if the kernel sent it for a
    /// fault of the task's own.
    pub code: i32,
    /// For a fault, the address that was accessed, or where the instruction is.
    pub address: u64,
}

/// The signal that a tracee is stopped for, before it is delivered.
pub fn ptrace_signal_info(pid: Pid) -> io::Result<SignalInfo> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel writes one siginfo_t to the address.
    check(unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, pid, 0, info.as_mut_ptr()) })?;
    // SAFETY: zeroed at first, so that every variant of the union is initialised.
    let (info, address) = unsafe {
        let info = info.assume_init();
        (info, info.si_addr())
    };
    Ok(SignalInfo {
        signal: info.si_signo,
        code: info.si_code,
        address: address.addr() as u64,
    })
}

/// Stops a seized tracee wherever it is.
pub fn ptrace_interrupt(pid: Pid) -> io::Result<()> {
    ptrace(libc::PTRACE_INTERRUPT, pid, 0, 0)
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

/// Reads the memory of a tracee at `address`; short where the memory ends.
pub fn read_memory(pid: Pid, address: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let local = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let remote = libc::iovec {
        iov_base: address as *mut _,
        iov_len: buffer.len(),
    };
    // SAFETY: `local` describes `buffer`; the remote address is checked by the kernel.
    check(unsafe { libc::process_vm_readv(pid, &local, 1, &remote, 1, 0) } as _).map(|n| n as usize)
}

/// Reads one word of the memory of a stopped tracee.
pub fn ptrace_peek(pid: Pid, address: u64) -> io::Result<u64> {
    let mut word: u64 = 0;
    // The bare call: the C library's function returns the word, which may look like an error.
    // SAFETY: the kernel writes one word to `word`; it checks the remote address.
    let result = unsafe {
        let request = libc::PTRACE_PEEKDATA;
        libc::syscall(libc::SYS_ptrace, request, pid, address, &raw mut word)
    };
    check(result).map(|_| word)
}

/// True if descriptor `theirs` of a process and our own descriptor `ours` are the same open file
/// description (kcmp(2)).
pub fn is_same_file(pid: Pid, theirs: RawFd, ours: RawFd) -> io::Result<bool> {
    const KCMP_FILE: libc::c_int = 0;
    let us = std::process::id();
    // SAFETY: takes no pointers.
    check(unsafe { libc::syscall(libc::SYS_kcmp, us, pid, KCMP_FILE, ours, theirs) })
        .map(|order| order == 0)
}

/// The size of a page of memory in bytes.
pub fn page_size() -> u64 {
    // SAFETY: takes no pointers.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Bytes that lie in a pipe, asked through either end.
pub fn pipe_bytes(pipe: BorrowedFd<'_>) -> io::Result<u64> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: FIONREAD writes one int.
    check(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut bytes) }.into())?;
    Ok(bytes.max(0) as u64)
}

/// True if nobody has `file` open for writing. `file` itself must be open for reading only and
/// belong to us: a read lease is given exactly then (fcntl(2), F_SETLEASE).
pub fn nobody_writes(file: BorrowedFd<'_>) -> io::Result<bool> {
    let fd = file.as_raw_fd();
    // SAFETY: takes no pointers.
    match check(unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) }.into()) {
        Ok(_) => {
            // SAFETY: takes no pointers.
            check(unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_UNLCK) }.into())?;
            Ok(true)
        }
        Err(e) if e.raw_os_error() == Some(libc::EAGAIN) => Ok(false),
        Err(e) => Err(e),
    }
}

/// A copy of a descriptor with a number of at least `least`, closed on exec.
pub fn duplicate_above(fd: BorrowedFd<'_>, least: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes no pointers; the result is a descriptor that nobody else owns.
    unsafe {
        let fd = check(libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, least).into())?;
        Ok(OwnedFd::from_raw_fd(fd as RawFd))
    }
}

/// Watches a file (inotify(7)); returns the watch descriptor that its events carry.
pub fn inotify_add_watch(inotify: BorrowedFd<'_>, path: &CStr, events: u32) -> io::Result<i32> {
    // SAFETY: path is a NUL-terminated string.
    let watch = unsafe { libc::inotify_add_watch(inotify.as_raw_fd(), path.as_ptr(), events) };
    check(watch.into()).map(|watch| watch as i32)
}

/// Something to close *after* a descriptor whose closing takes time: a worker of the kernel then
/// does the waiting.
///
/// It is an io_uring instance with which the file is registered and which serves for nothing else.
/// The file then lives until the instance is taken down, and that is a worker's task.
pub fn background_closer(slow: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    /// `struct io_uring_params` of linux/io_uring.h in bytes; all zero asks for nothing special.
    const PARAMS: usize = 120;
    const REGISTER_FILES: libc::c_uint = 2;
    let mut params = [0u64; PARAMS / 8];
    // SAFETY: params is as large as the kernel's structure and aligned like it; the descriptor that
    // the kernel makes is nobody else's.
    let ring = unsafe {
        let ring = check(libc::syscall(
            libc::SYS_io_uring_setup,
            1,
            params.as_mut_ptr(),
        ))?;
        let _ = libc::fcntl(ring as RawFd, libc::F_SETFD, libc::FD_CLOEXEC);
        OwnedFd::from_raw_fd(ring as RawFd)
    };
    let (register, file) = (libc::SYS_io_uring_register, slow.as_raw_fd());
    // SAFETY: the kernel reads one int from the address.
    check(unsafe { libc::syscall(register, ring.as_raw_fd(), REGISTER_FILES, &file, 1) })?;
    Ok(ring)
}

/// Locks one byte of a file for as long as this open file description lives; false if another
/// description holds it. The kernel forgets the lock when its holder dies.
pub fn lock_byte(file: BorrowedFd<'_>, byte: u64) -> io::Result<bool> {
    // SAFETY: an all-zero flock is a valid value.
    let mut lock: libc::flock = unsafe { MaybeUninit::zeroed().assume_init() };
    lock.l_type = libc::F_WRLCK as _;
    lock.l_whence = libc::SEEK_SET as _;
    lock.l_start = byte as _;
    lock.l_len = 1;
    // SAFETY: the kernel reads one flock from the address.
    match check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &lock) }.into()) {
        Ok(_) => Ok(true),
        Err(e) if matches!(e.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        Err(e) => Err(e),
    }
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
