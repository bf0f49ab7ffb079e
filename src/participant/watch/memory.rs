//! Resident memory of the whole tree.

use std::time::Duration;

use super::{Sample, Watch};
use crate::evidence::{Excess, LimitKind, Quantity};

pub(super) struct Memory(pub(super) u64);

impl Watch for Memory {
    fn check(&self, sample: &Sample) -> Option<Excess> {
        (sample.memory > self.0).then_some(Excess {
            limit: LimitKind::Memory,
            used: Quantity::Bytes(sample.memory),
            allowed: Quantity::Bytes(self.0),
        })
    }

    fn earliest(&self, sample: &Sample) -> Option<Duration> {
        // Without a cgroup the memory has to be looked at again and again: the kernel hands out
        // about a megabyte in this time.
        const LOOK: Duration = Duration::from_millis(5);
        (!sample.memory_is_held && sample.acting).then_some(LOOK)
    }
}
