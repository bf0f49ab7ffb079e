//! One pipe from the writer to the reader; the coordinator holds both ends and looks at neither.
//!
//! It holds the writing end so that the reader sees end of input only when it is given, and the
//! reading end so that the writer does not die of the reader's end, and to count what was not read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

use nix::sys::stat::{Mode, fstat};

use super::{Ends, Output, for_anyone, new_pipe};
use crate::error::{Context, Result};
use crate::sys::{self, Pid};

/// Our copy of the reading end.
pub(super) struct DirectOutput {
    pipe: OwnedFd,
    inode: u64,
    /// A non-blocking description of the reading end, once the reader has ended.
    drain: Option<File>,
    drained: u64,
}

/// Makes the pipe; returns it with our copy of the writing end and both ends for the participants.
pub(super) fn open() -> Result<(DirectOutput, OwnedFd, Ends)> {
    let (reader, writer) = new_pipe()?;
    // The mode belongs to the pipe, not to an end.
    for_anyone(reader.as_fd(), Mode::from_bits_truncate(0o666))?;
    let copy = || "copy a descriptor".to_owned();
    let pipe = reader.try_clone().context(copy)?;
    let ours = writer.try_clone().context(copy)?;
    let inode = fstat(&pipe).context(|| "look at a pipe".into())?.st_ino;
    let output = DirectOutput {
        pipe,
        inode,
        drain: None,
        drained: 0,
    };
    Ok((
        output,
        ours,
        Ends {
            writer_stdout: writer,
            reader_stdin: reader,
        },
    ))
}

impl Output for DirectOutput {
    fn peek(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.drain.as_mut().map(|file| file.read(buffer)) {
            None => Ok(0),
            Some(Err(e)) if e.kind() == io::ErrorKind::WouldBlock => Ok(0),
            Some(result) => result,
        }
    }

    fn advance(&mut self, bytes: usize) -> io::Result<()> {
        self.drained += bytes as u64;
        Ok(())
    }

    fn written(&self) -> io::Result<u64> {
        Ok(self.drained)
    }

    fn backlog(&self) -> io::Result<u64> {
        sys::pipe_bytes(self.pipe.as_fd())
    }

    fn closed(&mut self, writers: &[Pid]) -> io::Result<bool> {
        let target = format!("pipe:[{}]", self.inode);
        let has_it = |pid: &Pid| {
            let descriptors = fs::read_dir(format!("/proc/{pid}/fd"))
                .into_iter()
                .flatten();
            descriptors
                .flatten()
                .filter_map(|entry| fs::read_link(entry.path()).ok())
                .any(|link| link.as_os_str() == target.as_str())
        };
        Ok(!writers.iter().any(has_it))
    }

    fn readable(&self) -> Option<RawFd> {
        self.drain.as_ref().map(AsRawFd::as_raw_fd)
    }

    fn reader_is_gone(&mut self) -> io::Result<()> {
        let path = format!("/proc/self/fd/{}", self.pipe.as_raw_fd());
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path)?;
        self.drain = Some(file);
        Ok(())
    }
}
