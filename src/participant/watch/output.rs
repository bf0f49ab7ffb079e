//! Bytes of output. Every write is heard of, so there is nothing to wait for.

use std::time::Duration;

use super::{Sample, Watch};
use crate::evidence::{Excess, LimitKind, Quantity};

pub(super) struct Output(pub(super) u64);

impl Watch for Output {
    fn check(&self, sample: &Sample) -> Option<Excess> {
        (sample.output > self.0).then_some(Excess {
            limit: LimitKind::Output,
            used: Quantity::Bytes(sample.output),
            allowed: Quantity::Bytes(self.0),
        })
    }

    fn earliest(&self, _sample: &Sample) -> Option<Duration> {
        None
    }
}
