//! Resident memory held by a cgroup, version 1 or 2, where one is writable.
//!
//! A [`MemoryGroup`] is made for each participant and removed with it. The kernel then counts
//! everything that the tree keeps in memory, files in tmpfs included, and kills when the limit is
//! passed. Where no group can be made, [`usage`](super::usage) samples instead.

use std::fs::{self, File};
use std::io;
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
    /// Makes a group with a limit in bytes; the reason in words if this machine gives none.
    pub fn create(limit: u64) -> Result<MemoryGroup, String> {
        let (parent, version) = own_group()?;
        claim::sweep(&parent, PREFIX, |group| fs::remove_dir(group));
        let claim = Claim::make(&parent, PREFIX).map_err(|e| {
            format!(
                "cannot make a cgroup in {}: {}",
                parent.display(),
                crate::error::reason(&e)
            )
        })?;
        let group = MemoryGroup { claim, version };
        group.limit(limit).map_err(|e| {
            let reason = crate::error::reason(&e);
            format!(
                "cannot set a memory limit in {}: {reason}",
                parent.display()
            )
        })?;
        Ok(group)
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

    /// The file that takes in the process that writes "0" to it; its children are born there.
    pub fn entrance(&self) -> io::Result<File> {
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
    let found =
        place(&mounts, &membership).ok_or("no cgroup with a memory controller is mounted")?;
    match found {
        (folder, Version::V2) if !delegates_memory(&folder) => Err(format!(
            "{} does not hand the memory controller down to groups below it",
            folder.display()
        )),
        found => Ok(found),
    }
}

fn delegates_memory(folder: &Path) -> bool {
    let controllers = fs::read_to_string(folder.join("cgroup.subtree_control"));
    controllers.is_ok_and(|c| c.split_whitespace().any(|name| name == "memory"))
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
}
