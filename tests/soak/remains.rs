//! What a session may leave behind: nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, waitpid};

/// The kernel gives some things back a moment later.
const GRACE: Duration = Duration::from_secs(5);

/// What this process has at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Possessions {
    /// Where the descriptors lead. Locks and files in memory are among them.
    descriptors: Vec<String>,
    threads: usize,
    /// Mounts that bear our name.
    mounts: Vec<String>,
    /// Cgroups and folders with this process's number.
    folders: BTreeSet<PathBuf>,
}

impl Possessions {
    pub(crate) fn now() -> Possessions {
        Possessions {
            descriptors: descriptors(),
            threads: entries(Path::new("/proc/self/task")).len(),
            mounts: lines("/proc/self/mountinfo")
                .filter(|line| line.contains("rejoinder"))
                .collect(),
            folders: folders(),
        }
    }
}

/// An error that names what is there and was not there before.
pub(crate) fn nothing_but(before: &Possessions) -> Result<(), String> {
    let flags = WaitPidFlag::WNOHANG | WaitPidFlag::__WALL;
    // Whatever was orphaned is our child, because this process adopts orphans.
    match waitpid(None, Some(flags)) {
        Err(Errno::ECHILD) => {}
        found => return Err(format!("a process is left: {found:?}")),
    }
    let start = Instant::now();
    loop {
        let now = Possessions::now();
        if now == *before {
            return Ok(());
        }
        if start.elapsed() > GRACE {
            return Err(format!("before:\n{before:#?}\nnow:\n{now:#?}"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Resident memory of this process in KiB.
pub(crate) fn resident_kib() -> u64 {
    let line = lines("/proc/self/status").find_map(|line| {
        let figure = line.strip_prefix("VmRSS:")?;
        figure.trim().trim_end_matches(" kB").parse().ok()
    });
    line.unwrap_or(0)
}

fn descriptors() -> Vec<String> {
    let mut all: Vec<String> = entries(Path::new("/proc/self/fd"))
        .iter()
        // The one that reads this folder is gone again.
        .filter_map(|entry| fs::read_link(entry).ok())
        .map(|target| target.display().to_string())
        .collect();
    all.sort();
    all
}

/// Cgroups of this process and folders of runs, wherever they may lie.
fn folders() -> BTreeSet<PathBuf> {
    let number = std::process::id();
    let mut places: Vec<PathBuf> = lines("/proc/self/cgroup")
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            let root = Path::new("/sys/fs/cgroup").join(controllers);
            Some(root.join(path.trim_start_matches('/')))
        })
        .collect();
    places.extend(rejoinder::sandbox::slots::runtime_folder());
    let of_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ["rejoinder-", "run-"]
            .iter()
            .any(|prefix| name.starts_with(&format!("{prefix}{number}-")))
    };
    let all = places.iter().flat_map(|place| entries(place));
    all.filter(of_ours).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    all.map(|entry| entry.path()).collect()
}

fn lines(file: &str) -> impl Iterator<Item = String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}
