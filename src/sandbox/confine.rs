//! Files confined by Landlock: with namespaces as a second wall, without them as the only one.
//!
//! [`alone`] says what [`view`](super::view) shows, in another way: paths that are not given cannot
//! be opened, though their names can still be seen to exist. There is no pid namespace then, so
//! `/proc` is closed but for the files about the machine, and the tracer bounds signals.
//!
//! [`within`] goes with the tree that [`view`](super::view) lays out. Whatever lies in the tree may
//! be read, and nothing else: a program that came to hold a folder of the host, by whatever mistake
//! of ours or the kernel's, could open nothing in it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::view::{self, Given};
use crate::error::reason;
use crate::sys;

/// Files of `/proc` that are about the machine and not about a process. Runtimes read them.
const MACHINE: [&str; 9] = [
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/uptime",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys",
    "/sys/devices/system/cpu",
];

/// Node.js ends at once where this file is and cannot be read. In the view it is not there.
const OPENSSL: &str = "/etc/ssl/openssl.cnf";

/// The interface that is the least worth having: it controls truncation and links between folders.
const LEAST: ABI = ABI::V3;

/// The version of that interface, and the Linux that has it.
pub const LEAST_VERSION: (i64, &str) = (3, "6.2");

/// A ruleset that the participant applies to itself.
#[derive(Debug)]
pub struct Rules {
    /// The ruleset.
    pub ruleset: OwnedFd,
    /// What it has to be completed by: this may be done (`LANDLOCK_ACCESS_FS_...`) below the root of
    /// the tree, once there is one.
    pub below_root: Option<u64>,
}

impl Rules {
    /// Lets a program open the files that are its streams again by their names (`/dev/stdin`), as it
    /// may with pipes and files in memory, on which Landlock has no rules.
    pub fn allow_streams(&self, [stdin, stdout, stderr]: [BorrowedFd<'_>; 3]) {
        let write = AccessFs::WriteFile | AccessFs::Truncate;
        for (file, access) in [
            (stdin, AccessFs::ReadFile.into()),
            (stdout, write),
            (stderr, write),
        ] {
            // Fails for what needs no rule.
            let _ = sys::landlock_allow(self.ruleset.as_fd(), file, access.bits());
        }
    }
}

/// The rules for a sandbox without a tree of its own.
///
/// # Errors
/// Why this kernel cannot have them.
pub fn alone(given: &Given) -> Result<Rules, String> {
    made(only_given(given), None)
}

/// The rules for a sandbox with a tree of its own.
///
/// # Errors
/// Why this kernel cannot have them.
pub fn within(given: &Given) -> Result<Rules, String> {
    made(writable(given), Some(AccessFs::from_read(LEAST).bits()))
}

fn made(
    rules: Result<RulesetCreated, RulesetError>,
    below_root: Option<u64>,
) -> Result<Rules, String> {
    // What is wrong in most cases, in words of ours.
    let (least, linux) = LEAST_VERSION;
    match sys::landlock_version() {
        Ok(version) if version < least => {
            return Err(format!(
                "this kernel has version {version} of Landlock, and version {least} (Linux \
                 {linux}) is the least that is of use"
            ));
        }
        Ok(_) => {}
        Err(e) => {
            let why = match e.raw_os_error() {
                Some(libc::EOPNOTSUPP) => "Landlock was not switched on when this kernel started",
                Some(libc::ENOSYS) => "this kernel has no Landlock, or a container hides it",
                Some(libc::EPERM) => "Landlock is forbidden here, as some containers do",
                _ => return Err(format!("cannot use Landlock: {}", reason(&e))),
            };
            return Err(why.to_owned());
        }
    }
    let ruleset = rules.map_err(|e| format!("cannot make Landlock rules: {e}"))?;
    let ruleset = Option::<OwnedFd>::from(ruleset).ok_or("this kernel has no Landlock")?;
    Ok(Rules {
        ruleset,
        below_root,
    })
}

/// A ruleset by which only devices and the folder to write to can be opened.
fn writable(given: &Given) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(LEAST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    for device in view::DEVICES {
        let path = Path::new("/dev").join(device);
        rules = allow(rules, &path, read | AccessFs::WriteFile)?;
    }
    if let Some(folder) = &given.write {
        rules = allow(rules, folder, AccessFs::from_all(LEAST))?;
    }
    Ok(rules)
}

fn only_given(given: &Given) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(LEAST);
    let mut rules = writable(given)?;
    let system = view::SYSTEM.iter().map(Path::new).map(Path::to_owned);
    let shown = system
        .chain(view::configuration().iter().cloned())
        .chain(given.read.iter().cloned())
        .chain(MACHINE.iter().map(|p| Path::new(p).to_owned()))
        .chain([Path::new(OPENSSL).to_owned()]);
    for path in shown {
        rules = allow(rules, &path, read)?;
    }
    Ok(rules)
}

/// Adds a rule for a path, if it exists.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(fd) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(LEAST)
    };
    rules.add_rule(PathBeneath::new(fd, access))
}
