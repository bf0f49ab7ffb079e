//! The file system confined by Landlock, where namespaces are not to be had.
//!
//! The rules say what [`view`](super::view) shows, in another way: paths that are not given cannot
//! be opened, though their names can still be seen to exist. There is no pid namespace then, so
//! `/proc` is closed but for the files about the machine, and the tracer bounds signals.

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::view::{self, Given};
use crate::error::{Error, Result};

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

/// Builds the ruleset that the participant applies to itself.
///
/// # Errors
/// [`Error::Environment`] where the kernel has no Landlock, or one that is too old.
pub fn ruleset(given: &Given) -> Result<OwnedFd> {
    let built = build(given).map_err(|e| {
        Error::Environment(format!("cannot confine the file system by Landlock: {e}"))
    })?;
    Option::<OwnedFd>::from(built)
        .ok_or_else(|| Error::Environment("this kernel has no Landlock".into()))
}

fn build(given: &Given) -> std::result::Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(LEAST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    let system = view::SYSTEM.iter().map(Path::new).map(Path::to_owned);
    let shown = system
        .chain(view::configuration().iter().cloned())
        .chain(given.read.iter().cloned())
        .chain(MACHINE.iter().map(|p| Path::new(p).to_owned()))
        .chain([Path::new(OPENSSL).to_owned()]);
    for path in shown {
        rules = allow(rules, &path, read)?;
    }
    for device in [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
    ] {
        rules = allow(rules, Path::new(device), read | AccessFs::WriteFile)?;
    }
    if let Some(folder) = &given.write {
        rules = allow(rules, folder, AccessFs::from_all(LEAST))?;
    }
    Ok(rules)
}

/// Adds a rule for a path, if it exists.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> std::result::Result<RulesetCreated, RulesetError> {
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
