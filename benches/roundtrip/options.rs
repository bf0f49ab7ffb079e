//! What to measure, and how thoroughly, by the flags.

use clap::Args;

use crate::harness::flags::{Flags, Shared, whole};

#[derive(Debug)]
pub(crate) struct Options {
    /// Rounds of a dialogue in each run.
    pub(crate) rounds: u64,
    /// Measurements of each row.
    pub(crate) repeat: usize,
    /// Pairs of whole runs for the start-up figure.
    pub(crate) starts: usize,
    /// Rounds of the run whose coordinator's memory is looked at.
    pub(crate) memory_rounds: u64,
    /// True if repetitions may be left out to stay within the time that a default run has.
    pub(crate) bounded: bool,
}

#[derive(Args)]
pub(crate) struct Own {
    /// Rounds of a dialogue in each run, at least 1000 [default: 20000]
    #[arg(long, value_name = "N", value_parser = whole(1_000..=u64::MAX), allow_negative_numbers = true)]
    rounds: Option<u64>,
}

impl Flags for Options {
    type Own = Own;

    const NAME: &str = "roundtrip";
    const ABOUT: &str = "Measures what a round of a dialogue costs with and without rejoinder.";
    const REPEAT: &str = "How often each row is measured [default: 9]";
    const QUICK: &str = "3 repetitions of 4000 rounds: to see that everything runs";

    fn new(own: Own, shared: &Shared) -> Self {
        Self {
            rounds: own.rounds.unwrap_or_else(|| shared.usual(20_000, 4_000)),
            repeat: shared.repeat(9, 3),
            starts: shared.usual(100, 15),
            memory_rounds: shared.usual(1_000_000, 50_000),
            // Numbers that were asked for hold, whatever the time it takes.
            bounded: own.rounds.is_none() && shared.asked_to_repeat().is_none(),
        }
    }
}
