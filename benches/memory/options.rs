//! The benchmark's own flags.

use anyhow::{Result, bail};

use crate::harness::flags::{Flags, number};

/// How many numbers, and in how much memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Bytes of the file.
    pub(crate) data: u64,
    /// Bytes of memory to sort it in.
    pub(crate) memory: u64,
    /// Rounds over all sorts and limits.
    pub(crate) repeat: usize,
}

/// What to measure, and how thoroughly.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) plans: Vec<Plan>,
    /// True if an outcome that was not expected is a failure.
    pub(crate) check: bool,
    /// True if only the usage is wanted.
    pub(crate) help: bool,
}

const SMALL: Plan = Plan {
    data: 4_000_000,
    memory: 2 << 20,
    repeat: 7,
};
const MIDDLE: Plan = Plan {
    data: 64_000_000,
    memory: 16 << 20,
    repeat: 3,
};
const LARGE: Plan = Plan {
    data: 500_000_000,
    memory: 128 << 20,
    repeat: 1,
};

impl Flags for Options {
    const USAGE: &str = "\
Measures which sorts live with less memory than their data has, and what that costs them.

usage: cargo bench --bench memory -- [FLAGS]

  --repeat N   how often each sort is run under each limit (default 7 with 4 MB of numbers, 3 with
               64 MB, 1 with 500 MB)
  --quick      4 MB only, twice: to see that everything runs
  --large      also 500 MB in 128 MiB; needs 2 GiB of memory, 2 GB in the temporary folder, and time
  --check      exit with 1 if a sort lives or fails otherwise than expected

Files are made in the temporary folder (TMPDIR), which should be on a disk.
";

    fn parse(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let (mut quick, mut large, mut check, mut help) = (false, false, false, false);
        let mut repeat = None;
        let mut args = args.into_iter();
        while let Some(flag) = args.next() {
            match flag.as_str() {
                // What `cargo bench` passes to every benchmark.
                "--bench" => {}
                "--check" => check = true,
                "--help" | "-h" => help = true,
                "--quick" => quick = true,
                "--large" => large = true,
                "--repeat" => repeat = Some(number(&flag, args.next(), 1)?),
                _ => bail!("unknown flag `{flag}`\n\n{}", Self::USAGE),
            }
        }
        let mut plans = match quick {
            true => vec![Plan { repeat: 2, ..SMALL }],
            false => vec![SMALL, MIDDLE],
        };
        if large {
            plans.push(LARGE);
        }
        for plan in &mut plans {
            plan.repeat = repeat.unwrap_or(plan.repeat);
        }
        Ok(Self { plans, check, help })
    }

    fn help(&self) -> bool {
        self.help
    }
}
