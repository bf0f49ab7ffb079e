//! What to measure, and how thoroughly, by the flags.

use clap::Args;

use crate::harness::flags::{Flags, Shared};

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

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) plans: Vec<Plan>,
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

#[derive(Args)]
pub(crate) struct Own {
    /// Also 500 MB in 128 MiB; needs 2 GiB of memory, 2 GB in the temporary folder, and time
    #[arg(long)]
    large: bool,
}

impl Flags for Options {
    type Own = Own;

    const NAME: &str = "memory";
    const ABOUT: &str =
        "Measures which sorts live with less memory than their data has, and what that costs them.";
    const REPEAT: &str = "How often each sort is run under each limit \
                          [default: 7 with 4 MB of numbers, 3 with 64 MB, 1 with 500 MB]";
    const QUICK: &str = "4 MB only, twice: to see that everything runs";
    const CHECK: &str = "Exit with 1 if a sort lives or fails otherwise than expected";
    const NOTE: &str =
        "Files are made in the temporary folder (TMPDIR), which should be on a disk.";

    fn new(own: Own, shared: &Shared) -> Self {
        let mut plans = shared.usual(vec![SMALL, MIDDLE], vec![Plan { repeat: 2, ..SMALL }]);
        if own.large {
            plans.push(LARGE);
        }
        for plan in &mut plans {
            plan.repeat = shared.asked_to_repeat().unwrap_or(plan.repeat);
        }
        Self { plans }
    }
}
