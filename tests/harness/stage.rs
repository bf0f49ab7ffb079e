//! One folder for each test process, readable by every user, in which everything happens.
//!
//! The clone and cargo's target folder may lie in a private home, which the unprivileged user
//! cannot enter; so the binary, the programs and their test files are copied here. It is removed
//! at the end, unless `REJOINDER_TEST_KEEP` is set.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use super::identity::Identity;

/// The folder.
#[derive(Debug)]
pub(crate) struct Stage {
    folder: TempDir,
    runs: AtomicU32,
}

impl Stage {
    /// Makes the folder and copies the binary into it: the one that cargo has just built, or the
    /// one that `REJOINDER_TEST_BINARY` names.
    pub(crate) fn new() -> Result<Stage, String> {
        Self::build().map_err(|error| format!("cannot prepare the stage: {error}"))
    }

    fn build() -> io::Result<Stage> {
        let mut folder = tempfile::Builder::new()
            .prefix("rejoinder-tests-")
            .tempdir_in("/tmp")?;
        folder.disable_cleanup(keep());
        let stage = Stage {
            folder,
            runs: AtomicU32::new(0),
        };
        set_mode(stage.folder.path(), 0o755)?;
        let binary = std::env::var_os("REJOINDER_TEST_BINARY").map_or_else(
            || PathBuf::from(env!("CARGO_BIN_EXE_rejoinder")),
            PathBuf::from,
        );
        fs::copy(&binary, stage.binary()).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", binary.display()))
        })?;
        set_mode(&stage.binary(), 0o755)?;
        for identity in Identity::possible() {
            stage.owned_folder(&format!("home-{}", identity.name()), *identity)?;
        }
        fs::write(stage.empty_file(), "")?;
        set_mode(&stage.empty_file(), 0o644)?;
        Ok(stage)
    }

    /// The binary under test.
    pub(crate) fn binary(&self) -> PathBuf {
        self.folder.path().join("rejoinder")
    }

    /// The test input of cases that have none.
    pub(crate) fn empty_file(&self) -> PathBuf {
        self.folder.path().join("empty")
    }

    /// The home of that user.
    pub(crate) fn home(&self, identity: Identity) -> PathBuf {
        self.folder.path().join(format!("home-{}", identity.name()))
    }

    /// A new folder for programs, readable by everybody.
    pub(crate) fn program_folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder)?;
        set_mode(&folder, 0o755)?;
        Ok(folder)
    }

    /// A new folder for the files of one run, which that user may write.
    pub(crate) fn run_folder(&self, identity: Identity) -> io::Result<PathBuf> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        self.owned_folder(&format!("run-{number}"), identity)
    }

    /// Removes what a run left, when nobody will look at it any more.
    pub(crate) fn discard(&self, run_folder: &Path) {
        if !keep() {
            let _ = fs::remove_dir_all(run_folder);
        }
    }

    fn owned_folder(&self, name: &str, identity: Identity) -> io::Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir(&folder)?;
        set_mode(&folder, 0o755)?;
        if let Some(uid) = identity.uid() {
            chown(&folder, Some(uid), Some(uid))?;
        }
        Ok(folder)
    }
}

/// Copies a test file so that every user can read it.
pub(crate) fn copy_readable(from: &Path, folder: &Path) -> io::Result<PathBuf> {
    let to = folder.join(from.file_name().unwrap_or_default());
    fs::copy(from, &to)?;
    set_mode(&to, 0o644)?;
    Ok(to)
}

/// Sets who may read, write and execute a file.
pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

fn keep() -> bool {
    std::env::var_os("REJOINDER_TEST_KEEP").is_some()
}
