//! CPU time: exceeded when the tree has used more; at the earliest when all its tasks run at once.

use std::time::Duration;

use super::{Sample, Watch};
use crate::evidence::{Excess, LimitKind, Quantity};

pub(super) struct Cpu(pub(super) Duration);

impl Watch for Cpu {
    fn check(&self, sample: &Sample) -> Option<Excess> {
        (sample.cpu > self.0).then_some(Excess {
            limit: LimitKind::Cpu,
            used: Quantity::Time(sample.cpu),
            allowed: Quantity::Time(self.0),
        })
    }

    fn earliest(&self, sample: &Sample) -> Option<Duration> {
        // A little more than the exact moment, so that the last stretch is not halved for ever.
        const MARGIN: Duration = Duration::from_micros(200);
        // A program that waits for a busy CPU just below its limit would be asked again and again,
        // and the kernel lets one that is woken so often keep it from running at all, for seconds.
        const LEAST: Duration = Duration::from_millis(2);
        let left = self.0.saturating_sub(sample.cpu) / sample.parallel.max(1);
        Some((left + MARGIN).max(LEAST))
    }
}
