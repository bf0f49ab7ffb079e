//! What children and tracees have to report (wait(2)).

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

use super::{Pid, check};

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
