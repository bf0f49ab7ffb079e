//! What each method of capturing a program's output costs: `cargo bench --bench capture`.
//!
//! ```text
//! flags -> program compiled -> sizes, all methods in turns at each -> tables, JSON, plots, bounds
//! ```
//!
//! One C++ program reads a number and prints as many one-byte zeros, as untuned programs do. It is
//! run by `rejoinder exec --capture METHOD` with each method, and without a sandbox. How to read
//! the tables is in `docs/benchmarks.md`.

#[path = "../harness/mod.rs"]
mod harness;
mod methods;
mod options;
mod report;
mod sizes;
mod subject;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::harness::bounds::Bound;
use crate::harness::machine::{Machine, loads};
use crate::harness::{flags, places, process};
use crate::options::Options;
use crate::report::{Report, bounds, writes};
use crate::subject::Bench;

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
    let bench = Bench::new(folder.path(), cpu)?;
    let sizes = sizes::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        machine,
        load_at_end: loads(),
        file_system: places::file_system(folder.path()),
        writes: writes(&sizes),
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
