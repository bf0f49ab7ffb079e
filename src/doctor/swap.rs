//! Swap, by which a program can have more memory than it may.

use std::fs;

use super::{Finding, Kind};
use crate::sandbox::memory_group::MemoryGroup;

pub(super) fn look() -> Finding {
    let name = "swap";
    let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
    let swaps = swaps.lines().skip(1).count();
    let counted = MemoryGroup::create(64 << 20).is_ok_and(|(group, _)| group.counts_swap());
    match (swaps, counted) {
        (0, _) => Finding::yes(name, Kind::Measure, "this machine does not swap"),
        (_, true) => Finding::yes(name, Kind::Measure, "swapped memory is counted"),
        (_, false) => Finding::yes(name, Kind::Measure, "swapped memory is not counted").partly(
            "a program can have more memory than its limit, and run slower for it",
            "run `swapoff -a` as root, or with cgroups of version 1 start the kernel with \
             `swapaccount=1`",
        ),
    }
}
