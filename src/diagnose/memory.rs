//! The memory of another process, read from outside.
//!
//! The process may be hostile, and nothing stops it while it is read: every byte may be a lie, and
//! no two reads need agree. So every read is bounded, and so is their sum: a diagnosis has a budget
//! of reads, bytes and time, after which every read fails. Whoever follows pointers in here ends
//! when the budget does, whatever the pointers say. Nothing panics, and nothing is written.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::sys::{self, Pid};

/// How many reads a diagnosis may make. A program in C++ takes about a hundred, one in Python about
/// two thousand.
const READS: u32 = 16_000;
/// How many bytes it may read.
const BYTES: usize = 8 << 20;
/// How long it may take. That is far more than the reads need, even on a machine that is busy with
/// a hundred other things: it is there for a process that makes its memory slow to read, by mapping
/// and unmapping all the time.
pub(super) const TIME: Duration = Duration::from_secs(2);

/// Where the addresses of programs end on x86-64 with four levels of page tables, and five.
const ADDRESSES_END: u64 = 1 << 56;

/// Read access to the memory of a process, up to a budget.
///
/// All reads answer `None` if they cannot be had: the address is not mapped or not readable, the
/// process is gone, or the budget is spent.
pub(crate) struct Memory {
    process: Pid,
    reads: Cell<u32>,
    bytes: Cell<usize>,
    end: Instant,
}

impl Memory {
    /// The memory of a process that we may trace. Nothing is read yet.
    pub(crate) fn of(process: Pid) -> Memory {
        Memory::until(process, Instant::now() + TIME)
    }

    /// The same, up to this moment.
    pub(crate) fn until(process: Pid, end: Instant) -> Memory {
        Memory {
            process,
            reads: Cell::new(READS),
            bytes: Cell::new(BYTES),
            end,
        }
    }

    /// Whose memory this is.
    pub(crate) fn process(&self) -> Pid {
        self.process
    }

    /// Reads what can be read at `address`, at most the length of `buffer`; at least one byte.
    pub(crate) fn read(&self, address: u64, buffer: &mut [u8]) -> Option<usize> {
        let length = buffer.len();
        if length == 0 || address == 0 || address.checked_add(length as u64)? > ADDRESSES_END {
            return None;
        }
        let reads = self.reads.get().checked_sub(1)?;
        let Some(bytes) = self.bytes.get().checked_sub(length) else {
            self.bytes.set(0);
            return None;
        };
        if reads % 64 == 0 && Instant::now() >= self.end {
            self.reads.set(0);
            return None;
        }
        self.reads.set(reads);
        self.bytes.set(bytes);
        let read = sys::read_memory(self.process, address, buffer).ok()?;
        (read > 0).then_some(read.min(length))
    }

    /// Exactly `N` bytes.
    pub(crate) fn array<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        (self.read(address, &mut bytes)? == N).then_some(bytes)
    }

    /// Exactly `length` bytes. The caller bounds the length; beyond the budget it is refused
    /// before anything is set aside for it.
    pub(crate) fn bytes(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let length = usize::try_from(length).ok()?;
        if length > self.bytes.get() {
            return None;
        }
        let mut bytes = vec![0; length];
        (length == 0 || self.read(address, &mut bytes)? == length).then_some(bytes)
    }

    /// What can be read of `length` bytes; cut where the memory ends, empty if there is none.
    pub(crate) fn prefix(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length.min(self.bytes.get())];
        let read = self.read(address, &mut bytes).unwrap_or(0);
        bytes.truncate(read);
        bytes
    }

    /// A word, which may be a pointer.
    pub(crate) fn u64(&self, address: u64) -> Option<u64> {
        self.array(address).map(u64::from_le_bytes)
    }

    /// Half a word.
    pub(crate) fn u32(&self, address: u64) -> Option<u32> {
        self.array(address).map(u32::from_le_bytes)
    }

    /// A pointer that is not null.
    pub(crate) fn pointer(&self, address: u64) -> Option<u64> {
        self.u64(address).filter(|pointer| *pointer != 0)
    }

    /// A string up to its NUL, which must come within `cap` bytes.
    pub(crate) fn string(&self, address: u64, cap: usize) -> Option<Vec<u8>> {
        let mut bytes = self.prefix(address, cap);
        let end = bytes.iter().position(|byte| *byte == 0)?;
        bytes.truncate(end);
        Some(bytes)
    }
}

/// The word at an offset of bytes that were read before.
pub(crate) fn u64_in(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(8)?)?;
    word.try_into().ok().map(u64::from_le_bytes)
}

/// The half word at an offset of bytes that were read before.
pub(crate) fn u32_in(bytes: &[u8], at: usize) -> Option<u32> {
    let half = bytes.get(at..at.checked_add(4)?)?;
    half.try_into().ok().map(u32::from_le_bytes)
}

/// The quarter of a word at an offset of bytes that were read before.
pub(crate) fn u16_in(bytes: &[u8], at: usize) -> Option<u16> {
    let quarter = bytes.get(at..at.checked_add(2)?)?;
    quarter.try_into().ok().map(u16::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Our own memory serves as well as another's.
    fn own() -> Memory {
        Memory::of(std::process::id() as Pid)
    }

    fn address_of<T: ?Sized>(value: &T) -> u64 {
        std::ptr::from_ref(value).cast::<u8>().addr() as u64
    }

    #[test]
    fn what_is_there_is_read() {
        let memory = own();
        let words: [u64; 2] = [0x0102_0304_0506_0708, 0];
        let at = address_of(&words);
        assert_eq!(memory.u64(at), Some(words[0]));
        assert_eq!(memory.u32(at), Some(0x0506_0708));
        assert_eq!(memory.pointer(at), Some(words[0]));
        assert_eq!(memory.pointer(at + 8), None);
        assert_eq!(memory.array::<2>(at), Some([8, 7]));
        assert_eq!(memory.bytes(at, 3), Some(vec![8, 7, 6]));
        assert_eq!(memory.bytes(at, 0), Some(vec![]));
        let text = *b"held\0back";
        assert_eq!(memory.string(address_of(&text), 9), Some(b"held".to_vec()));
        assert_eq!(memory.string(address_of(&text), 4), None);
    }

    #[test]
    fn what_cannot_be_an_address_is_refused() {
        let memory = own();
        for address in [0, 1, 4095, ADDRESSES_END, u64::MAX - 3, u64::MAX] {
            assert_eq!(memory.u64(address), None, "{address:#x}");
            assert_eq!(memory.string(address, 64), None, "{address:#x}");
            assert_eq!(memory.bytes(address, 16), None, "{address:#x}");
        }
        let here = 1u8;
        assert_eq!(memory.bytes(address_of(&here), u64::MAX), None);
        assert_eq!(Memory::of(i32::MAX).u64(address_of(&here)), None);
    }

    #[test]
    fn the_budget_ends_everything() {
        let word = 5u64;
        let reads = own();
        let made = (0..).take_while(|_| reads.u64(address_of(&word)).is_some());
        assert_eq!(made.count(), READS as usize);

        let block = vec![1u8; 1 << 20];
        let bytes = own();
        let made = (0..).take_while(|_| bytes.bytes(address_of(&*block), 1 << 20).is_some());
        assert_eq!(made.count(), BYTES >> 20);
        assert_eq!(bytes.u64(address_of(&word)), None);
    }

    #[test]
    fn words_in_bytes() {
        let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 2];
        assert_eq!(u64_in(&bytes, 0), Some(1));
        assert_eq!(u64_in(&bytes, 2), None);
        assert_eq!(u32_in(&bytes, 5), Some(0x0200_0000));
        assert_eq!(u16_in(&bytes, 7), Some(0x0200));
        assert_eq!(u16_in(&bytes, usize::MAX), None);
    }
}
