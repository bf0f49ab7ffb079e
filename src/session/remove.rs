//! Removes a folder whatever a program has made in it: folders that are closed to their owner, and
//! such that lie deeper in each other than paths or descriptors reach.
//!
//! Nothing may run any more that could change the folder meanwhile.

use std::fs::{self, DirEntry, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Removes the folder and all that is in it; links are removed, not followed.
///
/// # Errors
/// The first call of ours that failed. What could be removed is gone.
pub(super) fn remove_tree(folder: &Path) -> io::Result<()> {
    open_up(folder)?;
    let mut next = 0_u64;
    // What lies deeper is moved up, a level at a time, so that no path gets long.
    while let Some(entry) = first(folder)? {
        let path = entry.path();
        if !entry.file_type()?.is_dir() {
            fs::remove_file(&path)?;
            continue;
        }
        open_up(&path)?;
        for inner in fs::read_dir(&path)? {
            let inner = inner?;
            if inner.file_type()?.is_dir() {
                // To be moved, a folder must be writable itself: its `..` changes.
                open_up(&inner.path())?;
                fs::rename(inner.path(), unused(folder, &mut next))?;
            } else {
                fs::remove_file(inner.path())?;
            }
        }
        fs::remove_dir(&path)?;
    }
    fs::remove_dir(folder)
}

fn first(folder: &Path) -> io::Result<Option<DirEntry>> {
    fs::read_dir(folder)?.next().transpose()
}

fn open_up(folder: &Path) -> io::Result<()> {
    const OWNER_MAY_ALL: u32 = 0o700;
    let mode = fs::symlink_metadata(folder)?.permissions().mode();
    match mode & OWNER_MAY_ALL == OWNER_MAY_ALL {
        true => Ok(()),
        false => fs::set_permissions(folder, Permissions::from_mode(OWNER_MAY_ALL)),
    }
}

/// A name that nothing in the folder has.
fn unused(folder: &Path, next: &mut u64) -> PathBuf {
    loop {
        let path = folder.join(format!("removed-{next}"));
        *next += 1;
        if fs::symlink_metadata(&path).is_err() {
            return path;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_deep_and_linked_folders_go() {
        let place = tempfile::tempdir().expect("a folder");
        let outside = place.path().join("outside");
        fs::create_dir(&outside).expect("make");
        fs::write(outside.join("kept"), "").expect("write");
        let folder = place.path().join("folder");
        fs::create_dir_all(folder.join("a/b/removed-0/c")).expect("make");
        fs::create_dir(folder.join("removed-0")).expect("make");
        fs::write(folder.join("a/b/file"), "").expect("write");
        std::os::unix::fs::symlink(&outside, folder.join("a/b/link")).expect("link");
        for closed in ["a/b", "a"] {
            let closed = folder.join(closed);
            fs::set_permissions(closed, Permissions::from_mode(0o0)).expect("close");
        }
        remove_tree(&folder).expect("remove");
        assert!(!folder.exists() && outside.join("kept").exists());
    }

    #[test]
    fn a_folder_deeper_than_any_path_goes() {
        const LEVELS: usize = 300;
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("folder");
        fs::create_dir(&folder).expect("make");
        for _ in 0..LEVELS {
            let around = place.path().join("around");
            fs::create_dir(&around).expect("make");
            fs::rename(&folder, around.join("x".repeat(200))).expect("move");
            fs::rename(&around, &folder).expect("move");
        }
        remove_tree(&folder).expect("remove");
        assert!(!folder.exists());
    }
}
