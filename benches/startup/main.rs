//! What starting costs: `cargo bench --bench startup`.
//!
//! ```text
//! flags -> tiny programs -> rows in pairs, sessions counted -> table, JSON, plot, bounds
//! ```
//!
//! The programs do nothing, or ask and answer once, so that everything is start and end: bare, in
//! the sandbox, and in a sandbox with a layer more or less. How to read the table is in
//! `docs/benchmarks.md`.

#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod sessions;
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
    let bench = Bench::new(folder.path(), &machine.cpus)?;
    let rows = rows::measure(&bench, options)?;
    let sessions = sessions::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: bounds(&rows),
        machine,
        rows,
        sessions,
    };
    print!("{}", report.table());
    let written = places::write_json("startup", &report)?;
    println!("\nwritten to {}", written.display());
    let written = places::write("startup.svg", &report.chart().svg())?;
    println!("written to {}", written.display());
    Ok(report.bounds.iter().all(Bound::holds))
}
