//! What a message costs on each way from one program to another: `cargo bench --bench ipc`.
//!
//! ```text
//! flags -> talk/*.c compiled -> cells in turns: channel, parties, CPUs -> tables, JSON, plot, bounds
//! ```
//!
//! A writer sends messages of one size to a reader, one at a time and in order, between two
//! processes and between two threads, on one CPU and on two. One of the channels is a file in
//! memory watched by inotify, as a session's is. How to read the tables is in `docs/benchmarks.md`.

mod cells;
#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod subject;
mod ways;

use std::process::ExitCode;

use anyhow::Result;

use crate::harness::bounds::Bound;
use crate::harness::machine::{Machine, loads};
use crate::harness::{flags, process};
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
    let folder = tempfile::tempdir()?;
    let bench = Bench::new(folder.path(), &machine.cpus)?;
    let cells = cells::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        machine,
        load_at_end: loads(),
        bounds: bounds(&cells),
        cells,
    };
    print!("{}", report.table());
    println!();
    for written in report.write()? {
        println!("written to {}", written.display());
    }
    Ok(report.bounds.iter().all(Bound::holds))
}
