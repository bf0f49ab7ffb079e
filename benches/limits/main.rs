//! How far a program gets beyond its limits: `cargo bench --bench limits`.
//!
//! ```text
//! flags -> a program that exceeds limits -> runs, all in turns -> table, JSON, plot, bounds
//! ```
//!
//! A program in C goes over one limit in each of several ways, on a machine that does nothing else
//! and beside processes that compute. How to read the table is in `docs/benchmarks.md`.

mod cases;
#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod subject;

use std::process::ExitCode;

use anyhow::Result;

use crate::cases::CASES;
use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::{flags, places, process};
use crate::options::Options;
use crate::report::Report;
use crate::subject::Bench;

fn main() -> ExitCode {
    flags::run(benchmark)
}

/// Measures and reports; false if a bound does not hold.
fn benchmark(options: &Options) -> Result<bool> {
    process::notice_interrupts()?;
    let machine = Machine::read()?;
    let folder = places::folder_for_everyone()?;
    let bench = Bench::new(folder.path(), machine.cpus.len())?;
    let isolation = bench.layers(&CASES[0])?;
    let mut rows = rows::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: rows.iter_mut().filter_map(|row| row.bound.take()).collect(),
        machine,
        user: report::user(),
        isolation,
        runs: options.repeat,
        rows,
    };
    print!("{}", report.table());
    let written = places::write_json("limits", &report)?;
    println!("\nwritten to {}", written.display());
    let written = places::write("limits.svg", &report.chart().svg())?;
    println!("written to {}", written.display());
    Ok(report.bounds.iter().all(Bound::holds))
}
