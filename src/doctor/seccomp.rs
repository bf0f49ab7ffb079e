//! The system call filter.

use super::Finding;
use crate::spec::layer::Layer;
use crate::sys::{self, Deed};

pub(super) fn look() -> Finding {
    let layer = Layer::Seccomp;
    match sys::try_in_child(0, Deed::LoadFilter) {
        Ok(()) => Finding::layer(layer, "a filter was loaded"),
        Err(error) => {
            let reason = crate::error::reason(&error);
            Finding::no_layer(layer, format!("cannot load a filter: {reason}"))
        }
    }
    .needed()
}
