//! Between fork and exec: the named set-up steps of the sandbox's init and of the participant.
//!
//! Everything here runs in a forked child of a process that may have other threads, so it only
//! makes system calls on data that [`launch`](super::launch) prepared: no allocation, no lock, no
//! panic. A step that fails is reported as (step, errno) through the status pipe
//! ([`message`]) and the child exits.

mod init;
pub mod message;
mod participant;

use std::ffi::CString;
use std::io;
use std::os::fd::RawFd;
use std::ptr;

use libc::sock_filter;

use self::message::{Message, Step};
use super::view::Op;
use crate::sys::{self, Forked, Pid};

/// Where the descriptors lie in the child; everything above is closed.
const STATUS: RawFd = 3;
const BARRIER: RawFd = 4;
const HOST_PROC: RawFd = 5;
const LANDLOCK: RawFd = 6;
const GROUP: RawFd = 7;
const FIRST_FREE: u32 = 8;

/// The least number that a descriptor handed to [`spawn`] may have, so that none is overwritten
/// while they are moved into place.
pub const LEAST_DESCRIPTOR: RawFd = 16;

/// What the sandbox's init does before it forks the participant.
pub struct Init {
    /// The lines for `uid_map` and `gid_map`, in a user namespace.
    pub user_map: Option<(CString, CString)>,
    /// How to lay out the file system.
    pub ops: Vec<Op>,
}

/// CPUs as the kernel wants them named.
pub fn cpu_set(cpus: &[usize]) -> libc::cpu_set_t {
    // SAFETY: an all-zero cpu_set_t is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for cpu in cpus.iter().filter(|cpu| **cpu < libc::CPU_SETSIZE as usize) {
        // SAFETY: the index is below CPU_SETSIZE.
        unsafe { libc::CPU_SET(*cpu, &mut set) };
    }
    set
}

/// Everything the child needs, ready for use.
pub struct Setup {
    /// Present where the sandbox has namespaces.
    pub init: Option<Init>,
    /// The participant's stdin, stdout and stderr.
    pub stdio: [RawFd; 3],
    pub status: RawFd,
    /// The barrier, and the life line: its other end closes when the coordinator dies.
    pub barrier: RawFd,
    /// `/proc` of the coordinator.
    pub host_proc: RawFd,
    /// A Landlock ruleset, and what it is to allow below the root of the tree that [`Init`] laid
    /// out (`LANDLOCK_ACCESS_FS_...`).
    pub landlock: Option<(RawFd, Option<u64>)>,
    /// The file of a cgroup that takes in whoever writes "0" to it.
    pub group: Option<RawFd>,
    /// Resource, value (soft and hard).
    pub limits: Vec<(u32, u64)>,
    pub cpus: Option<libc::cpu_set_t>,
    /// The working folder where [`Init`] does not set it.
    pub folder: Option<CString>,
    /// User and group id to change to.
    pub identity: Option<(u32, u32)>,
    /// The seccomp filter.
    pub filter: Vec<sock_filter>,
    pub program: CString,
    /// NULL-terminated pointers into strings that live as long as this.
    pub argv: Pointers,
    pub environment: Pointers,
}

/// A NULL-terminated array of C strings that owns them.
pub struct Pointers {
    _strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

impl Pointers {
    /// Takes the strings over.
    pub fn new(strings: Vec<CString>) -> Self {
        let pointers = strings
            .iter()
            .map(|s| s.as_ptr())
            .chain([ptr::null()])
            .collect();
        Pointers {
            _strings: strings,
            pointers,
        }
    }
}

/// A C string or null.
type CString0 = *const libc::c_char;
type StepResult = Result<(), (Step, u16)>;

fn errno() -> u16 {
    // SAFETY: the address of this thread's errno is always valid.
    unsafe { *libc::__errno_location() as u16 }
}

/// Turns a system call's result into a step's.
fn done(step: Step, result: libc::c_long) -> StepResult {
    if result < 0 {
        Err((step, errno()))
    } else {
        Ok(())
    }
}

/// Forks a child, in new namespaces if `namespaces` says so (`CLONE_NEW...`), that goes through its
/// steps and executes the program; its id.
pub fn spawn(setup: &Setup, namespaces: u64) -> io::Result<Pid> {
    // SAFETY: the child only runs `run`, which only makes system calls.
    match unsafe { sys::fork_into(namespaces) }? {
        Forked::Parent(pid) => Ok(pid),
        Forked::Child => run(setup),
    }
}

/// Runs the child to its end: exec, or a reported failure.
fn run(setup: &Setup) -> ! {
    let mut detail = 0;
    let result = match &setup.init {
        Some(init) => descriptors(setup).and_then(|()| init::be_init(init, setup, &mut detail)),
        None => descriptors(setup).and_then(|()| participant::be_participant(setup)),
    };
    end(result, detail)
}

/// Reports what failed, if something did, and ends the process.
fn end(result: StepResult, detail: u16) -> ! {
    if let Err((step, errno)) = result {
        report(Message::Failed {
            step,
            detail,
            errno,
        });
    }
    // SAFETY: ends the process without running anything of the parent's.
    unsafe { libc::_exit(127) }
}

fn report(message: Message) -> bool {
    let bytes = message.encode();
    // SAFETY: bytes is valid for its length.
    unsafe { libc::write(STATUS, bytes.as_ptr().cast(), bytes.len()) == bytes.len() as isize }
}

fn descriptors(setup: &Setup) -> StepResult {
    let step = Step::Descriptors;
    // The coordinator's own mask must neither close the tree that is laid out nor reach a program.
    // SAFETY: takes no pointers.
    unsafe { libc::umask(0o022) };
    for (fd, from) in setup.stdio.into_iter().enumerate() {
        // SAFETY: takes no pointers; as below.
        done(step, unsafe { libc::dup2(from, fd as RawFd) }.into())?;
    }
    let rest = [
        (STATUS, Some(setup.status)),
        (BARRIER, Some(setup.barrier)),
        (HOST_PROC, Some(setup.host_proc)),
        (LANDLOCK, setup.landlock.map(|(ruleset, _)| ruleset)),
        (GROUP, setup.group),
    ];
    for (to, from) in rest {
        // SAFETY: takes no pointers. Where nothing belongs, something of the coordinator's may be
        // open.
        let result = unsafe {
            match from {
                Some(from) => libc::dup3(from, to, libc::O_CLOEXEC),
                None => libc::syscall(libc::SYS_close_range, to, to, 0) as i32,
            }
        };
        done(step, result.into())?;
    }
    // SAFETY: see above; nothing of this process refers to these descriptors any more.
    done(step, unsafe {
        libc::syscall(libc::SYS_close_range, FIRST_FREE, u32::MAX, 0)
    })
}

/// Every signal to its default action and none blocked, as a program expects to be started. Only for
/// a process that has left the coordinator's process group, so that nothing more comes from a terminal.
fn default_signals() {
    /// What the kernel's `struct sigaction` begins with, and as long as it: handler, flags, restorer,
    /// mask. The C library's function leaves its own two signals as they are, and posix_spawn(3) has
    /// them ignored.
    const DEFAULT: [usize; 4] = [libc::SIG_DFL, 0, 0, 0];
    const IGNORE: [usize; 4] = [libc::SIG_IGN, 0, 0, 0];
    const MASK_SIZE: usize = 8;
    let set = |signal: i32, action: &[usize; 4]| {
        let old = ptr::null_mut::<usize>();
        // SAFETY: the action is as large as the kernel's structure; the two signals that cannot be
        // set fail harmlessly.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                action.as_ptr(),
                old,
                MASK_SIZE,
            )
        };
    };
    // SAFETY: a zeroed set is the empty set, and valid for writes.
    unsafe {
        let mut pending: libc::sigset_t = std::mem::zeroed();
        libc::sigpending(&mut pending);
        for signal in 1..=libc::SIGRTMAX() {
            // What a terminal has sent to the coordinator's group since the fork is meant for the
            // coordinator, which tells us. To ignore a signal discards one that is pending.
            if libc::sigismember(&pending, signal) == 1 {
                set(signal, &IGNORE);
            }
            set(signal, &DEFAULT);
        }
        let none: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
    }
}
