//! What this process is allowed to do, tried in a child that ends at once.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use super::{Forked, check, fork_into, kill, ptrace_continue, ptrace_seize, wait4};

/// The version of Landlock's interface that this kernel has.
pub fn landlock_version() -> io::Result<i64> {
    const VERSION: libc::c_uint = 1;
    let (call, nothing) = (libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>());
    // SAFETY: a null pointer is right for this flag.
    check(unsafe { libc::syscall(call, nothing, 0, VERSION) })
}

/// Allows something (`LANDLOCK_ACCESS_FS_...`) with an open file, or below an open folder, by a
/// ruleset that was not applied yet.
pub fn landlock_allow(
    ruleset: BorrowedFd<'_>,
    file: BorrowedFd<'_>,
    access: u64,
) -> io::Result<()> {
    /// `struct landlock_path_beneath_attr` of linux/landlock.h.
    #[repr(C, packed)]
    struct Beneath {
        access: u64,
        file: RawFd,
    }
    const PATH_BENEATH: libc::c_int = 1;
    let file = file.as_raw_fd();
    let rule = Beneath { access, file };
    let (call, ruleset) = (libc::SYS_landlock_add_rule, ruleset.as_raw_fd());
    // SAFETY: `rule` is as large as the kernel's structure.
    let result = unsafe { libc::syscall(call, ruleset, PATH_BENEATH, &raw const rule, 0) };
    check(result).map(drop)
}

/// Something that a process may be forbidden to do to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// To exist, in whatever it was forked into.
    Nothing,
    /// To load a system call filter that may call a tracer (seccomp(2)).
    LoadFilter,
    /// To give up files by a Landlock ruleset.
    RestrictFiles,
    /// To be traced with these options (`PTRACE_O_...`).
    BeTraced(i32),
}

/// Tries it in a process that is forked for it, into `namespaces` (`CLONE_NEW...`), and ends at once.
///
/// # Errors
/// The kernel's, of the first call that it refused.
pub fn try_in_child(namespaces: u64, deed: Deed) -> io::Result<()> {
    // SAFETY: the child only makes system calls and ends.
    let pid = match unsafe { fork_into(namespaces) }? {
        Forked::Parent(pid) => pid,
        // SAFETY: ends the process without running anything of the parent's.
        Forked::Child => unsafe { libc::_exit(do_to_oneself(deed)) },
    };
    let traced = match deed {
        Deed::BeTraced(options) => {
            let traced = ptrace_seize(pid, options);
            let _ = kill(pid, libc::SIGKILL);
            traced
        }
        _ => Ok(()),
    };
    while let Some(waited) = wait4(pid, true)? {
        if libc::WIFEXITED(waited.status) {
            return match libc::WEXITSTATUS(waited.status) {
                0 => traced,
                errno => Err(io::Error::from_raw_os_error(errno)),
            };
        }
        if libc::WIFSIGNALED(waited.status) {
            break;
        }
        // It stops once more before it ends, if the options say so.
        let _ = ptrace_continue(pid, 0);
    }
    traced
}

/// The errno of the first call that the kernel refuses, or 0. Only system calls.
fn do_to_oneself(deed: Deed) -> i32 {
    // SAFETY: takes no pointers.
    let private = || unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    let result: libc::c_long = match deed {
        Deed::Nothing => 0,
        Deed::LoadFilter if private() == 0 => {
            let action = libc::SECCOMP_RET_TRACE;
            let allow = libc::sock_filter {
                code: (libc::BPF_RET | libc::BPF_K) as u16,
                jt: 0,
                jf: 0,
                k: libc::SECCOMP_RET_ALLOW,
            };
            let program = libc::sock_fprog {
                len: 1,
                filter: (&raw const allow).cast_mut(),
            };
            let call = libc::SYS_seccomp;
            // SAFETY: the kernel reads one u32, and the program that `program` describes.
            unsafe {
                match libc::syscall(call, libc::SECCOMP_GET_ACTION_AVAIL, 0, &action) {
                    0 => libc::syscall(call, libc::SECCOMP_SET_MODE_FILTER, 0, &program),
                    refused => refused,
                }
            }
        }
        Deed::RestrictFiles if private() == 0 => {
            /// `LANDLOCK_ACCESS_FS_EXECUTE` of linux/landlock.h, the first word of its attributes.
            const EXECUTE: u64 = 1;
            // SAFETY: the kernel reads as many bytes as the size says.
            unsafe {
                let (make, size) = (libc::SYS_landlock_create_ruleset, size_of::<u64>());
                match libc::syscall(make, &EXECUTE, size, 0) {
                    ruleset if ruleset >= 0 => {
                        libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0)
                    }
                    refused => refused,
                }
            }
        }
        // It is killed while it waits. Should nobody be there to do it, it ends by itself.
        // SAFETY: no descriptor is looked at.
        Deed::BeTraced(_) => unsafe { libc::poll(std::ptr::null_mut(), 0, 10_000) }.into(),
        Deed::LoadFilter | Deed::RestrictFiles => -1,
    };
    match result {
        0.. => 0,
        // SAFETY: the address of this thread's errno is always valid.
        _ => unsafe { *libc::__errno_location() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_may_exist_and_its_errors_come_back() {
        assert!(try_in_child(0, Deed::Nothing).is_ok());
        // A traced process stops before its end, and must not be waited for in vain.
        let traced = try_in_child(0, Deed::BeTraced(libc::PTRACE_O_TRACEEXIT));
        assert!(traced.is_ok(), "{traced:?}");
        // A file system of its own cannot be shared with one: EINVAL, for root and for everybody.
        let impossible = (libc::CLONE_NEWNS | libc::CLONE_FS) as u64;
        let error = try_in_child(impossible, Deed::Nothing).expect_err("EINVAL");
        assert_eq!(error.raw_os_error(), Some(libc::EINVAL));
        let error = try_in_child(0, Deed::BeTraced(-1)).expect_err("no such options");
        assert_eq!(error.raw_os_error(), Some(libc::EIO));
    }
}
