//! The command line: one file a command, each with its flags and what it does.

mod doctor;
mod exec;
mod flags;
mod judge;
mod listing;
mod matrix_output;
mod new;
mod run;
mod show;
mod test;
mod told;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgAction, Parser, Subcommand};

use crate::error::{Error, Result};
use crate::spec::problem::Problem;

/// Runs a contestant against an interactor, each in a sandbox, and judges the dialogue.
#[derive(Debug, Parser)]
#[command(name = "rejoinder", version, about, max_term_width = 100)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
pub struct Cli {
    /// Print this help
    // There is one help, the short form: clap's long one takes four lines for each flag.
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::Run>),
    Exec(Box<exec::Exec>),
    Test(Box<test::Test>),
    New(new::New),
    Judge(judge::Judge),
    Show(show::Show),
    Doctor(doctor::Doctor),
}

impl Cli {
    /// Reads a command line, the program's name first. `None` if it asked for help or the version,
    /// which was then printed.
    ///
    /// # Errors
    /// What is wrong with it, or that the help could not be printed.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Option<Cli>> {
        let error = match Cli::try_parse_from(words) {
            Ok(cli) => return Ok(Some(cli)),
            Err(error) => error,
        };
        let text = error.render();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                print(&text.ansi().to_string()).map(|()| None)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Err(Error::usage(format!("say what to do\n\n{text}").trim_end()))
            }
            _ => {
                let text = text.to_string();
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                Err(Error::usage(text.trim_end()))
            }
        }
    }

    /// Does what the command line says; the exit status of the process.
    ///
    /// # Errors
    /// What could not be done at all; [`Error::exit_status`](crate::error::Error::exit_status)
    /// says with which status to end.
    pub fn execute(self) -> Result<u8> {
        // A file that may not grow any more (`ulimit -f`) is an error to report, not our end.
        crate::sys::ignore(libc::SIGXFSZ);
        match self.command {
            Command::Run(run) => run.execute(),
            Command::Exec(exec) => exec.execute(),
            Command::Test(test) => test.execute(),
            Command::New(new) => new.execute(),
            Command::Judge(judge) => judge.execute(),
            Command::Show(show) => show.execute(),
            Command::Doctor(doctor) => doctor.execute(),
        }
    }
}

/// Says on standard error what is wrong. Where that cannot be written either, the exit status has to
/// do.
pub fn complain(text: &str) {
    use std::io::Write;

    let _ = writeln!(anstream::stderr(), "rejoinder: {text}");
}

/// Says what a package asks for and does not get.
fn warn(problem: &Problem) {
    for sentence in &problem.left_out {
        complain(&format!("warning: {sentence}"));
    }
}

/// Writes to standard error. Where that cannot be, the exit status has to do.
fn tell(text: &str) {
    use std::io::Write;

    let _ = write!(anstream::stderr(), "{text}");
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
