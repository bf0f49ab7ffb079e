//! A writer's output as a pipe to the coordinator, which passes on what it reads.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::Mode;

use super::{Output, for_anyone, new_pipe, set_nonblocking};
use crate::error::Result;
use crate::sys::{self, Pid};

/// Our end of a writer's pipe, and what was read from it and not taken yet.
pub(super) struct PipeOutput {
    pipe: OwnedFd,
    /// Bytes that were read and are not delivered: at most one buffer.
    pending: Vec<u8>,
    read: u64,
    ended: bool,
}

/// Makes the pipe; returns it with the descriptor for the writer.
pub(super) fn open() -> Result<(PipeOutput, OwnedFd)> {
    let (ours, theirs) = new_pipe()?;
    set_nonblocking(ours.as_fd())?;
    for_anyone(theirs.as_fd(), Mode::from_bits_truncate(0o622))?;
    Ok((
        PipeOutput {
            pipe: ours,
            pending: Vec::new(),
            read: 0,
            ended: false,
        },
        theirs,
    ))
}

impl Output for PipeOutput {
    fn peek(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut found = self.pending.len().min(buffer.len());
        buffer[..found].copy_from_slice(&self.pending[..found]);
        // Topped up even if something is pending: a short answer must mean that the pipe is empty,
        // because its readiness is reported only once.
        if !self.ended && found < buffer.len() {
            match nix::unistd::read(&self.pipe, &mut buffer[found..]) {
                Ok(0) => self.ended = true,
                Ok(more) => {
                    self.read += more as u64;
                    self.pending.extend_from_slice(&buffer[found..found + more]);
                    found += more;
                }
                Err(Errno::EAGAIN | Errno::EINTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(found)
    }

    fn advance(&mut self, bytes: usize) -> io::Result<()> {
        self.pending.drain(..bytes);
        Ok(())
    }

    fn written(&self) -> io::Result<u64> {
        Ok(self.read + sys::pipe_bytes(self.pipe.as_fd())?)
    }

    fn backlog(&self) -> io::Result<u64> {
        Ok(self.pending.len() as u64 + sys::pipe_bytes(self.pipe.as_fd())?)
    }

    fn closed(&mut self, _writers: &[Pid]) -> io::Result<bool> {
        // The hang-up may have been reported together with the last bytes, so the pipe is asked.
        let mut state = [PollFd::new(self.pipe.as_fd(), PollFlags::POLLIN)];
        while let Err(e) = poll(&mut state, PollTimeout::ZERO) {
            // Signals of the tracees interrupt even a poll that does not wait.
            if e != Errno::EINTR {
                return Err(e.into());
            }
        }
        let hung_up = state[0]
            .revents()
            .is_some_and(|r| r.contains(PollFlags::POLLHUP));
        Ok(self.ended || (hung_up && sys::pipe_bytes(self.pipe.as_fd())? == 0))
    }

    fn readable(&self) -> Option<RawFd> {
        Some(self.pipe.as_raw_fd())
    }
}
