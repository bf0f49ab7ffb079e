//! How fast much output goes from one program to the other: `cargo bench --bench throughput`.
//!
//! ```text
//! flags -> flood.c compiled -> rows, each in turn with bare pipes -> table, JSON, plot, bounds
//! ```
//!
//! One C program writes as fast as it can, another reads; or both do both at once. Over bare pipes,
//! and under `rejoinder run` on each of its channels, on the same CPUs. How to read the table is in
//! `docs/benchmarks.md`.

mod flows;
#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod subject;

use std::process::ExitCode;

use anyhow::Result;

use crate::harness::bounds::Bound;
use crate::harness::machine::{Machine, loads};
use crate::harness::{flags, places, process};
use crate::options::Options;
use crate::report::{Report, bounds};
use crate::subject::Bench;

fn main() -> ExitCode {
    flags::run(benchmark)
}

/// Measures and reports; false if a bound does not hold.
fn benchmark(options: &Options) -> Result<bool> {
    process::notice_interrupts()?;
    let machine = Machine::read()?;
    let folder = places::folder_for_everyone()?;
    let bench = Bench::new(folder.path(), &machine.cpus, options.size)?;
    let rows = rows::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        machine,
        load_at_end: loads(),
        size: options.size,
        bounds: bounds(&rows),
        rows,
    };
    print!("{}", report.table());
    println!();
    for written in report.write()? {
        println!("written to {}", written.display());
    }
    Ok(report.bounds.iter().all(Bound::holds))
}
