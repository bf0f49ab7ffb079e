//! What to measure, and how thoroughly, by the flags.

use clap::{Args, ValueEnum};

use crate::cases::Beside;
use crate::harness::flags::{Flags, Shared};

#[derive(Debug)]
pub(crate) struct Options {
    /// Runs of each row.
    pub(crate) repeat: usize,
    /// With which other work on the machine.
    pub(crate) beside: &'static [Beside],
}

#[derive(Args)]
pub(crate) struct Own {
    /// What the machine does beside: nothing, or two busy processes for each CPU (`loaded`)
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Machine::Both)]
    machine: Machine,
}

#[derive(Clone, Copy, ValueEnum)]
enum Machine {
    Idle,
    Loaded,
    Both,
}

impl Flags for Options {
    type Own = Own;

    const NAME: &str = "limits";
    const ABOUT: &str = "Measures how far a program gets beyond a limit before it is stopped.";
    const REPEAT: &str = "How often each row is run [default: 100]";
    const QUICK: &str = "5 runs: to see that everything runs";

    fn new(own: Own, shared: &Shared) -> Self {
        Self {
            repeat: shared.repeat(100, 5),
            beside: match own.machine {
                Machine::Idle => &[Beside::Idle],
                Machine::Loaded => &[Beside::Loaded],
                Machine::Both => &Beside::ALL,
            },
        }
    }
}
