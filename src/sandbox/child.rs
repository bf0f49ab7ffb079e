//! Between fork and exec: the named set-up steps of the sandbox's init and of the participant.
//!
//! Everything here runs in a forked child of a process that may have other threads, so it only
//! makes system calls on data that [`launch`](super::launch) prepared: no allocation, no lock, no
//! panic. A step that fails is reported as (step, errno) through the status pipe and the child
//! exits.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::RawFd;
use std::ptr;

use libc::sock_filter;

use super::view::Op;
use crate::sys::{self, Forked, Pid};

/// The steps, in the order in which they run; the discriminant travels through the status pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Step {
    Descriptors = 1,
    ParentDeath,
    UserMap,
    FileSystem,
    Fork,
    Report,
    Barrier,
    Group,
    Session,
    Signals,
    Limits,
    Cpus,
    Folder,
    Identity,
    Privileges,
    Landlock,
    Filter,
    Exec,
}

impl Step {
    const ALL: [Step; 18] = [
        Step::Descriptors,
        Step::ParentDeath,
        Step::UserMap,
        Step::FileSystem,
        Step::Fork,
        Step::Report,
        Step::Barrier,
        Step::Group,
        Step::Session,
        Step::Signals,
        Step::Limits,
        Step::Cpus,
        Step::Folder,
        Step::Identity,
        Step::Privileges,
        Step::Landlock,
        Step::Filter,
        Step::Exec,
    ];

    /// The step's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Step::Descriptors => "descriptors",
            Step::ParentDeath => "parent-death",
            Step::UserMap => "user-map",
            Step::FileSystem => "file-system",
            Step::Fork => "fork",
            Step::Report => "report",
            Step::Barrier => "barrier",
            Step::Group => "cgroup",
            Step::Session => "session",
            Step::Signals => "signals",
            Step::Limits => "limits",
            Step::Cpus => "cpus",
            Step::Folder => "folder",
            Step::Identity => "identity",
            Step::Privileges => "privileges",
            Step::Landlock => "landlock",
            Step::Filter => "filter",
            Step::Exec => "exec",
        }
    }
}

/// One message on the status pipe, eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// The participant is at the barrier; its id as the coordinator sees it.
    Ready(i32),
    /// A step failed with this errno; `detail` counts within the step.
    Failed { step: Step, detail: u16, errno: u16 },
}

impl Message {
    /// The size of a message in bytes.
    pub const SIZE: usize = 8;

    fn encode(self) -> [u8; Self::SIZE] {
        let (tag, value) = match self {
            Message::Ready(pid) => (0, pid as u32),
            Message::Failed {
                step,
                detail,
                errno,
            } => (step as u32, u32::from(detail) << 16 | u32::from(errno)),
        };
        let mut bytes = [0; Self::SIZE];
        bytes[..4].copy_from_slice(&tag.to_ne_bytes());
        bytes[4..].copy_from_slice(&value.to_ne_bytes());
        bytes
    }

    /// Reads a message; `None` if no child of ours can have written it.
    pub fn decode(bytes: [u8; Self::SIZE]) -> Option<Message> {
        let [a, b, c, d, e, f, g, h] = bytes;
        let (tag, value) = (
            u32::from_ne_bytes([a, b, c, d]),
            u32::from_ne_bytes([e, f, g, h]),
        );
        if tag == 0 {
            return Some(Message::Ready(value as i32));
        }
        let step = Step::ALL.into_iter().find(|s| *s as u32 == tag)?;
        Some(Message::Failed {
            step,
            detail: (value >> 16) as u16,
            errno: value as u16,
        })
    }
}

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
    /// A Landlock ruleset.
    pub landlock: Option<RawFd>,
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
        Some(init) => descriptors(setup).and_then(|()| be_init(init, setup, &mut detail)),
        None => descriptors(setup).and_then(|()| be_participant(setup)),
    };
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
        (LANDLOCK, setup.landlock),
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

/// The sandbox's first process: lays out the tree, forks the participant, and then only exists.
fn be_init(init: &Init, setup: &Setup, detail: &mut u16) -> StepResult {
    // SAFETY: takes no pointers.
    unsafe {
        done(
            Step::ParentDeath,
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL).into(),
        )?;
        done(Step::Session, libc::setsid().into())?;
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
    // SAFETY: a clone without CLONE_VM and with a null stack behaves like fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) };
    done(Step::Fork, pid)?;
    if pid == 0 {
        return be_participant(setup);
    }
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
    let tmpfs = |at: &CStr| {
        let data = c"mode=0755,size=1m,nr_inodes=4k".as_ptr();
        mount(
            c"rejoinder".as_ptr(),
            at,
            c"tmpfs".as_ptr(),
            libc::MS_NOSUID,
            data,
        )
    };
    // SAFETY: every path is a NUL-terminated string that lives in `op`.
    let result = unsafe {
        match op {
            Op::DetachPropagation => mount(none, c"/", none, libc::MS_REC | libc::MS_PRIVATE, none),
            Op::NewRoot(at) => {
                if tmpfs(at) < 0 {
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
            Op::Tmpfs(at) => tmpfs(at),
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

/// The participant: reports, waits to be traced, gives up everything it should not have, executes.
fn be_participant(setup: &Setup) -> StepResult {
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
    if !report(Message::Ready(pid)) {
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
    // SAFETY: takes no pointers.
    done(Step::Session, unsafe { libc::setsid() }.into())?;
    default_signals();
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
    // SAFETY: takes no pointers.
    let result = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    done(Step::Privileges, result.into())?;
    if setup.landlock.is_some() {
        // SAFETY: takes no pointers.
        let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, LANDLOCK, 0) };
        done(Step::Landlock, result)?;
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

/// Every signal to its default action and none blocked, as a program expects to be started.
fn default_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: both are valid actions; the two signals that cannot be set fail harmlessly.
        unsafe {
            // What a terminal has sent to the coordinator's group since the fork is meant for the
            // coordinator, which tells us. To ignore a signal discards one that is pending.
            libc::signal(signal, libc::SIG_IGN);
            libc::signal(signal, libc::SIG_DFL);
        }
    }
    // SAFETY: a zeroed set is the empty set.
    unsafe {
        let none: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_pipe() {
        let failed = Message::Failed {
            step: Step::FileSystem,
            detail: 12,
            errno: libc::ENOENT as u16,
        };
        for message in [Message::Ready(4_194_303), failed] {
            assert_eq!(Message::decode(message.encode()), Some(message));
        }
        assert_eq!(Message::decode([0xff; 8]), None);
    }

    #[test]
    fn every_step_has_a_number_of_its_own() {
        for (i, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as u32, i as u32 + 1, "{}", step.name());
        }
    }
}
