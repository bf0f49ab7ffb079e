//! What lasts over all passes of a run: CPU, identities, the interactor's folder, and the record.

use super::record::Record;
use super::scratch::Scratch;
use crate::error::Result;
use crate::sandbox::cpus::{self, Chosen};
use crate::sandbox::identity;
use crate::sandbox::slots::Slot;
use crate::spec::plan::Plan;

/// What a run has to itself from its first pass to its last. The identities stay, because what the
/// interactor left in its folder belongs to it.
pub(super) struct Ground {
    pub(super) cpu: Chosen,
    pub(super) identities: Vec<Slot>,
    pub(super) scratch: Scratch,
    pub(super) record: Record,
}

impl Ground {
    pub(super) fn of(plan: &Plan) -> Result<Ground> {
        Ok(Ground {
            cpu: cpus::choose(&plan.cpus)?,
            identities: identity::take(2)?,
            scratch: Scratch::new(plan.interactor.protocol)?,
            record: Record::new(plan)?,
        })
    }
}
