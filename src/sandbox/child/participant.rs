//! The steps of the participant, the last of which is its program.

use std::os::fd::RawFd;
use std::ptr;

use super::message::{Message, Step};
use super::{BARRIER, GROUP, HOST_PROC, LANDLOCK, Setup, StepResult, default_signals, done, errno};

/// The participant: reports, waits to be traced, gives up everything it should not have, executes.
pub(super) fn be_participant(setup: &Setup) -> StepResult {
    let mut text = [0u8; 16];
    // SAFETY: text is valid for its length; the link of a proc mount names the reader as that
    // mount's pid namespace, the coordinator's, sees it.
    let length = unsafe {
        libc::readlinkat(
            HOST_PROC,
            c"self".as_ptr(),
            text.as_mut_ptr().cast(),
            text.len(),
        )
    };
    done(Step::Report, length as libc::c_long)?;
    let digits = text.iter().take(length as usize);
    let pid = digits.fold(0i32, |n, d| {
        n.wrapping_mul(10).wrapping_add(i32::from(d - b'0'))
    });
    if !super::report(Message::Ready(pid)) {
        return Err((Step::Report, errno()));
    }
    let mut go = 0u8;
    // SAFETY: go is valid for one byte.
    match unsafe { libc::read(BARRIER, (&raw mut go).cast(), 1) } {
        1 => {}
        0 => return Err((Step::Barrier, libc::EPIPE as u16)),
        _ => return Err((Step::Barrier, errno())),
    }
    if setup.group.is_some() {
        // A process moves itself at once; to move another, the kernel waits until no task forks.
        // SAFETY: the string is valid for one byte.
        let result = unsafe { libc::write(GROUP, c"0".as_ptr().cast(), 1) };
        done(Step::Group, result as libc::c_long)?;
    }
    // Out of reach of what is sent to the coordinator's group. A session of its own would be a group
    // for the scheduler (docs/decisions/0015-one-scheduling-group.md); but without a pid namespace
    // nothing else keeps it from joining other groups.
    // SAFETY: take no pointers.
    let group = unsafe {
        match setup.init {
            Some(_) => libc::setpgid(0, 0),
            None => libc::setsid(),
        }
    };
    done(Step::ProcessGroup, group.into())?;
    match setup.init {
        // Its init has done the rest, and a fork inherits nothing that is pending.
        // SAFETY: SIG_DFL is a valid action.
        Some(_) => drop(unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) }),
        None => default_signals(),
    }
    for (resource, value) in &setup.limits {
        let limit = libc::rlimit {
            rlim_cur: *value,
            rlim_max: *value,
        };
        // SAFETY: limit is valid for reads.
        let result = unsafe { libc::setrlimit(*resource, &limit) };
        done(Step::Limits, result.into())?;
    }
    if let Some(cpus) = &setup.cpus {
        // SAFETY: cpus is valid for its size.
        let result = unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), cpus) };
        done(Step::Cpus, result.into())?;
    }
    if let Some(folder) = &setup.folder {
        // SAFETY: folder is NUL-terminated.
        done(Step::Folder, unsafe { libc::chdir(folder.as_ptr()) }.into())?;
    }
    if let Some((user, group)) = setup.identity {
        // Raw calls: the C library's wrappers would try to change every thread of the parent.
        // SAFETY: take no pointers, or a null one with length 0.
        unsafe {
            done(
                Step::Identity,
                libc::syscall(libc::SYS_setgroups, 0, ptr::null::<u32>()),
            )?;
            done(
                Step::Identity,
                libc::syscall(libc::SYS_setresgid, group, group, group),
            )?;
            done(
                Step::Identity,
                libc::syscall(libc::SYS_setresuid, user, user, user),
            )?;
        }
    }
    // The kernel's default, whatever it was for who started us: what waits with a timeout is expected
    // to wake in time. It cannot fail.
    const TIMER_SLACK_NS: libc::c_ulong = 50_000;
    // SAFETY: takes no pointers.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0) };
    // SAFETY: takes no pointers.
    let result = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    done(Step::Privileges, result.into())?;
    give_up_capabilities()?;
    if let Some((_, tree)) = setup.landlock {
        restrict(tree)?;
    }
    let filter = libc::sock_fprog {
        len: setup.filter.len() as u16,
        filter: setup.filter.as_ptr().cast_mut(),
    };
    // SAFETY: `filter` describes what is in `setup`, which the kernel copies.
    let result =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &filter) };
    done(Step::Filter, result)?;
    // SAFETY: all three are NUL- or NULL-terminated and live in `setup`.
    let result = unsafe {
        libc::execve(
            setup.program.as_ptr(),
            setup.argv.pointers.as_ptr(),
            setup.environment.pointers.as_ptr(),
        )
    };
    done(Step::Exec, result.into())
}

/// Without them, and without new privileges, a program that runs as root of whatever kind is a user
/// like any other.
fn give_up_capabilities() -> StepResult {
    /// `_LINUX_CAPABILITY_VERSION_3` of linux/capability.h.
    const VERSION: u32 = 0x2008_0522;
    // The header is the version and a thread, 0 for this one; then come two times effective,
    // permitted and inheritable.
    let (header, none) = ([VERSION, 0], [0u32; 6]);
    // SAFETY: both are as large as the kernel's structures.
    let result = unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) };
    done(Step::Privileges, result)
}

/// Applies the Landlock ruleset, first completed by the tree that did not exist when it was made.
fn restrict(tree: Option<u64>) -> StepResult {
    /// `struct landlock_path_beneath_attr` of linux/landlock.h.
    #[repr(C, packed)]
    struct Beneath {
        access: u64,
        folder: RawFd,
    }
    const PATH_BENEATH: libc::c_int = 1;
    // SAFETY: the path is NUL-terminated; `rule` is as large as the kernel's structure.
    unsafe {
        if let Some(access) = tree {
            let folder = libc::open(c"/".as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            done(Step::Landlock, folder.into())?;
            let rule = Beneath { access, folder };
            let add = libc::SYS_landlock_add_rule;
            done(
                Step::Landlock,
                libc::syscall(add, LANDLOCK, PATH_BENEATH, &raw const rule, 0),
            )?;
        }
        done(
            Step::Landlock,
            libc::syscall(libc::SYS_landlock_restrict_self, LANDLOCK, 0),
        )
    }
}
