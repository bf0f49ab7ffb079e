//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Bytes that go each way.
    pub(crate) size: u64,
    /// Measurements of each row.
    pub(crate) repeat: usize,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures how long much output takes from one program to the other, with and without rejoinder.

usage: cargo bench --bench throughput -- [FLAGS]

  --size MIB   MiB that go each way (default 64)
  --repeat N   how often each row is measured (default 11)
  --quick      3 repetitions of 8 MiB: to see that everything runs
  --check      exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            size: 64 << 20,
            repeat: 11,
            check: false,
            help: false,
        };
        let (mut size, mut repeat) = (None, None);
        let mut args = args.into_iter();
        while let Some(flag) = args.next() {
            match flag.as_str() {
                // What `cargo bench` passes to every benchmark.
                "--bench" => {}
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                "--quick" => {
                    options.size = 8 << 20;
                    options.repeat = 3;
                }
                "--size" => size = Some(mebibytes(&flag, args.next())?),
                "--repeat" => repeat = Some(number(&flag, args.next(), 1)?),
                _ => bail!("unknown flag `{flag}`\n\n{}", Self::USAGE),
            }
        }
        // Numbers that were asked for hold, whatever the order of the flags.
        options.size = size.unwrap_or(options.size);
        options.repeat = repeat.unwrap_or(options.repeat);
        Ok(options)
    }

    fn help(&self) -> bool {
        self.help
    }
}

/// The most that can be asked for: on `tmpfs` all of it may lie in memory.
const MOST_MIB: usize = 1024;

fn mebibytes(flag: &str, value: Option<String>) -> Result<u64> {
    let mib = number(flag, value, 1)?;
    if mib > MOST_MIB {
        bail!("`{flag} {mib}` is too large: give at most {MOST_MIB}");
    }
    Ok((mib as u64) << 20)
}
