//! Landlock: its version, and a ruleset that is applied.

use super::Finding;
use super::trial::Trials;
use crate::sandbox::confine;
use crate::sandbox::view::Given;
use crate::spec::layer::Layer;
use crate::sys::{self, Deed};

/// The version with which signals and abstract sockets stay inside.
const SCOPES: i64 = 6;

pub(super) fn look(trials: &Trials) -> Finding {
    let layer = Layer::Landlock;
    if let Err(reason) = confine::within(&Given::default()) {
        return Finding::no_layer(layer, reason);
    }
    if let Err(error) = sys::try_in_child(0, Deed::RestrictFiles) {
        let reason = crate::error::reason(&error);
        return Finding::no_layer(layer, format!("cannot apply Landlock rules: {reason}"));
    }
    if let Some(reason) = trials.obstacle(layer) {
        return Finding::no_layer(layer, format!("a program cannot apply the rules: {reason}"));
    }
    let version = sys::landlock_version().unwrap_or(0);
    let finding = Finding::layer(layer, format!("version {version}, applied to a process"));
    match version {
        SCOPES.. => finding,
        _ => finding.partly(
            "where there are no namespaces, signals are bounded by the tracer alone",
            "use Linux 6.12 or later",
        ),
    }
}
