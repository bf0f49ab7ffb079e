//! What a round of a dialogue costs: `cargo bench --bench roundtrip`.
//!
//! ```text
//! flags -> peers compiled -> rows, each in turn with the reference -> table, JSON, bounds
//! ```
//!
//! Two small C programs play ping-pong, once connected by nothing but a pipe in each direction and
//! once by `rejoinder run`. Absolute times drift with the machine, so every figure is taken right
//! beside the reference and compared with it; what is stated is the median of such ratios. How to
//! read the table is in `docs/benchmarks.md`.
//!
//! Not built on a benchmarking library, because what is measured here is processes: their start,
//! their place, their CPU time and their memory as the kernel counts them.

mod bare;
#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod run;
mod tool;
mod whole;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::{compile, flags, places, process};
use crate::options::Options;
use crate::report::{Report, bounds};
use crate::rows::LOGGED;
use crate::tool::{Setting, Tool};

fn main() -> ExitCode {
    flags::run(benchmark)
}

/// Measures and reports; false if a bound does not hold.
fn benchmark(options: &Options) -> Result<bool> {
    process::notice_interrupts()?;
    let machine = Machine::read()?;
    let cpu = *machine
        .cpus
        .first()
        .context("this process may run on no CPU")?;
    let folder = places::folder_for_everyone()?;
    let tool = Tool {
        binary: env!("CARGO_BIN_EXE_rejoinder").into(),
        peer: compile::c(folder.path(), "peer", include_str!("peer.c"), &[])?,
        folder: folder.path().to_owned(),
    };

    // One round in the default setting shows whether there is something to measure.
    let trial = Setting {
        channel: "tmpfs",
        transcript: true,
        cpus: Some(cpu),
    };
    let unavailable = tool.play(trial, 1).err().map(|error| format!("{error:#}"));
    process::check_interrupt()?;

    let rows = rows::measure(&tool, unavailable.as_deref(), options, &machine.cpus)?;
    let whole = |error: anyhow::Error| format!("{error:#}");
    let (startup, memory) = match unavailable {
        Some(why) => (Err(why.clone()), Err(why)),
        None => {
            let startup = whole::startup(&tool, cpu, options.starts).map_err(whole);
            let round_us = rows
                .iter()
                .find(|row| row.key == LOGGED)
                .and_then(|row| row.round_us)
                .filter(|_| options.bounded)
                .map(|spread| spread.median);
            let memory = whole::memory(&tool, cpu, options.memory_rounds, round_us).map_err(whole);
            (startup, memory)
        }
    };
    process::check_interrupt()?;

    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: bounds(&rows, startup.as_ref().ok(), memory.as_ref().ok()),
        machine,
        rows,
        startup,
        memory,
    };
    print!("{}", report.table());
    let written = places::write_json("roundtrip", &report)?;
    println!("\nwritten to {}", written.display());
    Ok(report.bounds.iter().all(Bound::holds))
}
