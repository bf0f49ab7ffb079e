//! The files that a run reads, by paths as the user wrote them.

use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, shown, unreadable};
use crate::spec::command::Command;

/// An input file as an absolute path.
pub(crate) fn input_file(what: &str, path: &Path) -> Result<PathBuf> {
    let kind = std::fs::metadata(path)
        .map_err(|e| unreadable(what, path, &e))?
        .file_type();
    let complaint = if kind.is_dir() {
        "a folder: give the file itself"
    } else if kind.is_fifo() {
        "a pipe, which cannot be read twice: write it to a file first"
    } else if !kind.is_file() && path != Path::new("/dev/null") {
        "neither a file nor `/dev/null`: give a file"
    } else {
        let real = path
            .canonicalize()
            .map_err(|e| unreadable(what, path, &e))?;
        std::fs::File::open(&real).map_err(|e| unreadable(what, path, &e))?;
        return Ok(real);
    };
    let path = shown(path);
    Err(Error::usage(format!("the {what} {path} is {complaint}")))
}

/// A program that may read more, by paths as the user wrote them.
pub(crate) fn with_reads(mut command: Command, more: &[PathBuf]) -> Result<Command> {
    for path in more {
        let real = path.canonicalize();
        let real = real.map_err(|e| unreadable("file or folder", path, &e))?;
        command.reads.push(real);
    }
    Ok(command)
}
