//! Makes a folder of files, all of it or nothing.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::files::File;
use crate::error::{Error, Result, reason, shown};

/// Makes the folder, which may be there if it is empty, with the files in it.
///
/// # Errors
/// If that cannot be; then nothing of it is left.
pub(super) fn make(folder: &Path, files: &[File]) -> Result<()> {
    let mut made = Made::default();
    match fs::create_dir(folder) {
        Ok(()) => made.folders.push(folder.to_owned()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => must_be_empty(folder)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let outer = folder.parent().unwrap_or(folder);
            return Err(Error::usage(format!(
                "cannot make the folder {}: there is no folder {} to make it in",
                shown(folder),
                shown(outer)
            )));
        }
        Err(error) => return Err(cannot("folder", folder, &error)),
    }
    for file in files {
        let path = folder.join(&file.path);
        made.folder_of(&path)?;
        made.file(&path, &file.text)?;
    }
    made.keep();
    Ok(())
}

fn must_be_empty(folder: &Path) -> Result<()> {
    let exists = |what: &str| {
        let folder = shown(folder);
        Error::usage(format!("{folder} {what}: choose another name"))
    };
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(exists("is there already and not empty")),
        },
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Err(exists("is there already and no folder"))
        }
        Err(error) => Err(exists(&format!(
            "is there already and cannot be read ({})",
            reason(&error)
        ))),
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Error {
    let (path, why) = (shown(path), reason(error));
    Error::usage(format!("cannot make the {what} {path}: {why}"))
}

/// What was made so far, and goes again unless it is kept.
#[derive(Default)]
struct Made {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    /// The folder that a file is to lie in.
    fn folder_of(&mut self, file: &Path) -> Result<()> {
        let Some(folder) = file.parent().filter(|folder| !folder.is_dir()) else {
            return Ok(());
        };
        fs::create_dir(folder).map_err(|error| cannot("folder", folder, &error))?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    fn file(&mut self, path: &Path, text: &str) -> Result<()> {
        // Never over a file that somebody else has just made.
        let mut file = fs::File::create_new(path).map_err(|error| cannot("file", path, &error))?;
        self.files.push(path.to_owned());
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| cannot("file", path, &error))
    }

    fn keep(mut self) {
        self.folders.clear();
        self.files.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What cannot be removed is nothing that can be helped; why it failed is told.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
