//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Runs of each program.
    pub(crate) repeat: usize,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures how long it takes from a deadlock to its discovery, and to the end of the run.

usage: cargo bench --bench verdicts -- [FLAGS]

  --repeat N   how often each program is run (default 100)
  --quick      5 runs: to see that everything runs (in about half a minute)
  --check      exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            repeat: 100,
            check: false,
            help: false,
        };
        let mut repeat = None;
        let mut args = args.into_iter();
        while let Some(flag) = args.next() {
            match flag.as_str() {
                // What `cargo bench` passes to every benchmark.
                "--bench" => {}
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                "--quick" => options.repeat = 5,
                "--repeat" => repeat = Some(number(&flag, args.next(), 1)?),
                _ => bail!("unknown flag `{flag}`\n\n{}", Self::USAGE),
            }
        }
        options.repeat = repeat.unwrap_or(options.repeat);
        Ok(options)
    }

    fn help(&self) -> bool {
        self.help
    }
}
