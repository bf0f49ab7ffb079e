//! What being watched costs a program: `cargo bench --bench tracing`.
//!
//! ```text
//! flags -> programs compiled -> rows, each in turn with the bare program -> table, JSON, bounds
//! ```
//!
//! One static C program makes system calls in a loop, computes, or does nothing: bare, in the
//! sandbox by `rejoinder exec`, with a ptrace stop at every call, and under strace. All of it is on
//! one CPU, the watcher too. How to read the table is in `docs/benchmarks.md`.

#[path = "../harness/mod.rs"]
mod harness;
mod options;
mod report;
mod rows;
mod subject;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::harness::machine::Machine;
use crate::harness::{flags, places, process};
use crate::options::Options;
use crate::report::{Bound, Report, bounds};
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
    let rows = rows::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: bounds(&rows),
        machine,
        rows,
    };
    print!("{}", report.table());
    let written = places::write_json("tracing", &report)?;
    println!("\nwritten to {}", written.display());
    Ok(report.bounds.iter().all(Bound::holds))
}
