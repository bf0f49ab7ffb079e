//! What being watched costs a program: `cargo bench --bench tracing`.
//!
//! ```text
//! flags -> programs compiled -> rows, each in turn with the bare program -> table, JSON, bounds
//! ```
//!
//! One static C program makes system calls in a loop, computes, or does nothing: bare, in the
//! sandbox by `rejoinder exec`, with a ptrace stop at every call, and under strace. All of it is on
//! one CPU, the watcher too. How to read the table is in `docs/benchmarks.md`.

#[path = "../roundtrip/machine.rs"]
mod machine;
mod options;
#[expect(dead_code, reason = "shared with the other benchmark")]
#[path = "../roundtrip/process.rs"]
mod process;
mod report;
mod rows;
#[path = "../roundtrip/statistics.rs"]
mod statistics;
mod subject;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::machine::Machine;
use crate::options::{Options, USAGE};
use crate::report::{Bound, Report, bounds};
use crate::subject::Bench;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match benchmark(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("failed to measure: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and reports; false if a bound was to be checked and does not hold.
fn benchmark(options: &Options) -> Result<bool> {
    process::notice_interrupts()?;
    let machine = Machine::read()?;
    let cpu = *machine
        .cpus
        .first()
        .context("this process may run on no CPU")?;
    let folder = tempfile::tempdir().context("failed to make a temporary folder")?;
    // The unprivileged users of the sandbox must be able to look into it.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
        .context("failed to open the temporary folder to everyone")?;
    let bench = Bench::new(folder.path(), cpu)?;
    let rows = rows::measure(&bench, options)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        bounds: bounds(&rows),
        machine,
        rows,
    };
    print!("{}", report.table());
    let written = write_json(&report)?;
    println!("\nwritten to {}", written.display());
    Ok(!options.check || report.bounds.iter().all(Bound::holds))
}

/// Writes `bench/tracing.json` into cargo's target folder.
fn write_json(report: &Report) -> Result<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .context("cargo's temporary folder has no parent")?;
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("failed to make {}", folder.display()))?;
    let path = folder.join("tracing.json");
    let text = serde_json::to_string_pretty(report).context("failed to form the JSON report")?;
    std::fs::write(&path, text + "\n")
        .with_context(|| format!("failed to write {}", path.display()))?;
    Ok(path)
}
