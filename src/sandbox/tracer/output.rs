//! Reads what a program writes to its standard output from its memory, call by call.
//!
//! This is how a tracer without a channel sees output. It costs a stop for each call, and each call
//! is read before the kernel carries it out, so a thread that changes the bytes meanwhile can make
//! the two differ. The [runner](crate::runner) has it for comparison.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use crate::sys::{self, Pid};

/// How the memory is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadBy {
    /// A word at a time (PTRACE_PEEKDATA).
    Word,
    /// All at once (process_vm_readv).
    Block,
}

/// What is read of one participant.
#[derive(Debug)]
pub struct Tap {
    /// A copy of its standard output, by which its descriptors are recognised.
    pub output: OwnedFd,
    pub by: ReadBy,
    /// As many bytes are read, and no more.
    pub left: u64,
}

/// What a call does to standard output.
pub(super) enum Written {
    /// These bytes are about to be written to it.
    Bytes(Vec<u8>),
    /// It would be written to from a file, which is not to be seen in memory.
    FromFile,
    Nothing,
}

impl Tap {
    /// Looks at a call that writes.
    pub(super) fn look(&mut self, pid: Pid, call: u64, args: &[u64; 6]) -> Written {
        let call = call as libc::c_long;
        let descriptor = match call {
            libc::SYS_splice => args[2],
            _ => args[0],
        };
        if !self.is_output(pid, descriptor as i32) {
            return Written::Nothing;
        }
        let pieces = match call {
            libc::SYS_sendfile | libc::SYS_splice => return Written::FromFile,
            libc::SYS_write | libc::SYS_pwrite64 => vec![(args[1], args[2])],
            _ => vectors(pid, args[1], args[2]),
        };
        // A call with a length below zero is refused as a whole.
        if pieces.iter().any(|(_, length)| *length > i64::MAX as u64) {
            return Written::Nothing;
        }
        let mut bytes = Vec::new();
        let mut most = MOST_AT_ONCE.min(self.left);
        for (address, length) in pieces {
            let wanted = length.min(most);
            let before = bytes.len();
            // A program may name more than it has: what there is, is read, and nothing behind it.
            let complete = self.read(pid, address, wanted, &mut bytes);
            let found = (bytes.len() - before) as u64;
            most -= found;
            self.left -= found;
            if complete.is_err() || found < wanted {
                break;
            }
        }
        Written::Bytes(bytes)
    }

    /// True if a descriptor of the program is its standard output or a copy of it.
    fn is_output(&self, pid: Pid, descriptor: i32) -> bool {
        match sys::is_same_file(pid, descriptor, self.output.as_raw_fd()) {
            Ok(same) => same,
            Err(e) if e.raw_os_error() == Some(libc::EBADF) => false,
            // A kernel without kcmp, or a container that hides it.
            Err(_) => descriptor == libc::STDOUT_FILENO,
        }
    }

    fn read(&self, pid: Pid, address: u64, length: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        const PIECE: u64 = 64 << 10;
        let end = address.saturating_add(length);
        let mut at = address;
        while at < end {
            match self.by {
                ReadBy::Word => {
                    // Whole words in their places: one that crosses the end of what is mapped
                    // could not be read.
                    const SIZE: u64 = size_of::<libc::c_long>() as u64;
                    let begin = at - at % SIZE;
                    let word = sys::ptrace_peek(pid, begin)?.to_ne_bytes();
                    let stop = end.min(begin.saturating_add(SIZE));
                    bytes.extend_from_slice(&word[(at - begin) as usize..(stop - begin) as usize]);
                    at = stop;
                }
                ReadBy::Block => {
                    let mut piece = vec![0; (end - at).min(PIECE) as usize];
                    let found = sys::read_memory(pid, at, &mut piece)?;
                    if found == 0 {
                        return Ok(());
                    }
                    bytes.extend_from_slice(&piece[..found]);
                    at += found as u64;
                }
            }
        }
        Ok(())
    }
}

/// The kernel writes no more by one call (`MAX_RW_COUNT`).
const MOST_AT_ONCE: u64 = 0x7fff_f000;

/// The pieces of a `writev`: address and length of each.
fn vectors(pid: Pid, address: u64, count: u64) -> Vec<(u64, u64)> {
    const MOST: u64 = 1024; // IOV_MAX, beyond which the kernel refuses the call
    const SIZE: usize = size_of::<libc::iovec>();
    if count > MOST {
        return Vec::new();
    }
    let mut raw = vec![0; count as usize * SIZE];
    let found = sys::read_memory(pid, address, &mut raw).unwrap_or(0);
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
    raw[..found]
        .chunks_exact(SIZE)
        .map(|piece| (number(&piece[..8]), number(&piece[8..])))
        .collect()
}
