//! What to measure, and how thoroughly, by the flags.

use clap::Args;

use crate::harness::flags::{Flags, Shared, whole};

#[derive(Debug)]
pub(crate) struct Options {
    /// Bytes that go each way.
    pub(crate) size: u64,
    /// Measurements of each row.
    pub(crate) repeat: usize,
}

/// The most that can be asked for: on `tmpfs` all of it may lie in memory.
const MOST_MIB: u64 = 1024;

#[derive(Args)]
pub(crate) struct Own {
    /// MiB that go each way [default: 64]
    #[arg(long, value_name = "MIB", value_parser = whole(1..=MOST_MIB), allow_negative_numbers = true)]
    size: Option<u64>,
}

impl Flags for Options {
    type Own = Own;

    const NAME: &str = "throughput";
    const ABOUT: &str = "Measures how long much output takes from one program to the other, \
                         with and without rejoinder.";
    const REPEAT: &str = "How often each row is measured [default: 11]";
    const QUICK: &str = "3 repetitions of 8 MiB: to see that everything runs";

    fn new(own: Own, shared: &Shared) -> Self {
        Self {
            size: own.size.unwrap_or_else(|| shared.usual(64, 8)) << 20,
            repeat: shared.repeat(11, 3),
        }
    }
}
