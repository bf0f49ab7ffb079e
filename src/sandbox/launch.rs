//! Starts a program in a sandbox and holds it at its first instruction.
//!
//! The order is that of the module's [theory of operation](super): fork, barrier, trace, place in
//! the cgroup, set-up steps, exec. [`begin`] forks and returns at once, so that several sandboxes
//! can be laid out at the same time; [`Begun::finish`] waits until the program is loaded.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::child::{self, Message, Pointers, Setup, Step};
use super::confine;
use super::filter::{self, SignalsBoundBy, Stops};
use super::memory_group::MemoryGroup;
use super::policy::Policy;
use super::reach;
use super::resources;
use super::tracer;
use super::view::{self, Given};
use crate::error::{Context, Error, Result};
use crate::evidence::{StartFailure, errno_text};
use crate::spec::limits::Limits;
use crate::spec::plan::Isolation;
use crate::sys::{self, Pid};

/// What is to be started, and in what.
pub struct Order<'a> {
    pub program: PathBuf,
    /// `argv[0]` and the arguments.
    pub argv: Vec<OsString>,
    pub given: Given,
    pub limits: &'a Limits,
    /// The CPUs it may run on; `None` for no restriction.
    pub cpus: Option<&'a [usize]>,
    pub isolation: Isolation,
    /// The user and group id it gets; only root can give one.
    pub identity: Option<u32>,
    /// Its stdin, stdout and stderr.
    pub stdio: [OwnedFd; 3],
    /// What its system calls lead to.
    pub policy: &'static Policy,
    /// The tracer reads what it writes from its memory.
    pub reads_writes: bool,
}

/// The folder that a program works in: ours, or the root where that is gone or closed to us.
pub fn working_folder() -> PathBuf {
    let may_enter =
        |folder: &PathBuf| nix::unistd::access(folder, nix::unistd::AccessFlags::X_OK).is_ok();
    let ours = std::env::current_dir().ok().filter(may_enter);
    ours.unwrap_or_else(|| PathBuf::from("/"))
}

/// A program that is loaded, traced and confined, and has not run an instruction yet. Dropping it
/// kills everything in it.
#[derive(Debug)]
pub struct Sandbox {
    /// The main process, as this process sees it.
    pub main: Pid,
    /// The sandbox's first process, where it has namespaces.
    pub init: Option<Pid>,
    /// Present where a cgroup counts the memory.
    pub memory: Option<MemoryGroup>,
    /// What its system calls lead to.
    pub policy: &'static Policy,
    /// The layers around the program, by name.
    pub layers: Vec<&'static str>,
    /// What the user should know about missing layers and limits.
    pub warnings: Vec<String>,
    /// Closing it tells the sandbox's init that the coordinator is gone.
    _life: OwnedFd,
    gone: bool,
}

impl Sandbox {
    /// Kills everything in the sandbox. The tracer then hears of every end.
    pub fn kill(&self) {
        // A process that has gone already is no failure: its id is ours until it is reaped.
        if !self.gone {
            let _ = sys::kill(self.init.unwrap_or(self.main), libc::SIGKILL);
        }
    }

    /// Says that everything in it was reaped, so that its ids may belong to others now.
    pub fn mark_gone(&mut self) {
        self.gone = true;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.gone {
            return;
        }
        self.kill();
        let _ = sys::kill(self.main, libc::SIGKILL);
        tracer::reap_everything(&[Some(self.main), self.init]);
    }
}

/// A sandbox that is being laid out.
struct Pending {
    sandbox: Sandbox,
    /// The process that was forked: the init, or the participant itself.
    forked: Pid,
    status: File,
    /// The program and a stack do not fit into the address space that it may have.
    too_large: bool,
}

/// The ways to isolate, from the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Namespaces made with the rights of root.
    Namespaces,
    /// Namespaces inside a user namespace of our own.
    UserNamespace,
    Landlock,
}

impl Way {
    fn candidates(isolation: Isolation) -> Vec<Way> {
        let namespaces = match nix::unistd::geteuid().is_root() {
            true => vec![Way::Namespaces, Way::UserNamespace],
            false => vec![Way::UserNamespace],
        };
        match isolation {
            Isolation::Strongest => [namespaces, vec![Way::Landlock]].concat(),
            Isolation::Namespaces => namespaces,
            Isolation::Landlock => vec![Way::Landlock],
        }
    }

    fn flags(self) -> u64 {
        let common =
            libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
        match self {
            Way::Namespaces => common as u64,
            Way::UserNamespace => (common | libc::CLONE_NEWUSER) as u64,
            Way::Landlock => 0,
        }
    }

    fn layer(self) -> &'static str {
        match self {
            Way::Namespaces => "namespaces",
            Way::UserNamespace => "user-namespace",
            Way::Landlock => "landlock",
        }
    }
}

/// A program that is being started; see [`begin`].
pub struct Begun<'a> {
    order: Order<'a>,
    /// The way that is being tried, if one could be begun.
    current: Option<(Way, Pending)>,
    /// The ways that are left, the strongest last.
    left: Vec<Way>,
    /// Why the ways that were tried do not work here.
    reasons: Vec<String>,
}

/// Begins to start a program, so that the set-up of several can go on at the same time.
///
/// # Errors
/// If a call of ours fails. What the machine refuses is found out by [`Begun::finish`].
pub fn begin(order: Order<'_>) -> Result<Begun<'_>> {
    let mut left = Way::candidates(order.isolation);
    left.reverse();
    let mut begun = Begun {
        order,
        current: None,
        left,
        reasons: Vec::new(),
    };
    begun.next_way()?;
    Ok(begun)
}

impl Begun<'_> {
    /// Begins the strongest way that is left and can be begun.
    fn next_way(&mut self) -> Result<()> {
        while let Some(way) = self.left.pop() {
            match fork(&self.order, way) {
                Ok(pending) => {
                    self.current = Some((way, pending));
                    return Ok(());
                }
                Err(Error::Environment(reason)) => self.reasons.push(reason),
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Waits until the program is held at its first instruction.
    ///
    /// # Errors
    /// [`Error`] if this machine cannot isolate it as ordered, or a call of ours fails. That the
    /// program itself cannot be executed, or a set-up step fails, is the inner [`StartFailure`].
    pub fn finish(mut self) -> Result<std::result::Result<Sandbox, StartFailure>> {
        while let Some((way, pending)) = self.current.take() {
            match pending.finish()? {
                Ok(mut sandbox) => {
                    sandbox.warnings.append(&mut self.reasons);
                    return Ok(Ok(sandbox));
                }
                // The machine refuses this way of isolating: the next one may do.
                Err((Step::UserMap | Step::FileSystem, text, _)) if !self.left.is_empty() => {
                    self.reasons
                        .push(format!("cannot isolate by {}: {text}", way.layer()));
                    self.next_way()?;
                }
                Err((_, _, failure)) => return Ok(Err(failure)),
            }
        }
        Err(Error::Environment(format!(
            "this machine offers no way to isolate a program: {}",
            self.reasons.join("; ")
        )))
    }
}

/// Forks a sandbox's first process.
fn fork(order: &Order<'_>, way: Way) -> Result<Pending> {
    let mut warnings = Vec::new();
    let (status_read, status_write) = pipe()?;
    let (barrier_read, life) = pipe()?;
    let host_proc = File::open("/proc").context(|| "open /proc".into())?;
    let landlock = match way {
        Way::Landlock => Some(high(confine::ruleset(&order.given)?.as_fd())?),
        _ => None,
    };
    let signals = match way {
        Way::Landlock => SignalsBoundBy::Tracer,
        _ => SignalsBoundBy::Namespace,
    };
    let stops = Stops {
        signals,
        memory: order.limits.address_space.is_some(),
        output: order.reads_writes,
    };
    let init = match way {
        Way::Landlock => None,
        _ => Some(child::Init {
            user_map: (way == Way::UserNamespace).then(own_maps),
            ops: view::lay_out(&order.given)?,
        }),
    };
    let user = order.identity.filter(|_| way != Way::UserNamespace);
    if user.is_some() {
        let given = order.given.read.iter().map(PathBuf::as_path);
        reach::check(given, &order.program, way == Way::Landlock)?;
    }
    let stdio = [
        high(order.stdio[0].as_fd())?,
        high(order.stdio[1].as_fd())?,
        high(order.stdio[2].as_fd())?,
    ];
    let (status, barrier, proc) = (
        high(status_write.as_fd())?,
        high(barrier_read.as_fd())?,
        high(host_proc.as_fd())?,
    );
    let counted_alone = user.is_some() || way == Way::UserNamespace;
    let memory = MemoryGroup::create(order.limits.memory).ok();
    let entrance = memory.as_ref().map(|group| {
        let file = group.entrance().context(|| "open a cgroup".into())?;
        high(file.as_fd())
    });
    let entrance = entrance.transpose()?;
    let setup = Setup {
        stdio: [
            stdio[0].as_raw_fd(),
            stdio[1].as_raw_fd(),
            stdio[2].as_raw_fd(),
        ],
        status: status.as_raw_fd(),
        barrier: barrier.as_raw_fd(),
        host_proc: proc.as_raw_fd(),
        landlock: landlock.as_ref().map(AsRawFd::as_raw_fd),
        group: entrance.as_ref().map(AsRawFd::as_raw_fd),
        limits: resources::limits(order.limits, counted_alone, &mut warnings)?,
        cpus: order.cpus.map(child::cpu_set),
        folder: match way {
            Way::Landlock => Some(c_string(order.given.folder.as_os_str())?),
            _ => None,
        },
        init,
        identity: user.map(|user| (user, user)),
        filter: filter::compile(order.policy, stops),
        program: c_string(order.program.as_os_str())?,
        argv: Pointers::new(
            order
                .argv
                .iter()
                .map(|a| c_string(a))
                .collect::<Result<_>>()?,
        ),
        environment: Pointers::new(environment(&order.given)),
    };
    if way == Way::Landlock {
        // Without an init of its own, what a program leaves behind becomes our child to be reaped.
        nix::sys::prctl::set_child_subreaper(true)
            .context(|| "become the reaper of orphans".into())?;
    }
    let forked = match child::spawn(&setup, way.flags()) {
        Ok(pid) => pid,
        Err(e) if way == Way::Landlock => {
            return Err(e).context(|| "fork a process".into());
        }
        Err(e) => {
            let reason = crate::error::reason(&e);
            let text = format!("cannot make namespaces ({}): {reason}", way.layer());
            return Err(Error::Environment(text));
        }
    };
    let mut layers = vec!["seccomp", way.layer()];
    layers.extend(user.map(|_| "identity"));
    layers.extend(memory.as_ref().map(|_| "cgroup"));
    let sandbox = Sandbox {
        main: forked,
        init: (way != Way::Landlock).then_some(forked),
        memory,
        policy: order.policy,
        layers,
        warnings,
        _life: life,
        gone: false,
    };
    Ok(Pending {
        sandbox,
        forked,
        status: File::from(status_read),
        too_large: too_large(order),
    })
}

/// True if a program cannot be loaded for the limit on its address space.
fn too_large(order: &Order<'_>) -> bool {
    /// What the kernel wants for the stack of a new program.
    const STACK: u64 = 132 << 10;
    let file = std::fs::metadata(&order.program).map_or(0, |found| found.len());
    let allowed = order.limits.address_space;
    allowed.is_some_and(|allowed| file.saturating_add(STACK) > allowed)
}

type Failed = (Step, String, StartFailure);

/// How long a sandbox may take to be set up.
const PATIENCE_MS: u16 = 20_000;

impl Pending {
    /// Waits for the set-up, traces the participant, and lets it load its program.
    fn finish(mut self) -> Result<std::result::Result<Sandbox, Failed>> {
        let main = match self.next_message()? {
            Some(Message::Ready(pid)) => pid,
            Some(Message::Failed {
                step,
                detail,
                errno,
            }) => {
                return Ok(Err(failed(step, detail, errno)));
            }
            None => return Err(self.died("before it was ready")),
        };
        self.sandbox.main = main;
        sys::ptrace_seize(main, tracer::OPTIONS).map_err(|e| {
            Error::Environment(format!(
                "cannot trace the program: {} (ptrace must be permitted: see \
                 /proc/sys/kernel/yama/ptrace_scope and the container's seccomp profile)",
                crate::error::reason(&e)
            ))
        })?;
        nix::unistd::write(&self.sandbox._life, b"g").context(|| "open the barrier".into())?;
        if self.has_executed(main)? {
            return Ok(Ok(self.sandbox));
        }
        if let Some(Message::Failed {
            step,
            detail,
            errno,
        }) = self.next_message()?
        {
            return Ok(Err(failed(step, detail, errno)));
        }
        // The kernel had begun to load the program, or it would have sent a message.
        let out_of_memory = self.sandbox.memory.as_ref().is_some_and(|m| m.kills() > 0);
        let errno = match out_of_memory || self.too_large {
            true => libc::ENOMEM,
            // The file is broken, or the stack too small for the arguments.
            false => libc::ENOEXEC,
        };
        Ok(Err(failed(Step::Exec, 0, errno as u16)))
    }

    /// Waits until the participant has executed its program (true) or ended before.
    fn has_executed(&self, main: Pid) -> Result<bool> {
        // Exec closes the participant's end of the pipe, and so does its end. But while it is
        // killed for its memory, it stops with the pipe still open, and waits for its tracer.
        const LOOK_MS: u16 = 100;
        for _ in 0..PATIENCE_MS / LOOK_MS {
            let closed = self.wait(LOOK_MS)?;
            if let Some(executed) = tracer::has_executed(main, closed)? {
                return Ok(executed);
            }
        }
        Err(too_slow())
    }

    fn died(&self, when: &str) -> Error {
        Error::Environment(format!(
            "the sandbox's process {} ended {when}",
            self.forked
        ))
    }

    /// Waits until there is a message, or the end of the pipe; false if neither came in time.
    fn wait(&self, milliseconds: u16) -> Result<bool> {
        let mut wait = [PollFd::new(self.status.as_fd(), PollFlags::POLLIN)];
        loop {
            match poll(&mut wait, PollTimeout::from(milliseconds)) {
                Err(nix::errno::Errno::EINTR) => {}
                Ok(ready) => return Ok(ready > 0),
                Err(e) => return Err(e).context(|| "wait for a sandbox's set-up".into()),
            }
        }
    }

    /// The next message; `None` at the end of the pipe.
    fn next_message(&mut self) -> Result<Option<Message>> {
        if !self.wait(PATIENCE_MS)? {
            return Err(too_slow());
        }
        let mut bytes = [0; Message::SIZE];
        match self.status.read_exact(&mut bytes) {
            Ok(()) => Ok(Message::decode(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(e) => Err(e).context(|| "read a sandbox's status".into()),
        }
    }
}

fn too_slow() -> Error {
    let seconds = PATIENCE_MS / 1000;
    Error::Environment(format!("a sandbox was not set up within {seconds} s"))
}

fn failed(step: Step, detail: u16, errno: u16) -> Failed {
    let errno = i32::from(errno);
    let text = format!(
        "step {} ({detail}): {}",
        step.name(),
        errno_text(errno).to_lowercase()
    );
    (
        step,
        text,
        StartFailure {
            step: step.name(),
            errno,
        },
    )
}

/// A user namespace in which we keep our own ids and hold no others.
fn own_maps() -> (CString, CString) {
    let line = |id: u32| CString::new(format!("{id} {id} 1\n")).unwrap_or_default();
    (
        line(nix::unistd::geteuid().as_raw()),
        line(nix::unistd::getegid().as_raw()),
    )
}

fn pipe() -> Result<(OwnedFd, OwnedFd)> {
    nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC).context(|| "make a pipe".into())
}

/// A copy of a descriptor out of the way of those that the child moves into place.
fn high(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    sys::duplicate_above(fd, child::LEAST_DESCRIPTOR).context(|| "copy a descriptor".into())
}

fn c_string(text: &OsStr) -> Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| {
        Error::usage(format!(
            "`{}` contains a NUL byte",
            text.to_string_lossy().escape_debug()
        ))
    })
}

/// The environment of every participant: nothing of ours, the same in every run.
fn environment(given: &Given) -> Vec<CString> {
    let home = [b"HOME=", given.folder.as_os_str().as_bytes()].concat();
    [
        b"PATH=/usr/local/bin:/usr/bin:/bin".to_vec(),
        b"LANG=C.UTF-8".to_vec(),
        b"LC_ALL=C.UTF-8".to_vec(),
        home,
        // One numerical thread for each core would meet the tasks limit and help nobody.
        b"OMP_NUM_THREADS=1".to_vec(),
        b"OPENBLAS_NUM_THREADS=1".to_vec(),
        // The search for leaks traces the program, which has a tracer; without one it fails, and
        // the program with it. All else that address sanitizers find is found.
        b"LSAN_OPTIONS=detect_leaks=0".to_vec(),
    ]
    .into_iter()
    .filter_map(|line| CString::new(line).ok())
    .collect()
}
