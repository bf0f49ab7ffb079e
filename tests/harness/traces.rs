//! What a coordinator may have left on the machine: cgroups, folders, mounts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::identity::Identity;

/// No trial takes longer. What is older was left by another coordinator that had the same id.
const LONGEST: Duration = Duration::from_secs(600);

/// Cgroups, folders and mounts of these coordinators that are still there, in sentences.
pub(crate) fn of(pids: &[u32], identity: Identity) -> Vec<String> {
    let place = match identity.uid() {
        Some(uid) => PathBuf::from(format!("/tmp/rejoinder-{uid}")),
        None if nix::unistd::geteuid().is_root() => PathBuf::from("/run/rejoinder"),
        None => std::env::var_os("XDG_RUNTIME_DIR")
            .map(PathBuf::from)
            .unwrap_or_default()
            .join("rejoinder"),
    };
    let ours = |name: &str| {
        pids.iter().any(|pid| {
            name.starts_with(&format!("rejoinder-{pid}-"))
                || name.starts_with(&format!("run-{pid}-"))
        })
    };
    let mut left = Vec::new();
    find(&place, 1, &ours, &mut left);
    find(Path::new("/sys/fs/cgroup"), 7, &ours, &mut left);
    let mut left: Vec<String> = left
        .into_iter()
        .map(|path| format!("{} is still there", path.display()))
        .collect();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    // The trees that sandboxes lay out, by the name of their source; other tests mount as well.
    let ours = mounts
        .lines()
        .filter(|line| line.contains(" - tmpfs rejoinder "));
    left.extend(ours.map(|line| format!("a mount of a sandbox shows outside: {line}")));
    left
}

fn find(folder: &Path, depth: u32, wanted: &dyn Fn(&str) -> bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if wanted(&entry.file_name().to_string_lossy()) {
            if is_young(&entry) {
                found.push(entry.path());
            }
        } else if depth > 1 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find(&entry.path(), depth - 1, wanted, found);
        }
    }
}

fn is_young(entry: &fs::DirEntry) -> bool {
    let changed = entry.metadata().and_then(|meta| meta.modified());
    changed.is_ok_and(|changed| {
        SystemTime::now()
            .duration_since(changed)
            .map_or(true, |age| age < LONGEST)
    })
}
