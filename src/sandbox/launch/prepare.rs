//! Everything that a sandbox's processes need, made ready; then the fork.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::pending::Pending;
use super::{Order, Sandbox};
use crate::error::{Context, Error, Result};
use crate::sandbox::child::{self, Pointers, Setup};
use crate::sandbox::confine::{self, Rules};
use crate::sandbox::filter::{self, SignalsBoundBy, Stops};
use crate::sandbox::memory_group::MemoryGroup;
use crate::sandbox::obstacle::Obstacle;
use crate::sandbox::view::{self, Given};
use crate::sandbox::way::Way;
use crate::sandbox::{identity, reach, resources};
use crate::spec::layer::Layer;
use crate::sys::{self, Deed};

/// Forks a sandbox's first process. Layers in `without` are left out; what the machine refuses
/// before the fork is the inner error.
pub(super) fn fork(
    order: &Order<'_>,
    way: Way,
    without: &[Layer],
) -> Result<std::result::Result<Pending, Obstacle>> {
    let mut warnings = Vec::new();
    let rules = match rules(order, way, without) {
        Ok(rules) => rules,
        Err(obstacle) => return Ok(Err(obstacle)),
    };
    let group = match group(order, without, &mut warnings) {
        Ok(group) => group,
        Err(obstacle) => return Ok(Err(obstacle)),
    };
    let (memory, entrance) = group.unzip();
    let net = order.require.contains(&Layer::Net);
    let (status_read, status_write) = pipe()?;
    let (barrier_read, life) = pipe()?;
    let host_proc = File::open("/proc").context(|| "open /proc".into())?;
    let landlock = rules.as_ref().map(|rules| high(rules.ruleset.as_fd()));
    let landlock = landlock.transpose()?;
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
    if user.is_none() && nix::unistd::geteuid().is_root() {
        let reason = match order.identity {
            Some(_) => Some("only our own id exists in a user namespace of ours".to_owned()),
            None => identity::obstacle(),
        };
        warnings.extend(reason.map(|reason| {
            format!("programs run as root of this container, without its rights: {reason}")
        }));
    }
    if user.is_some() {
        let given = order.given.read.iter().map(PathBuf::as_path);
        reach::check(given, &order.program, way == Way::Landlock)?;
    }
    if let (Some(folder), Some(_)) = (&order.given.write, order.identity) {
        // A way that was tried before may have given it to another.
        let owner = user.unwrap_or_else(|| nix::unistd::geteuid().as_raw());
        std::os::unix::fs::chown(folder, Some(owner), Some(owner))
            .context(|| "hand a folder over to a program".into())?;
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
    let entrance = entrance.map(|file| high(file.as_fd())).transpose()?;
    let setup = Setup {
        stdio: [
            stdio[0].as_raw_fd(),
            stdio[1].as_raw_fd(),
            stdio[2].as_raw_fd(),
        ],
        status: status.as_raw_fd(),
        barrier: barrier.as_raw_fd(),
        host_proc: proc.as_raw_fd(),
        landlock: (landlock.as_ref().zip(rules.as_ref()))
            .map(|(fd, rules)| (fd.as_raw_fd(), rules.below_root)),
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
    let forked = match child::spawn(&setup, way.flags(net)) {
        Ok(pid) => pid,
        Err(e) if way == Way::Landlock => {
            return Err(e).context(|| "fork a process".into());
        }
        Err(e) => return Ok(Err(no_namespaces(way, net, &e))),
    };
    let besides = [
        (Layer::Net, net),
        (Layer::Landlock, rules.is_some()),
        (Layer::Identity, user.is_some()),
        (Layer::Cgroup, memory.is_some()),
    ];
    let mut layers = way.made_of().to_vec();
    layers.extend(
        besides
            .iter()
            .filter(|(_, has)| *has)
            .map(|(layer, _)| *layer),
    );
    layers.sort_unstable();
    layers.dedup();
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
    Ok(Ok(Pending {
        sandbox,
        forked,
        status: File::from(status_read),
        too_large: too_large(order),
    }))
}

/// True if a program cannot be loaded for the limit on its address space.
fn too_large(order: &Order<'_>) -> bool {
    /// What the kernel wants for the stack of a new program.
    const STACK: u64 = 132 << 10;
    let file = std::fs::metadata(&order.program).map_or(0, |found| found.len());
    let allowed = order.limits.address_space;
    allowed.is_some_and(|allowed| file.saturating_add(STACK) > allowed)
}

/// The Landlock rules, where there shall be any.
fn rules(
    order: &Order<'_>,
    way: Way,
    without: &[Layer],
) -> std::result::Result<Option<Rules>, Obstacle> {
    let layer = Layer::Landlock;
    let made = match way {
        Way::Landlock => confine::alone(&order.given),
        _ if without.contains(&layer) => return Ok(None),
        _ => confine::within(&order.given),
    };
    match made {
        Ok(rules) => {
            let [stdin, stdout, stderr] = &order.stdio;
            rules.allow_streams([stdin.as_fd(), stdout.as_fd(), stderr.as_fd()]);
            Ok(Some(rules))
        }
        Err(_) if way != Way::Landlock && !order.require.contains(&layer) => Ok(None),
        Err(reason) => Err(Obstacle { layer, reason }),
    }
}

/// The cgroup and the file that takes in whoever writes to it, where there shall be one.
fn group(
    order: &Order<'_>,
    without: &[Layer],
    warnings: &mut Vec<String>,
) -> std::result::Result<Option<(MemoryGroup, File)>, Obstacle> {
    let layer = Layer::Cgroup;
    if without.contains(&layer) {
        return Ok(None);
    }
    match MemoryGroup::create(order.limits.memory) {
        Ok(made) => Ok(Some(made)),
        Err(reason) if order.require.contains(&layer) => Err(Obstacle { layer, reason }),
        Err(reason) => {
            // An ordinary user seldom has one; that root has none is worth a word.
            if nix::unistd::geteuid().is_root() {
                warnings.push(format!("memory is sampled and not counted: {reason}"));
            }
            Ok(None)
        }
    }
}

/// Why the kernel did not fork into namespaces.
fn no_namespaces(way: Way, net: bool, error: &std::io::Error) -> Obstacle {
    // What is asked for on request only is not to blame if the rest cannot be had either.
    let layer = match way {
        _ if net && sys::try_in_child(way.flags(false), Deed::Nothing).is_ok() => Layer::Net,
        Way::UserNamespace => Layer::UserNamespace,
        _ => Layer::Namespaces,
    };
    let reason = match error.raw_os_error() {
        Some(libc::ENOSPC) => "no more are allowed, see /proc/sys/user".to_owned(),
        _ => crate::error::reason(error),
    };
    let reason = format!(
        "cannot make {} ({reason})",
        match layer {
            Layer::Net => "a network namespace",
            _ => way.name(),
        }
    );
    Obstacle { layer, reason }
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
