//! The command line: one file a command, each with its flags and what it does.

mod flags;
mod run;
mod show;

use clap::{Parser, Subcommand};

use crate::error::Result;

/// Runs a contestant against an interactor, each in a sandbox, and judges the dialogue.
#[derive(Debug, Parser)]
#[command(name = "rejoinder", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::Run>),
    Show(show::Show),
}

impl Cli {
    /// Does what the command line says; the exit status of the process.
    ///
    /// # Errors
    /// What could not be done at all; [`Error::exit_status`](crate::error::Error::exit_status)
    /// says with which status to end.
    pub fn execute(self) -> Result<u8> {
        match self.command {
            Command::Run(run) => run.execute(),
            Command::Show(show) => show.execute(),
        }
    }
}

/// Writes to standard output. That its reader has gone (`| head -1`) is no failure.
fn print(text: &str) -> Result<()> {
    use std::io::Write;

    use crate::error::Context;
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context(|| "write to standard output".into()),
    }
}

/// The width to lay text out for: the terminal's, or 80 columns.
fn width() -> usize {
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(80).clamp(40, 160)
}
