//! Where programs are built and where results go.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// A temporary folder into which the unprivileged users of the sandbox can look.
pub(crate) fn folder_for_everyone() -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir().context("failed to make a temporary folder")?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
        .context("failed to open the temporary folder to everyone")?;
    Ok(folder)
}

/// The program of this name in the folders of `PATH`.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Writes `bench/NAME.json` into cargo's target folder.
pub(crate) fn write_json(name: &str, report: &impl Serialize) -> Result<PathBuf> {
    let text = serde_json::to_string_pretty(report).context("failed to form the JSON report")?;
    write(&format!("{name}.json"), &(text + "\n"))
}

/// Writes a file into `bench` in cargo's target folder.
pub(crate) fn write(name: &str, text: &str) -> Result<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .context("cargo's temporary folder has no parent")?;
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("failed to make {}", folder.display()))?;
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
    Ok(path)
}

/// The kind of file system that a folder lies in, as `/proc/self/mountinfo` calls it.
pub(crate) fn file_system(folder: &Path) -> String {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let kinds = mounts.lines().filter_map(|line| {
        let (place, rest) = line.split_once(" - ")?;
        let point = place.split(' ').nth(4)?;
        let kind = rest.split(' ').next()?;
        folder.starts_with(point).then_some((point.len(), kind))
    });
    // Of several mounts at one place the last hides the others.
    let deepest = kinds.max_by_key(|(length, _)| *length);
    deepest.map_or_else(|| "unknown".to_owned(), |(_, kind)| kind.to_owned())
}
