//! The inotify descriptor of a session: says which output files have changed.
//!
//! An event means "look again" and nothing more: equal events are merged while they are unread,
//! and when the queue overflows every file has to be looked at.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use nix::errno::Errno;
use nix::sys::inotify::{InitFlags, Inotify};

use crate::error::{Context, Result};
use crate::sys;

/// Watches output files.
pub struct Watcher {
    inotify: OwnedFd,
    /// Dropped after the instance: closing one with watches waits for a grace period of the kernel,
    /// several milliseconds, which is longer than a small session takes. There is none before there
    /// is a watch.
    closer: Option<OwnedFd>,
    /// (watch descriptor, tag)
    watches: Vec<(i32, usize)>,
    buffer: Vec<u8>,
}

/// The size of `struct inotify_event` without a name (inotify(7)).
const HEADER: usize = 16;

impl Watcher {
    /// Makes a watcher that watches nothing yet.
    pub fn new() -> Result<Watcher> {
        let flags = InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC;
        let inotify = Inotify::init(flags).context(|| {
            "make an inotify instance (see /proc/sys/fs/inotify/max_user_instances)".into()
        })?;
        let inotify = OwnedFd::from(inotify);
        Ok(Watcher {
            inotify,
            closer: None,
            watches: Vec::new(),
            buffer: vec![0; 4096],
        })
    }

    /// Reports `tag` whenever the file is written to or a descriptor for writing is closed.
    pub fn watch(&mut self, file: &Path, tag: usize) -> Result<()> {
        if self.closer.is_none() {
            self.closer = sys::background_closer(self.inotify.as_fd()).ok();
        }
        let path = CString::new(file.as_os_str().as_bytes()).unwrap_or_default();
        let events = libc::IN_MODIFY | libc::IN_CLOSE_WRITE;
        let watch = sys::inotify_add_watch(self.inotify.as_fd(), &path, events)
            .context(|| "watch an output file".into())?;
        self.watches.push((watch, tag));
        Ok(())
    }

    /// The descriptor to poll.
    pub fn descriptor(&self) -> RawFd {
        self.inotify.as_raw_fd()
    }

    /// Reads what has changed and calls `changed` with each tag. One read is enough: what comes
    /// later makes the descriptor readable anew.
    pub fn changes(&mut self, mut changed: impl FnMut(usize)) -> io::Result<()> {
        let length = match nix::unistd::read(&self.inotify, &mut self.buffer) {
            Ok(length) => length,
            Err(Errno::EAGAIN | Errno::EINTR) => return Ok(()),
            Err(e) => return Err(e.into()),
        };
        let mut rest = self.buffer.get(..length).unwrap_or_default();
        let mut all = length + HEADER > self.buffer.len();
        while let [a, b, c, d, e, f, g, h, _, _, _, _, i, j, k, l, tail @ ..] = rest {
            let watch = i32::from_ne_bytes([*a, *b, *c, *d]);
            let mask = u32::from_ne_bytes([*e, *f, *g, *h]);
            let name = u32::from_ne_bytes([*i, *j, *k, *l]) as usize;
            all |= mask & libc::IN_Q_OVERFLOW != 0;
            for (_, tag) in self.watches.iter().filter(|(w, _)| *w == watch) {
                changed(*tag);
            }
            rest = tail.get(name..).unwrap_or_default();
        }
        if all {
            self.watches.iter().for_each(|(_, tag)| changed(*tag));
        }
        Ok(())
    }
}
