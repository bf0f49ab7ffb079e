//! The steps of the sandbox's first process.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

use super::message::Step;
use super::{BARRIER, CString0, Init, Setup, StepResult, default_signals, done, errno};
use crate::sandbox::view::Op;

/// The sandbox's first process: lays out the tree, forks the participant, and then only exists.
pub(super) fn be_init(init: &Init, setup: &Setup, detail: &mut u16) -> StepResult {
    // SAFETY: takes no pointers.
    unsafe {
        done(
            Step::ParentDeath,
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL).into(),
        )?;
        done(Step::ProcessGroup, libc::setpgid(0, 0).into())?;
    }
    if let Some((users, groups)) = &init.user_map {
        write_file(c"/proc/self/setgroups", b"deny")?;
        write_file(c"/proc/self/uid_map", users.to_bytes())?;
        write_file(c"/proc/self/gid_map", groups.to_bytes())?;
    }
    for op in &init.ops {
        carry_out(op).map_err(|errno| (Step::FileSystem, errno))?;
        *detail += 1;
    }
    *detail = 0;
    // Children that nobody waits for must not remain as zombies.
    default_signals();
    // SAFETY: no handler is installed; SIG_IGN for SIGCHLD makes the kernel reap.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    start_participant(setup)?;
    // SAFETY: takes no pointers but to `life`, which lives here; everything is closed but the life
    // line, whose hang-up means that the coordinator is gone.
    unsafe {
        libc::syscall(libc::SYS_close_range, 0, BARRIER - 1, 0);
        libc::syscall(libc::SYS_close_range, BARRIER + 1, u32::MAX, 0);
        let mut life = libc::pollfd {
            fd: BARRIER,
            events: 0,
            revents: 0,
        };
        while libc::poll(&mut life, 1, -1) <= 0 {}
        libc::_exit(0)
    }
}

/// Forks the participant, which borrows this process's memory, and returns when it has executed its
/// program or ended: a copy would be thrown away at exec. That it is stopped at the barrier or by its
/// tracer meanwhile keeps nothing alive: who waits here can be killed, and the kernel then kills the
/// participant too.
fn start_participant(setup: &Setup) -> StepResult {
    /// More than [`be_participant`](super::participant::be_participant) and what it calls can use.
    const STACK: usize = 16 << 10;
    extern "C" fn participant(setup: *mut libc::c_void) -> libc::c_int {
        // SAFETY: it is the reference that was given to clone, whose caller waits for us.
        let setup = unsafe { &*setup.cast_const().cast::<Setup>() };
        super::end(super::participant::be_participant(setup), 0)
    }
    let mut stack = MaybeUninit::<[u8; STACK]>::uninit();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the stack grows down from its end and is ours until this function returns, which is
    // when nobody uses it any more. The participant changes nothing else in this memory but errno.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(1).cast();
        let setup = ptr::from_ref(setup).cast_mut().cast();
        libc::clone(participant, top, flags, setup)
    };
    done(Step::Fork, pid.into())
}

fn write_file(path: &CStr, bytes: &[u8]) -> StepResult {
    // SAFETY: path is NUL-terminated, bytes is valid for its length.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        done(Step::UserMap, fd.into())?;
        done(
            Step::UserMap,
            libc::write(fd, bytes.as_ptr().cast(), bytes.len()) as libc::c_long,
        )?;
        libc::close(fd);
    }
    Ok(())
}

/// One call of the file system layout.
fn carry_out(op: &Op) -> Result<(), u16> {
    let none = ptr::null::<libc::c_char>();
    let mount = |source: CString0, target: &CStr, kind: CString0, flags: u64, data: CString0| {
        // SAFETY: all strings are NUL-terminated or null where the kernel allows that.
        unsafe { libc::syscall(libc::SYS_mount, source, target.as_ptr(), kind, flags, data) }
    };
    // SAFETY: every path is a NUL-terminated string that lives in `op`.
    let result = unsafe {
        match op {
            Op::DetachPropagation => mount(none, c"/", none, libc::MS_REC | libc::MS_PRIVATE, none),
            Op::NewRoot(at) => {
                let (source, kind) = (c"rejoinder".as_ptr(), c"tmpfs".as_ptr());
                let data = c"mode=0755,size=1m,nr_inodes=4k".as_ptr();
                if mount(source, at, kind, libc::MS_NOSUID, data) < 0 {
                    -1
                } else {
                    libc::chdir(at.as_ptr()).into()
                }
            }
            Op::Folder(at) => libc::mkdir(at.as_ptr(), 0o755).into(),
            Op::File(at) => libc::mknod(at.as_ptr(), libc::S_IFREG | 0o644, 0).into(),
            Op::Symlink { target, at } => libc::symlink(target.as_ptr(), at.as_ptr()).into(),
            Op::Bind { from, at } => {
                mount(from.as_ptr(), at, none, libc::MS_BIND | libc::MS_REC, none)
            }
            Op::Restrict {
                at,
                attributes,
                recursive,
            } => {
                let change = libc::mount_attr {
                    attr_set: *attributes,
                    attr_clr: 0,
                    propagation: 0,
                    userns_fd: 0,
                };
                libc::syscall(
                    libc::SYS_mount_setattr,
                    libc::AT_FDCWD,
                    at.as_ptr(),
                    if *recursive { libc::AT_RECURSIVE } else { 0 },
                    &change,
                    size_of::<libc::mount_attr>(),
                )
            }
            Op::Proc(at) => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
                // Of other processes, only its own are to be seen: not even the init, which is a copy
                // of the coordinator.
                let data = c"hidepid=ptraceable".as_ptr();
                mount(c"proc".as_ptr(), at, c"proc".as_ptr(), flags, data)
            }
            Op::EnterRoot => {
                let here = c".".as_ptr();
                if libc::syscall(libc::SYS_pivot_root, here, here) < 0 {
                    -1
                } else {
                    libc::umount2(here, libc::MNT_DETACH).into()
                }
            }
            Op::WorkingFolder(at) => libc::chdir(at.as_ptr()).into(),
        }
    };
    if result < 0 { Err(errno()) } else { Ok(()) }
}
