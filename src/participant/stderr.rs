//! A participant's standard error: drained at once, kept head and tail up to a cap.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use nix::errno::Errno;

use crate::outcome::Stderr;

/// How much of the beginning and of the end is kept, in bytes each.
const KEPT: usize = 32 << 10;

/// Our end of the pipe, and what was kept.
pub(crate) struct StderrDrain {
    pipe: Option<OwnedFd>,
    excerpt: Excerpt,
    /// What comes now is of no interest any more.
    deaf: bool,
}

/// The beginning and the end of a text that may be long.
#[derive(Default)]
pub(crate) struct Excerpt {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl StderrDrain {
    pub(crate) fn new(pipe: OwnedFd) -> Self {
        StderrDrain {
            pipe: Some(pipe),
            excerpt: Excerpt::default(),
            deaf: false,
        }
    }

    pub(crate) fn descriptor(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what there is, up to a fair share; `seen` gets every byte with its offset. True if
    /// there may be more.
    pub(crate) fn drain(&mut self, mut seen: impl FnMut(u64, &[u8])) -> io::Result<bool> {
        let mut buffer = [0; 16 << 10];
        for _ in 0..64 {
            let Some(pipe) = &self.pipe else {
                return Ok(false);
            };
            match nix::unistd::read(pipe, &mut buffer) {
                Ok(0) => {
                    // Closing it would take it out of the poll as well, so it is kept until the
                    // end of the session.
                    return Ok(false);
                }
                Ok(_) if self.deaf => {}
                Ok(found) => {
                    let bytes = &buffer[..found];
                    seen(self.excerpt.total, bytes);
                    self.excerpt.keep(bytes);
                }
                Err(Errno::EAGAIN) => return Ok(false),
                Err(Errno::EINTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(true)
    }

    /// From now on what comes is taken, so that nobody is held up, and forgotten.
    pub(crate) fn stop_listening(&mut self) {
        self.deaf = true;
    }

    /// What was kept.
    pub(crate) fn kept(&self) -> Stderr {
        self.excerpt.kept()
    }
}

impl Excerpt {
    fn keep(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
    }

    pub(crate) fn kept(&self) -> Stderr {
        let tail = self.tail.iter().copied().collect();
        Stderr {
            head: self.head.clone(),
            tail,
            total: self.total,
        }
    }
}

impl io::Write for Excerpt {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.keep(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn keeps_the_beginning_and_the_end() {
        let (ours, theirs) = crate::channel::drained_pipe().expect("pipe");
        let mut drain = StderrDrain::new(ours);
        let mut writer = std::fs::File::from(theirs);
        let all: Vec<u8> = (0..300_000u32).map(|i| (i / 1000) as u8).collect();
        for piece in all.chunks(10_000) {
            writer.write_all(piece).expect("write");
            drain.drain(|_, _| {}).expect("drain");
        }
        let kept = drain.kept();
        assert_eq!(kept.total, 300_000);
        assert_eq!(kept.head, all[..KEPT]);
        assert_eq!(kept.tail, all[300_000 - KEPT..]);
    }
}
