//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Rounds of a dialogue in each run.
    pub(crate) rounds: u64,
    /// Measurements of each row.
    pub(crate) repeat: usize,
    /// Pairs of whole runs for the start-up figure.
    pub(crate) starts: usize,
    /// Rounds of the run whose coordinator's memory is looked at.
    pub(crate) memory_rounds: u64,
    /// True if repetitions may be left out to stay within the time that a default run has.
    pub(crate) bounded: bool,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures what a round of a dialogue costs with and without rejoinder.

usage: cargo bench --bench roundtrip -- [FLAGS]

  --rounds N   rounds of a dialogue in each run (default 20000, at least 1000)
  --repeat N   how often each row is measured (default 9)
  --quick      3 repetitions of 4000 rounds: to see that everything runs
  --check      exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            rounds: 20_000,
            repeat: 9,
            starts: 100,
            memory_rounds: 1_000_000,
            bounded: true,
            check: false,
            help: false,
        };
        let (mut rounds, mut repeat) = (None, None);
        let mut args = args.into_iter();
        while let Some(flag) = args.next() {
            match flag.as_str() {
                // What `cargo bench` passes to every benchmark.
                "--bench" => {}
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                "--quick" => {
                    options.rounds = 4_000;
                    options.repeat = 3;
                    options.starts = 15;
                    options.memory_rounds = 50_000;
                }
                "--rounds" => rounds = Some(number(&flag, args.next(), 1_000)? as u64),
                "--repeat" => repeat = Some(number(&flag, args.next(), 1)?),
                _ => bail!("unknown flag `{flag}`\n\n{}", Self::USAGE),
            }
        }
        // Numbers that were asked for hold, whatever the order of the flags and the time it takes.
        options.bounded = rounds.is_none() && repeat.is_none();
        options.rounds = rounds.unwrap_or(options.rounds);
        options.repeat = repeat.unwrap_or(options.repeat);
        Ok(options)
    }

    fn help(&self) -> bool {
        self.help
    }
}
