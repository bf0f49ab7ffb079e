//! The standard input of a program that runs alone: a file, a pipe of whoever called us, or nothing.

use std::fs::File;
use std::io::{IsTerminal, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use nix::sys::stat::fstat;

use crate::error::{Context, Error, Result, shown};
use crate::sys;

/// Our own standard input, as a file.
const OURS: &str = "/proc/self/fd/0";

/// What our own standard input is.
enum Ours {
    Pipe(OwnedFd),
    File(File),
    Terminal,
    /// The null device, or it is closed.
    Nothing,
}

impl Ours {
    fn look() -> Result<Self> {
        let stdin = std::io::stdin();
        let Ok(ours) = stdin.as_fd().try_clone_to_owned() else {
            return Ok(Ours::Nothing);
        };
        let file = File::from(ours);
        let found = file.metadata();
        let found = found.context(|| "look at our standard input".into())?;
        let kind = found.file_type();
        let null = std::fs::metadata("/dev/null").map(|null| null.rdev());
        let is_null = kind.is_char_device() && null.is_ok_and(|null| null == found.rdev());
        let what = match () {
            () if kind.is_fifo() => return Ok(Ours::Pipe(file.into())),
            () if kind.is_file() => return Ok(Ours::File(file)),
            () if is_null => return Ok(Ours::Nothing),
            () if stdin.is_terminal() => return Ok(Ours::Terminal),
            () if kind.is_dir() => "a folder",
            () if kind.is_socket() => "a socket",
            () => "a device",
        };
        Err(Error::usage(format!(
            "our standard input is {what}, which is not given to a sandboxed program: use --stdin \
             FILE, or a pipe"
        )))
    }
}

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
    /// [`Error::Usage`] if our own is something else; others if it cannot be opened.
    pub(super) fn open(path: Option<&Path>) -> Result<(Input, OwnedFd)> {
        let copy = || "copy a descriptor".to_owned();
        let mut input = Input {
            file: None,
            begin: 0,
            pipe: None,
            warning: None,
        };
        let path = match path {
            Some(path) => path,
            None => match Ours::look()? {
                Ours::Pipe(pipe) => {
                    input.pipe = Some(pipe.try_clone().context(copy)?);
                    return Ok((input, pipe));
                }
                Ours::File(mut file) => {
                    input.begin = file.stream_position().context(copy)?;
                    // Opened once more, so that the program moves no offset but its own. Who may
                    // not do that shares ours.
                    let again = File::open(OURS).and_then(|mut again| {
                        again.seek(SeekFrom::Start(input.begin))?;
                        Ok(again)
                    });
                    let file = again.unwrap_or(file);
                    let theirs = file.try_clone().context(copy)?;
                    input.file = Some(file);
                    return Ok((input, theirs.into()));
                }
                Ours::Terminal => {
                    let text = "the input is empty: a terminal is not given to a sandboxed \
                                program; use --stdin FILE, or a pipe";
                    input.warning = Some(text.to_owned());
                    Path::new("/dev/null")
                }
                Ours::Nothing => Path::new("/dev/null"),
            },
        };
        let file = File::open(path).context(|| format!("open the input file {}", shown(path)))?;
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
