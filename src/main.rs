//! The program: parse, run, exit status.

use std::process::ExitCode;

use rejoinder::cli::{self, Cli};

fn main() -> ExitCode {
    let done = Cli::read(std::env::args_os()).and_then(|cli| cli.map_or(Ok(0), Cli::execute));
    ExitCode::from(done.unwrap_or_else(|error| {
        cli::complain(&error.to_string());
        error.exit_status()
    }))
}
