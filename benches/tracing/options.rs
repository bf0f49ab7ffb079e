//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Measurements of each row.
    pub(crate) repeat: usize,
    /// Pairs of starts.
    pub(crate) starts: usize,
    /// How much work each measurement does, in parts of a thousand.
    pub(crate) work: u64,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures what the sandbox costs a program, beside other ways to watch one.

usage: cargo bench --bench tracing -- [FLAGS]

  --repeat N   how often each row is measured (default 15)
  --quick      3 repetitions of a tenth of the work: to see that everything runs
  --check      exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            repeat: 15,
            starts: 100,
            work: 1000,
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
                "--quick" => {
                    options.repeat = 3;
                    options.starts = 15;
                    options.work = 100;
                }
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
