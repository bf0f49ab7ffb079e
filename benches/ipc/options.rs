//! What to measure, and how thoroughly, by the flags.

use std::time::Duration;

use clap::Args;

use crate::harness::flags::{Flags, Shared, whole};

#[derive(Debug)]
pub(crate) struct Options {
    /// Messages in each run.
    pub(crate) messages: u64,
    /// Measurements of each cell, if there is time for so many.
    pub(crate) repeat: usize,
    /// `None` if a number was asked for, which then holds whatever time it takes.
    pub(crate) bounds: Option<Bounds>,
}

/// How long measuring may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// A run that would take longer has fewer messages.
    pub(crate) run: Duration,
    /// A cell that has taken this long in all is measured no more.
    pub(crate) cell: Duration,
}

#[derive(Args)]
pub(crate) struct Own {
    /// Messages in each run, at least 1000 [default: 2000000, slow ways fewer]
    #[arg(long, value_name = "N", value_parser = whole(1_000..=u64::MAX), allow_negative_numbers = true)]
    messages: Option<u64>,
}

impl Flags for Options {
    type Own = Own;

    const NAME: &str = "ipc";
    const ABOUT: &str =
        "Measures what a message of 1032 bytes costs on six ways from a writer to a reader.";
    const REPEAT: &str = "How often each way is measured [default: 3, slow ways less often]";
    const QUICK: &str = "3 repetitions of 20000 messages: to see that everything runs";

    fn new(own: Own, shared: &Shared) -> Self {
        let bounds = Bounds {
            run: Duration::from_secs(10),
            cell: Duration::from_secs(5),
        };
        let nothing_asked = own.messages.is_none() && shared.asked_to_repeat().is_none();
        Self {
            messages: own
                .messages
                .unwrap_or_else(|| shared.usual(2_000_000, 20_000)),
            repeat: shared.repeat(3, 3),
            bounds: nothing_asked.then_some(bounds),
        }
    }
}
