//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Pairs of starts for each row.
    pub(crate) repeat: usize,
    /// Pairs of stretches in which sessions are counted.
    pub(crate) stretches: usize,
    /// Sessions in each of them.
    pub(crate) sessions: usize,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures what it costs to start programs in the sandbox and to end them, and what each layer costs.

usage: cargo bench --bench startup -- [FLAGS]

  --repeat N   how often each row is measured (default 100)
  --quick      5 repetitions and few sessions: to see that everything runs
  --check      exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            repeat: 100,
            stretches: 15,
            sessions: 60,
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
                    options.repeat = 5;
                    options.stretches = 2;
                    options.sessions = 10;
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
