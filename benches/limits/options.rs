//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::cases::Beside;
use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Runs of each row.
    pub(crate) repeat: usize,
    /// With which other work on the machine.
    pub(crate) beside: &'static [Beside],
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures how far a program gets beyond a limit before it is stopped.

usage: cargo bench --bench limits -- [FLAGS]

  --machine WHICH   `idle`, `loaded` (with two busy processes for each CPU) or `both` (default)
  --repeat N        how often each row is run (default 100)
  --quick           5 runs: to see that everything runs
  --check           exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            repeat: 100,
            beside: &Beside::ALL,
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
                "--machine" => {
                    let value = args.next().unwrap_or_default();
                    options.beside = match value.as_str() {
                        "both" => &Beside::ALL,
                        "idle" => &[Beside::Idle],
                        "loaded" => &[Beside::Loaded],
                        "" => bail!("`--machine` needs `idle`, `loaded` or `both` after it"),
                        _ => bail!("`--machine {value}`: give `idle`, `loaded` or `both`"),
                    };
                }
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
