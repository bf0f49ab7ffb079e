//! How long it takes to find a deadlock: `cargo bench --bench verdicts`.
//!
//! ```text
//! flags -> programs of each language -> runs, all in turns -> table, JSON, bounds
//! ```
//!
//! Each program asks three times, is answered, and then waits for an answer to nothing, while a tiny
//! interactor in C waits for a fourth question. How to read the table, and how the moments are found,
//! is in `docs/benchmarks.md`.

#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod subject;

use std::process::ExitCode;

use anyhow::Result;

use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
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
    let bench = Bench::new(folder.path())?;
    let rows = rows::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: bounds(&rows),
        machine,
        runs: options.repeat,
        rows,
    };
    print!("{}", report.table());
    let written = places::write_json("verdicts", &report)?;
    println!("\nwritten to {}", written.display());
    Ok(report.bounds.iter().all(Bound::holds))
}
