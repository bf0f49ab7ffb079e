//! The files that a run writes: what would lose them, or something else, is found before it begins.

use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, reason, shown};
use crate::spec::protocol::Protocol;

/// The file for the transcript. It is written while the programs run, so it must not be able to
/// hold them up.
///
/// # Errors
/// If it is a pipe or one of `used`, the files that the run is made of.
pub(crate) fn transcript(path: &Path, used: &[PathBuf]) -> Result<PathBuf> {
    let complaint = |why: &str| {
        let path = shown(path);
        Error::usage(format!("cannot write the transcript to {path}: {why}"))
    };
    let Ok(found) = fs::metadata(path) else {
        // Whether it can be made is seen when it is.
        return Ok(path.to_owned());
    };
    if found.file_type().is_fifo() {
        return Err(complaint("a named pipe would block the run"));
    }
    match is_one_of(&found, used) {
        true => Err(complaint("this run reads that file")),
        false => Ok(path.to_owned()),
    }
}

/// The place for what the interactor writes: a file, or with [`Protocol::Icpc`] a folder. It is
/// written after the run, when it is too late to choose another.
///
/// # Errors
/// If it is of the wrong kind, cannot be made because there is no folder for it, or is one of
/// `used`, the files that the run is made of.
pub(crate) fn kept(path: &Path, protocol: Protocol, used: &[PathBuf]) -> Result<PathBuf> {
    let complaint = |why: &str| {
        let path = shown(path);
        Error::usage(format!(
            "cannot keep the interactor's output in {path}: {why}"
        ))
    };
    let is_folder = protocol == Protocol::Icpc;
    match fs::metadata(path) {
        Ok(found) if found.is_dir() && !is_folder => Err(complaint("give the name of a file")),
        Ok(found) if !found.is_dir() && is_folder => {
            Err(complaint("this protocol's interactors fill a folder"))
        }
        Ok(found) if found.file_type().is_fifo() => Err(complaint("it is a named pipe")),
        Ok(found) if is_one_of(&found, used) => Err(complaint("this run reads that file")),
        Ok(_) => Ok(path.to_owned()),
        // A folder is made with those above it, a file is not.
        Err(_) if is_folder => Ok(path.to_owned()),
        Err(_) => match fs::metadata(folder_of(path)) {
            Ok(_) => Ok(path.to_owned()),
            Err(e) => Err(complaint(&reason(&e))),
        },
    }
}

/// The file for what a program alone writes.
///
/// # Errors
/// If it is a folder, a pipe, or one of `used`, the files that the run is made of.
pub(crate) fn captured(path: &Path, used: &[PathBuf]) -> Result<PathBuf> {
    let complaint = |why: &str| {
        let path = shown(path);
        Error::usage(format!("cannot write the output to {path}: {why}"))
    };
    let Ok(found) = fs::metadata(path) else {
        return Ok(path.to_owned());
    };
    if found.is_dir() {
        return Err(complaint("it is a folder; give the name of a file"));
    }
    if found.file_type().is_fifo() {
        return Err(complaint(
            "it is a named pipe; leave --stdout out and redirect ours",
        ));
    }
    match is_one_of(&found, used) {
        true => Err(complaint("this run reads that file")),
        false => Ok(path.to_owned()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// True if this is one of the files, by whatever name.
fn is_one_of(found: &Metadata, files: &[PathBuf]) -> bool {
    let same = |m: Metadata| m.is_file() && (m.dev(), m.ino()) == (found.dev(), found.ino());
    files.iter().any(|file| fs::metadata(file).is_ok_and(same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_run_is_known_by_any_name() {
        let folder = tempfile::tempdir().expect("tempdir");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "x").expect("write");
        fs::hard_link(&file, &link).expect("link");
        let used = [folder.path().join("gone"), file];
        assert!(transcript(&link, &used).is_err());
        assert!(kept(&link, Protocol::Testlib, &used).is_err());
        assert!(transcript(&link, &used[..1]).is_ok());
        assert!(transcript(&folder.path().join("new"), &used).is_ok());
    }
}
