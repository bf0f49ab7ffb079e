//! What to measure, and how thoroughly, by the flags.

use crate::harness::flags::{Flags, NoneOfItsOwn, Shared};

#[derive(Debug)]
pub(crate) struct Options {
    /// Runs of each program.
    pub(crate) repeat: usize,
}

impl Flags for Options {
    type Own = NoneOfItsOwn;

    const NAME: &str = "verdicts";
    const ABOUT: &str =
        "Measures how long it takes from a deadlock to its discovery, and to the end of the run.";
    const REPEAT: &str = "How often each program is run [default: 100]";
    const QUICK: &str = "5 runs: to see that everything runs (in about half a minute)";

    fn new(_: NoneOfItsOwn, shared: &Shared) -> Self {
        Self {
            repeat: shared.repeat(100, 5),
        }
    }
}
