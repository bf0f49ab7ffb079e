//! A benchmark's command line, and what becomes of it.
//!
//! Every benchmark has the same three flags; what it adds to them and what it does by them is its
//! own to say.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser};

/// What a benchmark is to measure, as its command line has it.
pub(crate) trait Flags: Sized {
    /// The flags that only this benchmark has.
    type Own: Args;

    const NAME: &str;
    /// What it does, in a sentence.
    const ABOUT: &str;
    /// What is meant by `--repeat`, `--quick` and `--check`.
    const REPEAT: &str;
    const QUICK: &str;
    const CHECK: &str = "Exit with 1 when a figure is above its bound or could not be measured";
    /// What else there is to know.
    const NOTE: &str = "";

    /// What to do, if these flags are given.
    fn new(own: Self::Own, shared: &Shared) -> Self;
}

/// For a benchmark that has no flags of its own.
#[derive(Args)]
pub(crate) struct NoneOfItsOwn {}

/// The flags of every benchmark. [`Flags`] has the help, which differs.
#[derive(Args)]
pub(crate) struct Shared {
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    repeat: Option<u64>,
    #[arg(long)]
    quick: bool,
    #[arg(long)]
    check: bool,
}

impl Shared {
    /// How often to measure: as often as was asked for, or else by [`usual`](Self::usual).
    pub(crate) fn repeat(&self, otherwise: usize, if_quick: usize) -> usize {
        self.asked_to_repeat()
            .unwrap_or_else(|| self.usual(otherwise, if_quick))
    }

    pub(crate) fn asked_to_repeat(&self) -> Option<usize> {
        self.repeat.map(|number| number as usize)
    }

    /// What holds if nothing was asked for: one thing with `--quick`, another without.
    pub(crate) fn usual<T>(&self, otherwise: T, if_quick: T) -> T {
        if self.quick { if_quick } else { otherwise }
    }
}

#[derive(Parser)]
#[command(disable_help_flag = true, max_term_width = 100)]
struct CommandLine<Own: Args> {
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    shared: Shared,
    /// Print this help
    #[arg(short, long, action = ArgAction::HelpShort)]
    help: Option<bool>,
    // What `cargo bench` passes to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

impl<Own: Args> CommandLine<Own> {
    /// Reads the command line of this process. If it is wrong or asks for help, that is said and the
    /// process ends: with 2 or with 0.
    fn read<F: Flags<Own = Own>>() -> Self {
        let mut command = Self::command()
            .bin_name(format!("cargo bench --bench {} --", F::NAME))
            .about(F::ABOUT)
            .after_help(F::NOTE)
            .mut_arg("repeat", |arg| arg.help(F::REPEAT))
            .mut_arg("quick", |arg| arg.help(F::QUICK))
            .mut_arg("check", |arg| arg.help(F::CHECK));
        let read = command.try_get_matches_from_mut(std::env::args_os());
        read.and_then(|matches| Self::from_arg_matches(&matches))
            .unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// Runs a benchmark, which says whether what must hold does. The exit code is 0 if so or if that was
/// not to be checked, 1 if not or if the benchmark failed, and 2 for a mistake in the flags.
pub(crate) fn run<F: Flags>(benchmark: impl FnOnce(&F) -> Result<bool>) -> ExitCode {
    let CommandLine { own, shared, .. } = CommandLine::read::<F>();
    match benchmark(&F::new(own, &shared)) {
        Ok(holds) if holds || !shared.check => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("failed to measure: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a whole number in a range.
pub(crate) fn whole(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| match (range.start(), range.end()) {
                (least, &u64::MAX) => format!("give a whole number from {least} on"),
                (least, most) => format!("give a whole number from {least} to {most}"),
            })
    }
}
