//! Idleness: on its own turn, neither computing nor asking for input, without interruption.

use std::time::Duration;

use super::{Sample, Watch};
use crate::evidence::{Excess, LimitKind, Quantity};

pub(super) struct Idle(pub(super) Duration);

impl Watch for Idle {
    fn check(&self, sample: &Sample) -> Option<Excess> {
        (sample.rest > self.0).then_some(Excess {
            limit: LimitKind::Idle,
            used: Quantity::Time(sample.rest),
            allowed: Quantity::Time(self.0),
        })
    }

    fn earliest(&self, sample: &Sample) -> Option<Duration> {
        // Rest is only found by looking, and the looks go on by themselves.
        let left = self.0.saturating_sub(sample.rest) + Duration::from_micros(200);
        (sample.rest > Duration::ZERO).then_some(left)
    }
}
