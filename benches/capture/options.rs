//! The benchmark's own flags.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Powers of two of the bytes that are printed through a buffer.
    pub(crate) buffered: Vec<u32>,
    /// Powers of two of the bytes that are written one by one.
    pub(crate) unbuffered: Vec<u32>,
    /// Measurements of each size, if there is time for so many.
    pub(crate) repeat: usize,
    /// A method that has taken this long at a size is measured as rarely as figures can bear.
    pub(crate) time_for_method: Duration,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures what each method of capturing a program's output costs.

usage: cargo bench --bench capture -- [FLAGS]

  --repeat N   how often each size is measured at most (default 15; slow methods less often)
  --quick      up to 4 MiB, 3 times, in about 10 seconds: to see that everything runs
  --check      exit with 1 when a figure is above its bound or could not be measured

Regular files are made in the temporary folder (TMPDIR), which should be on a disk.
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            buffered: (0..=26).collect(),
            unbuffered: (0..=20).step_by(2).collect(),
            repeat: 15,
            time_for_method: Duration::from_secs(5),
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
                    options.buffered = vec![0, 8, 16, 22];
                    options.unbuffered = vec![0, 8, 14];
                    options.repeat = 3;
                    options.time_for_method = Duration::from_secs(1);
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
