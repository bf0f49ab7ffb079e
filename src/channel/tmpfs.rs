//! A writer's output as a file in memory: the file is the queue and the log.
//!
//! It is a memfd, which lives in tmpfs without a mount or a name. The writer gets a descriptor from
//! opening it again, append-only, because inotify reports only writes through such descriptors;
//! a seal keeps it from shrinking. Parts that were delivered are given back now and then.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;

use nix::fcntl::{FallocateFlags, FcntlArg, SealFlag, fallocate, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::stat::Mode;

use super::watcher::Watcher;
use super::{Output, for_anyone};
use crate::error::{Context, Result};
use crate::sys::{self, Pid};

/// A writer's file, and how far it was delivered.
pub(super) struct TmpfsOutput {
    /// Open for reading only: then the kernel can tell whether anyone has it open for writing.
    file: File,
    offset: u64,
    /// Everything below was given back.
    released: u64,
    peak_kept: u64,
}

/// Delivered bytes are given back in pieces of this size.
const RELEASE: u64 = 1 << 20;

/// Makes the file; returns it with the descriptor for the writer.
pub(super) fn open(watcher: &mut Watcher, tag: usize) -> Result<(TmpfsOutput, OwnedFd)> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let memory = memfd_create(c"output", flags).context(|| "make a file in memory".into())?;
    // No shrinking: what was written stays until it is delivered. No further seals: the writer
    // shall not be able to close its own mouth.
    let seals = SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_SEAL;
    fcntl(&memory, FcntlArg::F_ADD_SEALS(seals)).context(|| "seal a file in memory".into())?;
    // Others may write, through /dev/stdout; nobody but us may read.
    for_anyone(memory.as_fd(), Mode::from_bits_truncate(0o622))?;
    let path = path_of(memory.as_raw_fd());
    let again = || "open a file in memory again".to_owned();
    let writer = OpenOptions::new().append(true).open(&path).context(again)?;
    // When it was read last is nobody's business, and would be written down at each read.
    let quietly = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOATIME)
        .open(&path);
    let file = quietly.context(again)?;
    watcher.watch(&path, tag)?;
    Ok((
        TmpfsOutput {
            file,
            offset: 0,
            released: 0,
            peak_kept: 0,
        },
        writer.into(),
    ))
}

fn path_of(fd: RawFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{fd}"))
}

impl Output for TmpfsOutput {
    fn peek(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let found = self.file.read_at(buffer, self.offset)?;
        self.peak_kept = self
            .peak_kept
            .max(self.offset + found as u64 - self.released);
        Ok(found)
    }

    fn advance(&mut self, bytes: usize) -> io::Result<()> {
        self.offset += bytes as u64;
        if self.offset - self.released >= 2 * RELEASE {
            // A page that is not complete yet must stay.
            let end = self.offset / RELEASE * RELEASE;
            // Not waiting for anything that someone may have done to the file; what cannot be given
            // back now is tried again with the next piece.
            let writable = OpenOptions::new()
                .write(true)
                .custom_flags(libc::O_NONBLOCK)
                .open(path_of(self.file.as_raw_fd()));
            let hole = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
            let (from, length) = (self.released as i64, (end - self.released) as i64);
            if writable.is_ok_and(|file| fallocate(file, hole, from, length).is_ok()) {
                self.released = end;
            }
        }
        Ok(())
    }

    fn written(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn backlog(&self) -> io::Result<u64> {
        Ok(self.written()?.saturating_sub(self.offset))
    }

    fn closed(&mut self, _writers: &[Pid]) -> io::Result<bool> {
        sys::nobody_writes(self.file.as_fd())
    }

    fn readable(&self) -> Option<RawFd> {
        None
    }

    fn peak_kept(&self) -> u64 {
        let now = self.written().unwrap_or(0).saturating_sub(self.released);
        self.peak_kept.max(now)
    }

    fn reader_is_gone(&mut self) -> io::Result<()> {
        Ok(())
    }
}
