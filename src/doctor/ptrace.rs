//! The right to trace.

use std::fs;

use super::Finding;
use crate::sandbox::tracer;
use crate::spec::layer::Layer;
use crate::sys::{self, Deed};

pub(super) fn look() -> Finding {
    let layer = Layer::Ptrace;
    let yama = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let yama = yama.map_or(String::new(), |scope| {
        format!(" (kernel.yama.ptrace_scope is {})", scope.trim())
    });
    match sys::try_in_child(0, Deed::BeTraced(tracer::OPTIONS)) {
        Ok(()) => Finding::layer(layer, format!("a process was traced{yama}")),
        Err(error) => {
            let reason = crate::error::reason(&error);
            Finding::no_layer(layer, format!("cannot trace a process: {reason}{yama}"))
        }
    }
    .needed()
}
