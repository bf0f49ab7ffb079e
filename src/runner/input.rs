//! The standard input of a program that runs alone: a file, a pipe of whoever called us, or nothing.

use std::fs::File;
use std::io::{IsTerminal, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use nix::sys::stat::fstat;

use crate::error::{Context, Result, shown};
use crate::sys;

/// Our own standard input, as a file.
const OURS: &str = "/proc/self/fd/0";

/// What we keep of it.
pub(super) struct Input {
    /// A copy of a file's description, whose offset tells how much was read.
    file: Option<File>,
    /// Where it began to be read.
    begin: u64,
    /// A copy of a pipe.
    pipe: Option<OwnedFd>,
    warning: Option<String>,
}

impl Input {
    /// Opens the file; without one, hands on what we have ourselves.
    ///
    /// A terminal is not handed on: a sandboxed program has no business with one. The input is
    /// then empty.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(path: Option<&Path>) -> Result<(Input, OwnedFd)> {
        let copy = || "copy a descriptor".to_owned();
        let mut input = Input {
            file: None,
            begin: 0,
            pipe: None,
            warning: None,
        };
        let stdin = std::io::stdin();
        let kind = || {
            let ours = stdin.as_fd().try_clone_to_owned().ok()?;
            Some(File::from(ours).metadata().ok()?.file_type())
        };
        let path = match path {
            Some(path) => path,
            None => match kind() {
                Some(kind) if kind.is_fifo() => {
                    let pipe = stdin.as_fd().try_clone_to_owned().context(copy)?;
                    input.pipe = Some(pipe.try_clone().context(copy)?);
                    return Ok((input, pipe));
                }
                // Opened once more, at the place where we are.
                Some(kind) if kind.is_file() => Path::new(OURS),
                _ => {
                    if stdin.is_terminal() {
                        let text = "the input is empty: a terminal is not given to a sandboxed \
                                    program; use --stdin FILE, or a pipe";
                        input.warning = Some(text.to_owned());
                    }
                    Path::new("/dev/null")
                }
            },
        };
        let opening = || format!("open the input file {}", shown(path));
        let mut file = File::open(path).context(opening)?;
        if path == Path::new(OURS) {
            let mut ours = File::from(stdin.as_fd().try_clone_to_owned().context(copy)?);
            input.begin = ours.stream_position().context(opening)?;
            file.seek(SeekFrom::Start(input.begin)).context(opening)?;
        }
        let theirs = file.try_clone().context(copy)?;
        input.file = Some(file);
        Ok((input, theirs.into()))
    }

    /// The pipe's inode, by which it is recognised what a program waits for.
    pub(super) fn inode(&self) -> Option<u64> {
        fstat(self.pipe.as_ref()?).ok().map(|stat| stat.st_ino)
    }

    /// True if there is nothing to be read from the pipe now.
    pub(super) fn is_empty(&self) -> bool {
        let pipe = self.pipe.as_ref();
        pipe.is_some_and(|pipe| sys::pipe_bytes(pipe.as_fd()).is_ok_and(|bytes| bytes == 0))
    }

    /// Bytes that were read of a file; `None` where that cannot be known.
    pub(super) fn read(&mut self) -> Option<u64> {
        let at = self.file.as_mut()?.stream_position().ok()?;
        Some(at.saturating_sub(self.begin))
    }

    /// What the user should know of it.
    pub(super) fn warning(&self) -> Option<String> {
        self.warning.clone()
    }
}
