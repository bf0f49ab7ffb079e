//! A memory cgroup.

use super::Finding;
use super::trial::Trials;
use crate::sandbox::memory_group::{MemoryGroup, Version};
use crate::spec::layer::Layer;

pub(super) fn look(trials: &Trials) -> Finding {
    let layer = Layer::Cgroup;
    let (group, _entrance) = match MemoryGroup::create(64 << 20) {
        Ok(made) => made,
        Err(reason) => return Finding::no_layer(layer, reason),
    };
    if let Some(reason) = trials.obstacle(layer) {
        return Finding::no_layer(layer, format!("a program cannot enter it: {reason}"));
    }
    let version = match group.version() {
        Version::V1 => 1,
        Version::V2 => 2,
    };
    let place = group
        .path()
        .parent()
        .unwrap_or(group.path())
        .display()
        .to_string();
    let finding = Finding::layer(layer, format!("version {version}, made in {place}"));
    match group.peak() {
        Some(_) => finding,
        None => finding.partly(
            "this kernel does not say how much memory was used at most, so reports have samples",
            "use Linux 5.19 or later",
        ),
    }
}
