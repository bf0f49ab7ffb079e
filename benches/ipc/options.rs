//! The benchmark's own flags.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    /// Messages in each run.
    pub(crate) messages: u64,
    /// Measurements of each cell, if there is time for so many.
    pub(crate) repeat: usize,
    /// `None` if a number was asked for, which then holds whatever time it takes.
    pub(crate) bounds: Option<Bounds>,
    /// True if a figure above its bound is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

/// How long measuring may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// A run that would take longer has fewer messages.
    pub(crate) run: Duration,
    /// A cell that has taken this long in all is measured no more.
    pub(crate) cell: Duration,
}

impl Flags for Options {
    const USAGE: &str = "\
Measures what a message of 1032 bytes costs on six ways from a writer to a reader.

usage: cargo bench --bench ipc -- [FLAGS]

  --messages N   messages in each run (default 2000000, slow ways fewer; at least 1000)
  --repeat N     how often each way is measured (default 3, slow ways less often)
  --quick        3 repetitions of 20000 messages: to see that everything runs
  --check        exit with 1 when a figure is above its bound or could not be measured
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            messages: 2_000_000,
            repeat: 3,
            bounds: Some(Bounds {
                run: Duration::from_secs(10),
                cell: Duration::from_secs(5),
            }),
            check: false,
            help: false,
        };
        let (mut messages, mut repeat) = (None, None);
        let mut args = args.into_iter();
        while let Some(flag) = args.next() {
            match flag.as_str() {
                // What `cargo bench` passes to every benchmark.
                "--bench" => {}
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                "--quick" => {
                    options.messages = 20_000;
                    options.repeat = 3;
                }
                "--messages" => messages = Some(number(&flag, args.next(), 1_000)? as u64),
                "--repeat" => repeat = Some(number(&flag, args.next(), 1)?),
                _ => bail!("unknown flag `{flag}`\n\n{}", Self::USAGE),
            }
        }
        // Numbers that were asked for hold, whatever the order of the flags.
        if messages.is_some() || repeat.is_some() {
            options.bounds = None;
        }
        options.messages = messages.unwrap_or(options.messages);
        options.repeat = repeat.unwrap_or(options.repeat);
        Ok(options)
    }

    fn help(&self) -> bool {
        self.help
    }
}
