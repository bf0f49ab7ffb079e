//! The address-space limit: what a call would add is reckoned before the kernel does it.
//!
//! It is the kernel that refuses, by RLIMIT_AS, and answers as it always does; but nobody would hear
//! of it, or of how much was asked for. The reckoning here is the kernel's: the pages of all mappings
//! of a process, used or not, as in `/proc/PID/statm`.

use crate::evidence::RefusedMemory;
use crate::sandbox::proc;
use crate::sys::{self, Pid};

/// Bytes that a granted call adds, as far as that was worth finding out, or what the kernel is about
/// to refuse.
pub(super) fn weigh(
    pid: Pid,
    call: u64,
    args: &[u64; 6],
    allowed: u64,
) -> Result<u64, RefusedMemory> {
    match in_use(pid) {
        Some(in_use) => weigh_beside(in_use, pid, call, args, allowed),
        // It has vanished, and its call with it.
        None => Ok(0),
    }
}

fn weigh_beside(
    in_use: u64,
    pid: Pid,
    call: u64,
    args: &[u64; 6],
    allowed: u64,
) -> Result<u64, RefusedMemory> {
    let room = allowed.saturating_sub(in_use);
    let asked = match call as libc::c_long {
        libc::SYS_mmap => mapping(pid, args, room),
        libc::SYS_mremap => resizing(args),
        _ => heap(pid, args[0], room),
    };
    match asked <= room {
        true => Ok(asked),
        false => Err(RefusedMemory {
            asked,
            in_use,
            allowed,
        }),
    }
}

fn mapping(pid: Pid, args: &[u64; 6], room: u64) -> u64 {
    let (address, flags) = (args[0], args[3] as i32);
    let length = in_pages(args[1]);
    // What lies there already is replaced. It is looked at only if it matters.
    let replaces = flags & (libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE) == libc::MAP_FIXED;
    let replaced = match replaces && length > room {
        true => mapped_between(pid, address, address.saturating_add(length)),
        false => 0,
    };
    length.saturating_sub(replaced)
}

fn resizing(args: &[u64; 6]) -> u64 {
    let (old, new) = (in_pages(args[1]), in_pages(args[2]));
    let keeps_old = args[3] as i32 & libc::MREMAP_DONTUNMAP != 0;
    match keeps_old {
        true => new,
        false => new.saturating_sub(old),
    }
}

/// `brk` takes the new end of the heap.
fn heap(pid: Pid, end: u64, room: u64) -> u64 {
    let Some(begin) = heap_begin(pid).filter(|begin| end > *begin) else {
        return 0;
    };
    if in_pages(end - begin) <= room {
        // However much of it is there already: the rest fits.
        return 0;
    }
    let present = heap_end(pid).unwrap_or(begin);
    in_pages(end).saturating_sub(in_pages(present))
}

/// Rounded up to whole pages.
fn in_pages(bytes: u64) -> u64 {
    bytes
        .checked_next_multiple_of(sys::page_size())
        .unwrap_or(u64::MAX)
}

/// Bytes of all mappings of a process.
fn in_use(pid: Pid) -> Option<u64> {
    let text = proc::text(pid, "statm")?;
    let pages: u64 = text.split(' ').next()?.parse().ok()?;
    pages.checked_mul(sys::page_size())
}

/// Where the heap of a process begins (proc(5), `start_brk`).
fn heap_begin(pid: Pid) -> Option<u64> {
    let text = proc::text(pid, "stat")?;
    proc::stat_field(&text, 47)?.parse().ok()
}

/// Where the heap of a process ends, in whole pages.
fn heap_end(pid: Pid) -> Option<u64> {
    let maps = proc::text(pid, "maps")?;
    let heap = maps.lines().filter(|line| line.ends_with("[heap]"));
    heap.filter_map(range).map(|(_, end)| end).max()
}

/// Mapped bytes between two addresses.
fn mapped_between(pid: Pid, from: u64, to: u64) -> u64 {
    let maps = proc::text(pid, "maps").unwrap_or_default();
    let overlap = |(begin, end): (u64, u64)| end.min(to).saturating_sub(begin.max(from));
    maps.lines().filter_map(range).map(overlap).sum()
}

/// The addresses of a line of `/proc/PID/maps`.
fn range(line: &str) -> Option<(u64, u64)> {
    let (begin, rest) = line.split_once('-')?;
    let end = rest.split(' ').next()?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some((number(begin)?, number(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    static HERE: u8 = 0;

    fn us() -> Pid {
        std::process::id() as Pid
    }

    /// What is in use is held still: other tests in this process map and unmap meanwhile.
    fn weigh_ours(call: libc::c_long, args: [u64; 6], room: u64) -> Result<u64, RefusedMemory> {
        let in_use = in_use(us()).expect("our own figure");
        weigh_beside(in_use, us(), call as u64, &args, in_use + room)
    }

    #[test]
    fn a_mapping_is_weighed_in_whole_pages() {
        const ROOM: u64 = 64 << 20;
        let map = |length| weigh_ours(libc::SYS_mmap, [0, length, 0, 0, 0, 0], ROOM);
        assert_eq!(map(1).ok(), Some(sys::page_size()));
        let beyond = map(2 * ROOM).expect_err("more than there is room for");
        assert_eq!(beyond.asked, 2 * ROOM);
        assert!(map(u64::MAX).is_err());
    }

    #[test]
    fn what_replaces_a_mapping_adds_nothing() {
        let here = (&raw const HERE) as u64 & !(sys::page_size() - 1);
        let flags = libc::MAP_FIXED as u64;
        let map = |flags| weigh_ours(libc::SYS_mmap, [here, 1, 0, flags, 0, 0], 0);
        assert_eq!(map(flags).ok(), Some(0));
        assert!(map(0).is_err());
    }

    #[test]
    fn a_mapping_that_shrinks_adds_nothing() {
        let resize = |old, new, flags| {
            weigh_ours(libc::SYS_mremap, [0, old, new, flags, 0, 0], 1 << 20).ok()
        };
        assert_eq!(resize(8 << 20, 4 << 20, 0), Some(0));
        assert_eq!(resize(8 << 20, 9 << 20, 0), Some(1 << 20));
        assert_eq!(resize(8 << 20, 16 << 20, 0), None);
        let keeps_old = libc::MREMAP_DONTUNMAP as u64;
        assert_eq!(resize(8 << 20, 8 << 20, keeps_old), None);
    }

    #[test]
    fn a_heap_may_grow_as_far_as_there_is_room() {
        let begin = heap_begin(us()).expect("a heap");
        let end = heap_end(us()).unwrap_or(begin);
        let brk = |to| weigh_ours(libc::SYS_brk, [to, 0, 0, 0, 0, 0], 1 << 20);
        assert_eq!(brk(0).ok(), Some(0));
        let beyond = brk(end + (64 << 20)).expect_err("more than there is room for");
        // Other threads of this test may have made the heap grow since.
        assert!(beyond.asked <= 64 << 20);
    }
}
