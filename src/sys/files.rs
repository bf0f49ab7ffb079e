//! Descriptors and what they stand for.

use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::{Pid, check};

/// True if descriptor `theirs` of a process and our own descriptor `ours` are the same open file
/// description (kcmp(2)).
pub fn is_same_file(pid: Pid, theirs: RawFd, ours: RawFd) -> io::Result<bool> {
    const KCMP_FILE: libc::c_int = 0;
    let us = std::process::id();
    // SAFETY: takes no pointers.
    check(unsafe { libc::syscall(libc::SYS_kcmp, us, pid, KCMP_FILE, ours, theirs) })
        .map(|order| order == 0)
}

/// Bytes that lie in a pipe, asked through either end.
pub fn pipe_bytes(pipe: BorrowedFd<'_>) -> io::Result<u64> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: FIONREAD writes one int.
    check(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut bytes) }.into())?;
    Ok(bytes.max(0) as u64)
}

/// True if nobody has `file` open for writing. `file` itself must be open for reading only and
/// belong to us: a read lease is given exactly then (fcntl(2), F_SETLEASE).
pub fn nobody_writes(file: BorrowedFd<'_>) -> io::Result<bool> {
    let fd = file.as_raw_fd();
    // SAFETY: takes no pointers.
    match check(unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) }.into()) {
        Ok(_) => {
            // SAFETY: takes no pointers.
            check(unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_UNLCK) }.into())?;
            Ok(true)
        }
        Err(e) if e.raw_os_error() == Some(libc::EAGAIN) => Ok(false),
        Err(e) => Err(e),
    }
}

/// A copy of a descriptor with a number of at least `least`, closed on exec.
pub fn duplicate_above(fd: BorrowedFd<'_>, least: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes no pointers; the result is a descriptor that nobody else owns.
    unsafe {
        let fd = check(libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, least).into())?;
        Ok(OwnedFd::from_raw_fd(fd as RawFd))
    }
}

/// Watches a file (inotify(7)); returns the watch descriptor that its events carry.
pub fn inotify_add_watch(inotify: BorrowedFd<'_>, path: &CStr, events: u32) -> io::Result<i32> {
    // SAFETY: path is a NUL-terminated string.
    let watch = unsafe { libc::inotify_add_watch(inotify.as_raw_fd(), path.as_ptr(), events) };
    check(watch.into()).map(|watch| watch as i32)
}

/// Something to close *after* a descriptor whose closing takes time: a worker of the kernel then
/// does the waiting.
///
/// It is an io_uring instance with which the file is registered and which serves for nothing else.
/// The file then lives until the instance is taken down, and that is a worker's task.
pub fn background_closer(slow: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    /// `struct io_uring_params` of linux/io_uring.h in bytes; all zero asks for nothing special.
    const PARAMS: usize = 120;
    const REGISTER_FILES: libc::c_uint = 2;
    let mut params = [0u64; PARAMS / 8];
    // SAFETY: params is as large as the kernel's structure and aligned like it; the descriptor that
    // the kernel makes is nobody else's.
    let ring = unsafe {
        let ring = check(libc::syscall(
            libc::SYS_io_uring_setup,
            1,
            params.as_mut_ptr(),
        ))?;
        let _ = libc::fcntl(ring as RawFd, libc::F_SETFD, libc::FD_CLOEXEC);
        OwnedFd::from_raw_fd(ring as RawFd)
    };
    let (register, file) = (libc::SYS_io_uring_register, slow.as_raw_fd());
    // SAFETY: the kernel reads one int from the address.
    check(unsafe { libc::syscall(register, ring.as_raw_fd(), REGISTER_FILES, &file, 1) })?;
    Ok(ring)
}

/// Locks one byte of a file for as long as this open file description lives; false if another
/// description holds it. The kernel forgets the lock when its holder dies.
pub fn lock_byte(file: BorrowedFd<'_>, byte: u64) -> io::Result<bool> {
    // SAFETY: an all-zero flock is a valid value.
    let mut lock: libc::flock = unsafe { MaybeUninit::zeroed().assume_init() };
    lock.l_type = libc::F_WRLCK as _;
    lock.l_whence = libc::SEEK_SET as _;
    lock.l_start = byte as _;
    lock.l_len = 1;
    // SAFETY: the kernel reads one flock from the address.
    match check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &lock) }.into()) {
        Ok(_) => Ok(true),
        Err(e) if matches!(e.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        Err(e) => Err(e),
    }
}
