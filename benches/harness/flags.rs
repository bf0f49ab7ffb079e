//! A benchmark's command line, and what becomes of it.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

/// What a benchmark may be told.
pub(crate) trait Flags: Sized {
    /// What `--help` prints.
    const USAGE: &str;

    /// Reads the words after the name of the program.
    fn parse(words: impl IntoIterator<Item = String>) -> Result<Self>;

    /// True if only the usage is wanted.
    fn help(&self) -> bool;
}

/// Runs a benchmark, which says whether what must hold does. The exit code is 0 if so, 1 if not or
/// if it failed, and 2 for a mistake in the flags.
pub(crate) fn run<F: Flags>(benchmark: impl FnOnce(&F) -> Result<bool>) -> ExitCode {
    let flags = match F::parse(std::env::args().skip(1)) {
        Ok(flags) => flags,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::from(2);
        }
    };
    if flags.help() {
        print!("{}", F::USAGE);
        return ExitCode::SUCCESS;
    }
    match benchmark(&flags) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("failed to measure: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The number that must follow a flag.
pub(crate) fn number(flag: &str, value: Option<String>, least: usize) -> Result<usize> {
    let value = value.with_context(|| format!("`{flag}` needs a number after it"))?;
    let number = value
        .parse()
        .with_context(|| format!("`{flag} {value}`: `{value}` is not a whole number"))?;
    if number < least {
        bail!("`{flag} {value}` is too small: give at least {least}");
    }
    Ok(number)
}
