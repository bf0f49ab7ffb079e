//! Files in memory that inotify reports on: what the default channel is made of.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::memfd::{MFdFlags, memfd_create};

use super::{Finding, Kind};

const NAME: &str = "memory-files";

pub(super) fn look() -> Finding {
    match write_is_heard() {
        Ok(()) => Finding::yes(
            NAME,
            Kind::Means,
            "a write to a file in memory was heard of",
        ),
        Err((action, error)) => Finding::yes(
            NAME,
            Kind::Means,
            format!("cannot {action}: {}", crate::error::reason(&error)),
        )
        .no(
            "the default channel does not work; `--channel pipe` may",
            "mount /proc, and allow more with `sysctl -w fs.inotify.max_user_instances=1024`",
        ),
    }
    .needed()
}

/// Writes through a descriptor that was opened again, as a participant's is. The error is what
/// could not be done, and why.
fn write_is_heard() -> Result<(), (&'static str, io::Error)> {
    let to = |action| move |e: nix::errno::Errno| (action, io::Error::from(e));
    let memory =
        memfd_create(c"trial", MFdFlags::MFD_CLOEXEC).map_err(to("make a file in memory"))?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", memory.as_raw_fd()));
    let again = OpenOptions::new().append(true).open(&path);
    let mut again = again.map_err(|e| ("open a file in memory again", e))?;
    let flags = InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC;
    let inotify = Inotify::init(flags).map_err(to("make an inotify instance"))?;
    let watched = inotify.add_watch(&path, AddWatchFlags::IN_MODIFY);
    watched.map_err(to("watch a file in memory"))?;
    again
        .write_all(b"x")
        .map_err(|e| ("write to a file in memory", e))?;
    let events = inotify.read_events();
    events
        .map(drop)
        .map_err(to("hear of a write to a file in memory"))
}
