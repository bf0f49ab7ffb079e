//! What one participant writes, on its way to the other one's standard input.
//!
//! A [`Link`] goes one way, from a writer's standard output to a reader's standard input. It comes
//! in three kinds ([`ChannelKind`]), which differ in where the writer's bytes wait:
//!
//! - `tmpfs`: in a file in memory ([`tmpfs`]); the writer never blocks, and what the reader does
//!   not take yet costs the coordinator an offset;
//! - `pipe`: in the writer's pipe ([`pipe`]), which blocks the writer when it is full;
//! - `direct`: in the one pipe that both share ([`direct`]); the coordinator sees nothing of it.
//!
//! In all three the coordinator keeps an end open on either side: a writer does not die of its
//! reader's end, and a reader is given end of input only by [`Link::end_input`].

mod direct;
mod pipe;
mod tmpfs;
pub mod watcher;

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::stat::{Mode, fchmod};

use crate::error::{Context, Result};
use crate::spec::plan::ChannelKind;
use crate::sys::{self, Pid};
use watcher::Watcher;

/// Where a writer's bytes wait until they are delivered.
trait Output {
    /// Copies the next undelivered bytes without taking them. If they do not fill the buffer, there
    /// are no more now, and what comes is reported anew.
    fn peek(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Takes bytes that were peeked and delivered.
    fn advance(&mut self, bytes: usize) -> io::Result<()>;
    /// Bytes that were written so far, as far as this kind can know.
    fn written(&self) -> io::Result<u64>;
    /// Bytes that were written and not taken.
    fn backlog(&self) -> io::Result<u64>;
    /// True if the writer can write no more, because it has closed every descriptor of it.
    /// `writers` are the processes that may have one.
    fn closed(&mut self, writers: &[Pid]) -> io::Result<bool>;
    /// The descriptor that becomes readable when there is more, if one does.
    fn readable(&self) -> Option<RawFd>;
    /// Bytes that were kept in memory at once, at most, on the writer's account.
    fn peak_kept(&self) -> u64 {
        0
    }
    /// The reader has ended; from now on the bytes are only counted.
    fn reader_is_gone(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The ends of a link that the participants get.
pub struct Ends {
    pub writer_stdout: OwnedFd,
    pub reader_stdin: OwnedFd,
}

/// What [`Link::pump`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pumped {
    /// Bytes that were delivered.
    pub delivered: u64,
    /// It stopped to be fair to others; there may be more.
    pub more: bool,
}

/// What a writer wrote for nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aside {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// How many there were.
    pub total: u64,
}

impl Aside {
    /// How many bytes are kept.
    const KEPT: usize = 4096;

    fn keep(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = Self::KEPT - self.bytes.len();
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// One direction of the dialogue.
pub struct Link {
    kind: ChannelKind,
    output: Box<dyn Output>,
    /// Our end of the reader's standard input; `None` once end of input was given.
    input: Option<OwnedFd>,
    /// The reader has ended, or closed its standard input: what comes is only counted.
    discarding: bool,
    /// The reader's standard input is full.
    blocked: bool,
    delivered: u64,
    /// Bytes that the reader did not take, known when it has ended.
    unread: u64,
    aside: Option<Aside>,
    buffer: Vec<u8>,
}

/// A link moves at most this much before others get their turn.
const FAIR_SHARE: u64 = 1 << 20;

impl Link {
    /// Makes a link. `tag` is what the watcher reports when the writer has written.
    pub fn open(kind: ChannelKind, watcher: &mut Watcher, tag: usize) -> Result<(Link, Ends)> {
        let (output, input, ends): (Box<dyn Output>, _, _) = match kind {
            ChannelKind::Direct => {
                let (output, ours, ends) = direct::open()?;
                (Box::new(output), ours, ends)
            }
            ChannelKind::Tmpfs => {
                let (output, writer_stdout) = tmpfs::open(watcher, tag)?;
                let (reader_stdin, ours) = stdin_pipe()?;
                (
                    Box::new(output),
                    ours,
                    Ends {
                        writer_stdout,
                        reader_stdin,
                    },
                )
            }
            ChannelKind::Pipe => {
                let (output, writer_stdout) = pipe::open()?;
                let (reader_stdin, ours) = stdin_pipe()?;
                (
                    Box::new(output),
                    ours,
                    Ends {
                        writer_stdout,
                        reader_stdin,
                    },
                )
            }
        };
        let link = Link {
            kind,
            output,
            input: Some(input),
            discarding: false,
            blocked: false,
            delivered: 0,
            unread: 0,
            aside: None,
            buffer: vec![0; 64 << 10],
        };
        Ok((link, ends))
    }

    /// Delivers what there is, as far as the reader's pipe has room; `log` sees every byte that
    /// was delivered, in order.
    pub fn pump(&mut self, mut log: impl FnMut(&[u8])) -> io::Result<Pumped> {
        let mut pumped = Pumped::default();
        self.blocked = false;
        if self.discarding {
            return self.discard();
        }
        let Some(input) = &self.input else {
            return Ok(pumped);
        };
        while pumped.delivered < FAIR_SHARE {
            let found = self.output.peek(&mut self.buffer)?;
            if found == 0 {
                return Ok(pumped);
            }
            match nix::unistd::write(input, &self.buffer[..found]) {
                Ok(taken) => {
                    self.output.advance(taken)?;
                    self.delivered += taken as u64;
                    pumped.delivered += taken as u64;
                    log(&self.buffer[..taken]);
                    if taken < found {
                        self.blocked = true;
                        return Ok(pumped);
                    }
                    if found < self.buffer.len() {
                        // All there was; whatever comes now is reported anew.
                        return Ok(pumped);
                    }
                }
                Err(Errno::EAGAIN) => {
                    self.blocked = true;
                    return Ok(pumped);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EPIPE) => {
                    self.discarding = true;
                    return self.discard();
                }
                Err(e) => return Err(e.into()),
            }
        }
        pumped.more = true;
        Ok(pumped)
    }

    /// Takes everything and only counts it.
    fn discard(&mut self) -> io::Result<Pumped> {
        let mut seen = 0;
        loop {
            let found = self.output.peek(&mut self.buffer)?;
            if found == 0 {
                return Ok(Pumped::default());
            }
            self.output.advance(found)?;
            self.unread += found as u64;
            if let Some(aside) = &mut self.aside {
                aside.keep(&self.buffer[..found]);
            }
            seen += found as u64;
            if seen > FAIR_SHARE {
                return Ok(Pumped {
                    delivered: 0,
                    more: true,
                });
            }
        }
    }

    /// From now on what is written is not delivered any more, but its beginning is kept.
    pub fn set_aside(&mut self) {
        self.discarding = true;
        self.aside = Some(Aside::default());
    }

    /// What was written since [`Link::set_aside`].
    pub fn aside(&self) -> Option<&Aside> {
        self.aside.as_ref()
    }

    /// True if the reader has taken everything that the writer wrote. Only meaningful when nothing
    /// runs that could write.
    pub fn is_empty(&self) -> io::Result<bool> {
        if self.discarding {
            return Ok(true);
        }
        let in_pipe = self
            .input
            .as_ref()
            .map(|fd| sys::pipe_bytes(fd.as_fd()))
            .transpose()?;
        Ok(in_pipe.unwrap_or(0) == 0 && self.output.backlog()? == 0)
    }

    /// True if the reader's standard input is full, so that a writable event will follow.
    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Closes the reader's standard input: once it has read everything it sees end of file.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// True until end of input was given.
    pub fn input_is_open(&self) -> bool {
        self.input.is_some()
    }

    /// The reader has ended: counts what it did not take.
    pub fn reader_is_gone(&mut self) -> io::Result<()> {
        // Of a direct channel that pipe is the output itself.
        let own = !self.discarding && self.kind != ChannelKind::Direct;
        if let Some(input) = self.input.as_ref().filter(|_| own) {
            self.unread += sys::pipe_bytes(input.as_fd())?;
        }
        self.discarding = true;
        self.output.reader_is_gone()
    }

    /// Bytes that the reader did not take; final when both sides have ended.
    pub fn unread(&self) -> io::Result<u64> {
        Ok(self.unread
            + if self.discarding {
                self.output.backlog()?
            } else {
                0
            })
    }

    /// Bytes that were put into the reader's standard input.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Bytes that the writer wrote, as far as the channel sees them.
    pub fn written(&self) -> io::Result<u64> {
        self.output.written()
    }

    /// Bytes of the writer's output that were kept in memory at once, at most.
    pub fn peak_kept(&self) -> u64 {
        self.output.peak_kept()
    }

    /// True if the writer has closed its standard output for good.
    pub fn writer_closed(&mut self, writers: &[Pid]) -> io::Result<bool> {
        self.output.closed(writers)
    }

    /// The identity of the reader's standard input: its pipe's inode number.
    pub fn input_inode(&self) -> Option<u64> {
        let input = self.input.as_ref()?;
        nix::sys::stat::fstat(input).ok().map(|stat| stat.st_ino)
    }

    /// True if the coordinator feeds the reader, and so waits for room in its pipe.
    fn is_fed(&self) -> bool {
        self.kind != ChannelKind::Direct
    }

    /// The descriptor to watch for room in the reader's pipe.
    pub fn writable(&self) -> Option<RawFd> {
        self.input
            .as_ref()
            .filter(|_| self.is_fed())
            .map(AsRawFd::as_raw_fd)
    }

    /// The descriptor to watch for more output, where the watcher does not report it.
    pub fn readable(&self) -> Option<RawFd> {
        self.output.readable()
    }
}

/// The pipe of a standard input: the participant's end blocks, ours does not. (O_NONBLOCK belongs
/// to an open file description, and the two ends are two of them.)
fn stdin_pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (theirs, ours) = new_pipe()?;
    set_nonblocking(ours.as_fd())?;
    for_anyone(theirs.as_fd(), Mode::from_bits_truncate(0o644))?;
    Ok((theirs, ours))
}

fn new_pipe() -> Result<(OwnedFd, OwnedFd)> {
    nix::unistd::pipe2(OFlag::O_CLOEXEC).context(|| "make a pipe".into())
}

fn set_nonblocking(fd: BorrowedFd<'_>) -> Result<()> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
        .context(|| "make a descriptor non-blocking".into())
        .map(drop)
}

/// Lets a participant with an identity of its own open its stream again by name (`/dev/stdin`).
pub(crate) fn for_anyone(fd: BorrowedFd<'_>, mode: Mode) -> Result<()> {
    fchmod(fd, mode).context(|| "set the mode of a stream".into())
}

/// A pipe that a participant writes to and we drain: our end does not block.
pub fn drained_pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = new_pipe()?;
    set_nonblocking(ours.as_fd())?;
    for_anyone(theirs.as_fd(), Mode::from_bits_truncate(0o622))?;
    Ok((ours, theirs))
}

#[cfg(test)]
mod tests;
