//! Real time: the sum of the participant's own turns.

use std::time::Duration;

use super::{Sample, Watch};
use crate::evidence::{Excess, LimitKind, Quantity};

pub(super) struct Wall(pub(super) Duration);

impl Watch for Wall {
    fn check(&self, sample: &Sample) -> Option<Excess> {
        (sample.turn > self.0).then_some(Excess {
            limit: LimitKind::Wall,
            used: Quantity::Time(sample.turn),
            allowed: Quantity::Time(self.0),
        })
    }

    fn earliest(&self, sample: &Sample) -> Option<Duration> {
        let left = self.0.saturating_sub(sample.turn) + Duration::from_micros(200);
        sample.acting.then_some(left)
    }
}
