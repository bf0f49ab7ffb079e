//! Which sorts live with less memory than their data has: `cargo bench --bench memory`.
//!
//! ```text
//! flags -> sorts compiled -> sizes: a file of numbers, all sorts under all limits in turns
//!       -> tables, JSON, a plot, expectations
//! ```
//!
//! Seven sorts in C of a file of 32-bit integers, each with no limit and under three kinds of limit:
//! of what malloc gives (a library of the benchmark's own), of address space and of resident memory
//! (rejoinder's). How to read the tables is in `docs/benchmarks.md`.

mod cells;
mod data;
#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod sorts;
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

/// Measures and reports; false if expectations do not hold.
fn benchmark(options: &Options) -> Result<bool> {
    process::notice_interrupts()?;
    let machine = Machine::read()?;
    // Removed with everything in it when it is dropped, also after an error or an interruption.
    let folder = places::folder_for_everyone()?;
    let bench = Bench::new(folder.path())?;
    let sizes = cells::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        machine,
        load_at_end: loads(),
        file_system: places::file_system(folder.path()),
        footprint: bench.footprint,
        bounds: bounds(&sizes),
        sizes,
    };
    print!("{}", report.table());
    println!();
    for written in report.write()? {
        println!("written to {}", written.display());
    }
    Ok(report.bounds.iter().all(Bound::holds))
}
