//! What the benchmarks have in common: flags, programs, processes, CPUs, figures, bounds, plots, and where
//! results go.
//!
//! Each benchmark takes this folder in with `#[path = "../harness/mod.rs"] mod harness;`. Nothing
//! here knows what is measured.

#![allow(dead_code, reason = "each benchmark uses a part of it")]

pub(crate) mod alone;
pub(crate) mod bars;
pub(crate) mod bounds;
pub(crate) mod compile;
pub(crate) mod cpus;
pub(crate) mod dialogue;
pub(crate) mod flags;
pub(crate) mod grouped_bars;
pub(crate) mod machine;
pub(crate) mod places;
pub(crate) mod plot;
pub(crate) mod process;
pub(crate) mod statistics;
mod svg;
pub(crate) mod turns;
