//! Resident memory held by a cgroup, version 1 or 2, where one is writable.
//!
//! A [`MemoryGroup`] is made for each participant and removed with it. The kernel then counts
//! everything that the tree keeps in memory, files in tmpfs included, and kills when the limit is
//! passed. Where no group can be made, [`usage`](super::usage) samples instead.
//!
//! Version 2 has two rules of its own (cgroups(7)): a group below another has the memory controller
//! only if that one hands it down, and a group that holds processes hands nothing down, unless it
//! is the root. So a group for a participant is mostly made beside the one that we are in.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::claim::{self, Claim};

/// The prefix of our groups' names.
const PREFIX: &str = "rejoinder-";

/// The interface that a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    V1,
    V2,
}

/// A cgroup of one participant. Dropping it removes it, if nothing runs in it any more.
#[derive(Debug)]
pub struct MemoryGroup {
    claim: Claim,
    version: Version,
}

impl MemoryGroup {
    /// Makes a group with a limit in bytes, and opens the file that takes in the process that writes
    /// "0" to it, whose children are then born there; the reason in words if this machine gives none.
    pub fn create(limit: u64) -> Result<(MemoryGroup, File), String> {
        let (own, version) = own_group()?;
        let parent = match version {
            Version::V1 => own,
            Version::V2 => handed_down(&own)?,
        };
        MemoryGroup::create_in(&parent, version, limit)
    }

    fn create_in(
        parent: &Path,
        version: Version,
        limit: u64,
    ) -> Result<(MemoryGroup, File), String> {
        let cannot = |what: &str, e: io::Error| {
            let (parent, reason) = (parent.display(), crate::error::reason(&e));
            format!("cannot {what} in {parent}: {reason}")
        };
        claim::sweep(parent, PREFIX, |group| fs::remove_dir(group));
        let claim = Claim::make(parent, PREFIX).map_err(|e| cannot("make a cgroup", e))?;
        let group = MemoryGroup { claim, version };
        group
            .limit(limit)
            .map_err(|e| cannot("set a memory limit", e))?;
        let entrance = group.entrance().map_err(|e| cannot("enter a cgroup", e))?;
        Ok((group, entrance))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.claim.path()
    }

    /// Its interface.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Whether swapped memory is counted as well, so that a program cannot have more by it.
    pub fn counts_swap(&self) -> bool {
        let file = match self.version {
            Version::V1 => "memory.memsw.limit_in_bytes",
            Version::V2 => "memory.swap.max",
        };
        self.path().join(file).exists()
    }

    fn limit(&self, limit: u64) -> io::Result<()> {
        match self.version {
            Version::V1 => {
                self.write("memory.limit_in_bytes", limit)?;
                // Swapped memory is not resident, but a program must not use more by it. Both
                // files are missing where swap is not accounted.
                let _ = self.write("memory.memsw.limit_in_bytes", limit);
                let _ = self.write("memory.swappiness", 0);
            }
            Version::V2 => {
                self.write("memory.max", limit)?;
                let _ = self.write("memory.swap.max", 0);
                let _ = self.write("memory.oom.group", 1);
            }
        }
        Ok(())
    }

    fn entrance(&self) -> io::Result<File> {
        // Version 1 has a file for single tasks, which spares the kernel a wait of several
        // milliseconds for the whole machine (cgroup_threadgroup_rwsem).
        let name = match self.version {
            Version::V1 => "tasks",
            Version::V2 => "cgroup.procs",
        };
        File::options()
            .write(true)
            .open(self.claim.path().join(name))
    }

    /// The most memory that was in use at once, in bytes; `None` on a kernel that does not say
    /// (version 2 before Linux 5.19).
    pub fn peak(&self) -> Option<u64> {
        let file = match self.version {
            Version::V1 => "memory.max_usage_in_bytes",
            Version::V2 => "memory.peak",
        };
        fs::read_to_string(self.claim.path().join(file))
            .ok()?
            .trim()
            .parse()
            .ok()
    }

    /// How many processes the kernel killed because the limit was passed.
    pub fn kills(&self) -> u64 {
        let file = match self.version {
            Version::V1 => "memory.oom_control",
            Version::V2 => "memory.events",
        };
        let text = fs::read_to_string(self.claim.path().join(file)).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
    }

    fn write(&self, file: &str, value: u64) -> io::Result<()> {
        fs::write(self.claim.path().join(file), value.to_string())
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        // Fails only while something still runs in it; the next session then removes it.
        let _ = fs::remove_dir(self.claim.path());
    }
}

/// The group that this process is in, as a folder, for the memory controller.
fn own_group() -> Result<(PathBuf, Version), String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let membership = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let found = place(&mounts, &membership);
    found.ok_or_else(|| "no cgroup with a memory controller is mounted".to_owned())
}

/// The group of version 2 in which ours are made: our own if it can hand the memory controller
/// down, else the one above it.
fn handed_down(own: &Path) -> Result<PathBuf, String> {
    let above = own
        .parent()
        .filter(|above| above.join("cgroup.subtree_control").exists());
    let mut refusals = Vec::new();
    for folder in [own].into_iter().chain(above) {
        match hand_memory_down(folder) {
            Ok(()) => return Ok(folder.to_owned()),
            Err(reason) => refusals.push(format!("{} {reason}", folder.display())),
        }
    }
    Err(refusals.join(", "))
}

/// Lets groups below this one have the memory controller; the reason in words if that cannot be.
fn hand_memory_down(folder: &Path) -> Result<(), String> {
    let lists_memory = |file: &str| {
        let controllers = fs::read_to_string(folder.join(file));
        controllers.is_ok_and(|c| c.split_whitespace().any(|name| name == "memory"))
    };
    if !lists_memory("cgroup.controllers") {
        return Err("has no memory controller".to_owned());
    }
    if !lists_memory("cgroup.subtree_control") {
        let file = folder.join("cgroup.subtree_control");
        File::options()
            .write(true)
            .open(file)
            .and_then(|mut file| file.write_all(b"+memory"))
            .map_err(|e| match e.raw_os_error() {
                Some(libc::EBUSY) => {
                    "holds processes, so it cannot hand the memory controller down".to_owned()
                }
                _ => {
                    let reason = crate::error::reason(&e);
                    format!("does not hand the memory controller down ({reason})")
                }
            })?;
    }
    // A process may only be moved by who can write to the group that has both its places below it.
    match nix::unistd::access(&folder.join("cgroup.procs"), nix::unistd::AccessFlags::W_OK) {
        Ok(()) => Ok(()),
        Err(_) => Err("is not ours to move processes in".to_owned()),
    }
}

/// Finds the folder in the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn place(mounts: &str, membership: &str) -> Option<(PathBuf, Version)> {
    let mounted = |wanted: &dyn Fn(&str, &str) -> bool| {
        mounts.lines().find_map(|line| {
            let (left, right) = line.split_once(" - ")?;
            let mut right = right.split(' ');
            let (kind, options) = (right.next()?, right.nth(1)?);
            let mut left = left.split(' ').skip(3);
            let (root, point) = (left.next()?, left.next()?);
            wanted(kind, options).then_some((root, point))
        })
    };
    let group = |controller: Option<&str>| {
        membership.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let found = match controller {
                Some(name) => controllers.split(',').any(|c| c == name),
                None => controllers.is_empty(),
            };
            found.then_some(path)
        })
    };
    let folder = |(root, point): (&str, &str), path: &str| {
        // In a container the mount shows only a part of the hierarchy, named by its root.
        let below = path
            .strip_prefix(root.trim_end_matches('/'))
            .unwrap_or(path);
        Path::new(point).join(below.trim_start_matches('/'))
    };
    let v1 = |kind: &str, options: &str| {
        kind == "cgroup" && options.split(',').any(|option| option == "memory")
    };
    if let (Some(mount), Some(path)) = (mounted(&v1), group(Some("memory"))) {
        return Some((folder(mount, path), Version::V1));
    }
    let mount = mounted(&|kind, _| kind == "cgroup2")?;
    Some((folder(mount, group(None)?), Version::V2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_group_of_version_1_before_version_2() {
        let mounts = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let found = place(mounts, "4:memory:/a/b\n0::/\n");
        assert_eq!(
            found,
            Some((PathBuf::from("/sys/fs/cgroup/memory/a/b"), Version::V1))
        );
        let found = place(
            mounts.split_inclusive('\n').nth(1).expect("line"),
            "0::/user.slice\n",
        );
        assert_eq!(
            found,
            Some((
                PathBuf::from("/sys/fs/cgroup/unified/user.slice"),
                Version::V2
            ))
        );
    }

    #[test]
    fn a_container_sees_its_part_of_the_hierarchy() {
        let mounts = "30 25 0:26 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        let found = place(mounts, "0::/docker/x/below\n");
        assert_eq!(
            found,
            Some((PathBuf::from("/sys/fs/cgroup/below"), Version::V2))
        );
        assert_eq!(place("", "0::/\n"), None);
        assert_eq!(place("garbage\n - \n", "\n:\n"), None);
    }

    /// A folder of plain files that looks like a cgroup of version 2.
    fn group(folder: &Path, controllers: &str, handed_down: &str) {
        fs::create_dir_all(folder).expect("make");
        for (file, text) in [
            ("cgroup.controllers", controllers),
            ("cgroup.subtree_control", handed_down),
            ("cgroup.procs", ""),
        ] {
            fs::write(folder.join(file), text).expect("write");
        }
    }

    #[test]
    fn version_2_makes_groups_where_the_controller_is_handed_down() {
        let folder = tempfile::tempdir().expect("a folder");
        let (above, own) = (folder.path().join("above"), folder.path().join("above/own"));
        group(&above, "cpu memory", "");
        group(&own, "cpu memory pids", "");
        // A plain file takes everything, so our own group is made to hand the controller down.
        assert_eq!(handed_down(&own), Ok(own.clone()));
        let control = fs::read_to_string(own.join("cgroup.subtree_control"));
        assert_eq!(control.expect("read"), "+memory");
        group(&own, "cpu", "");
        group(&above, "cpu memory", "memory");
        assert_eq!(handed_down(&own), Ok(above.clone()));
        group(&above, "cpu", "");
        let (above, own) = (above.display(), own.display());
        assert_eq!(
            handed_down(Path::new(&own.to_string())),
            Err(format!(
                "{own} has no memory controller, {above} has no memory controller"
            ))
        );
    }

    #[test]
    fn version_2_is_limited_and_read_by_its_own_files() {
        let parent = tempfile::tempdir().expect("a folder");
        // A folder gets its files from the kernel only in a cgroup file system.
        let claim = Claim::make(parent.path(), PREFIX).expect("claim");
        let group = MemoryGroup {
            claim,
            version: Version::V2,
        };
        fs::write(group.path().join("cgroup.procs"), "").expect("write");
        group.limit(5 << 20).expect("limit");
        let read = |file: &str| fs::read_to_string(group.path().join(file)).expect(file);
        assert_eq!(read("memory.max"), "5242880");
        assert_eq!(read("memory.swap.max"), "0");
        assert_eq!(read("memory.oom.group"), "1");
        assert!(group.counts_swap());
        group
            .entrance()
            .expect("entrance")
            .write_all(b"0")
            .expect("enter");
        assert_eq!(read("cgroup.procs"), "0");
        assert_eq!((group.peak(), group.kills()), (None, 0));
        fs::write(group.path().join("memory.peak"), "4096\n").expect("write");
        let events = "low 0\noom 3\noom_kill 2\noom_group_kill 1\n";
        fs::write(group.path().join("memory.events"), events).expect("write");
        assert_eq!((group.peak(), group.kills()), (Some(4096), 2));
    }
}
