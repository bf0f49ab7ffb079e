//! What to measure, and how thoroughly, by the flags.

use std::time::Duration;

use crate::harness::flags::{Flags, NoneOfItsOwn, Shared};

#[derive(Debug)]
pub(crate) struct Options {
    /// Powers of two of the bytes that are printed through a buffer.
    pub(crate) buffered: Vec<u32>,
    /// Powers of two of the bytes that are written one by one.
    pub(crate) unbuffered: Vec<u32>,
    /// Measurements of each size, if there is time for so many.
    pub(crate) repeat: usize,
    /// A method that has taken this long at a size is measured as rarely as figures can bear.
    pub(crate) time_for_method: Duration,
}

impl Flags for Options {
    type Own = NoneOfItsOwn;

    const NAME: &str = "capture";
    const ABOUT: &str = "Measures what each method of capturing a program's output costs.";
    const REPEAT: &str =
        "How often each size is measured at most [default: 15; slow methods less often]";
    const QUICK: &str = "Up to 4 MiB, 3 times, in about 10 seconds: to see that everything runs";
    const NOTE: &str =
        "Regular files are made in the temporary folder (TMPDIR), which should be on a disk.";

    fn new(_: NoneOfItsOwn, shared: &Shared) -> Self {
        Self {
            buffered: shared.usual((0..=26).collect(), vec![0, 8, 16, 22]),
            unbuffered: shared.usual((0..=20).step_by(2).collect(), vec![0, 8, 14]),
            repeat: shared.repeat(15, 3),
            time_for_method: Duration::from_secs(shared.usual(5, 1)),
        }
    }
}
