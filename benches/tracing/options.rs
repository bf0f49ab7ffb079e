//! What to measure, and how thoroughly, by the flags.

use crate::harness::flags::{Flags, NoneOfItsOwn, Shared};

#[derive(Debug)]
pub(crate) struct Options {
    /// Measurements of each row.
    pub(crate) repeat: usize,
    /// Pairs of starts.
    pub(crate) starts: usize,
    /// How much work each measurement does, in parts of a thousand.
    pub(crate) work: u64,
}

impl Flags for Options {
    type Own = NoneOfItsOwn;

    const NAME: &str = "tracing";
    const ABOUT: &str =
        "Measures what the sandbox costs a program, beside other ways to watch one.";
    const REPEAT: &str = "How often each row is measured [default: 15]";
    const QUICK: &str = "3 repetitions of a tenth of the work: to see that everything runs";

    fn new(_: NoneOfItsOwn, shared: &Shared) -> Self {
        Self {
            repeat: shared.repeat(15, 3),
            starts: shared.usual(100, 15),
            work: shared.usual(1000, 100),
        }
    }
}
