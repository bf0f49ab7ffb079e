//! What to measure, and how thoroughly, by the flags.

use crate::harness::flags::{Flags, NoneOfItsOwn, Shared};

#[derive(Debug)]
pub(crate) struct Options {
    /// Pairs of starts for each row.
    pub(crate) repeat: usize,
    /// Pairs of stretches in which sessions are counted.
    pub(crate) stretches: usize,
    /// Sessions in each of them.
    pub(crate) sessions: usize,
}

impl Flags for Options {
    type Own = NoneOfItsOwn;

    const NAME: &str = "startup";
    const ABOUT: &str = "Measures what it costs to start programs in the sandbox and to end them, \
                         and what each layer costs.";
    const REPEAT: &str = "How often each row is measured [default: 100]";
    const QUICK: &str = "5 repetitions and few sessions: to see that everything runs";

    fn new(_: NoneOfItsOwn, shared: &Shared) -> Self {
        Self {
            repeat: shared.repeat(100, 5),
            stretches: shared.usual(15, 2),
            sessions: shared.usual(60, 10),
        }
    }
}
