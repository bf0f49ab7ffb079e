//! The program: parse, run, exit status.

use std::process::ExitCode;

use clap::Parser;
use rejoinder::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().execute() {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            anstream::eprintln!("rejoinder: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
