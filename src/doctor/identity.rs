//! User ids of the programs' own.

use super::Finding;
use crate::sandbox::identity;
use crate::sandbox::slots::{FIRST_IDENTITY, IDENTITIES, Slot};
use crate::spec::layer::Layer;

pub(super) fn look() -> Finding {
    let layer = Layer::Identity;
    if let Some(reason) = identity::obstacle() {
        return Finding::no_layer(layer, reason);
    }
    match Slot::identity() {
        Ok(_locked) => {
            let last = u64::from(FIRST_IDENTITY) + IDENTITIES - 1;
            Finding::layer(
                layer,
                format!("one of {FIRST_IDENTITY} to {last} was locked"),
            )
        }
        Err(error) => Finding::no_layer(layer, error.to_string()),
    }
}
