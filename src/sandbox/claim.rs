//! Folders that belong to one session: scratch folders and cgroups.
//!
//! A claim is a folder that this process has made and holds a lock on (flock(2)). The kernel gives
//! the lock back when its holder ends, however it ends, so a folder that nobody has locked was left
//! by a coordinator that was killed, and the next one [sweeps](sweep) it away. Unlike a process id
//! in the name, a lock means the same in every container that shares the place.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of our own. Dropping it gives up the lock; whoever made it removes it before.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: File,
}

impl Claim {
    /// Makes a folder that only we may enter, `prefix` and a number of its own, and locks it.
    ///
    /// # Errors
    /// If it can be neither made nor locked.
    pub fn make(place: &Path, prefix: &str) -> io::Result<Claim> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = place.join(format!("{prefix}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                // Left behind by another with our id, or in use in another container.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            // Whatever our mask is; if it is gone already, the lock fails.
            let _ = fs::set_permissions(&path, Permissions::from_mode(0o700));
            // Between the two, a sweep may find it without a lock.
            if let Some(lock) = lock(&path)? {
                return Ok(Claim { path, _lock: lock });
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Locks a folder; `None` if another holds the lock, or the folder is there no more.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let folder = match File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        folder => folder?,
    };
    match folder.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(e)) => return Err(e),
    }
    // It may have been removed, and even made anew, since it was opened.
    let locked = folder.metadata()?;
    let is_there = fs::symlink_metadata(path)
        .is_ok_and(|there| there.ino() == locked.ino() && there.dev() == locked.dev());
    Ok(is_there.then_some(folder))
}

/// Removes, with `remove`, the folders with this prefix that nobody holds. What cannot be removed
/// stays for the next.
pub fn sweep(place: &Path, prefix: &str, remove: impl Fn(&Path) -> io::Result<()>) {
    // A folder without a folder in it has two links, its name and its `.`; where a file system does
    // not count them, it says 1.
    if fs::metadata(place).is_ok_and(|found| found.nlink() == 2) {
        return;
    }
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if ours && let Ok(Some(_lock)) = lock(&path) {
            let _ = remove(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_swept_away() {
        let place = tempfile::tempdir().expect("a folder");
        let held = Claim::make(place.path(), "run-").expect("claim");
        let left = Claim::make(place.path(), "run-").expect("claim");
        let left_at = left.path().to_owned();
        fs::write(left_at.join("file"), "").expect("write");
        drop(left);
        fs::create_dir(place.path().join("other")).expect("make");
        sweep(place.path(), "run-", |path| fs::remove_dir_all(path));
        assert!(held.path().is_dir() && !left_at.exists());
        assert!(place.path().join("other").is_dir());
    }

    #[test]
    fn a_claim_outlives_any_number_of_sweeps() {
        let place = tempfile::tempdir().expect("a folder");
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    sweep(place.path(), "run-", |path| fs::remove_dir_all(path));
                }
            });
            for _ in 0..300 {
                let claim = Claim::make(place.path(), "run-").expect("claim");
                assert!(claim.path().is_dir());
                fs::write(claim.path().join("file"), "").expect("write");
            }
            done.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn a_name_that_is_taken_is_passed_over() {
        let place = tempfile::tempdir().expect("a folder");
        let first = Claim::make(place.path(), "x").expect("claim");
        let name = first.path().to_string_lossy().into_owned();
        let (stem, number) = name.rsplit_once('-').expect("a number");
        let number: u32 = number.parse().expect("a number");
        for next in number + 1..number + 50 {
            fs::create_dir(format!("{stem}-{next}")).expect("make");
        }
        let second = Claim::make(place.path(), "x").expect("claim");
        assert!(second.path().is_dir() && second.path() != first.path());
    }
}
