//! What is compared: what lies between the programs, which way bytes go, how they are written, and
//! where the programs run.

use serde::Serialize;

use crate::harness::cpus::Cpus;

/// What lies between the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Between {
    /// Pipes, and no rejoinder.
    Bare,
    Tmpfs,
    Pipe,
    Direct,
}

impl Between {
    pub(crate) const ALL: [Between; 4] = [
        Between::Bare,
        Between::Tmpfs,
        Between::Pipe,
        Between::Direct,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Between::Bare => "bare pipes",
            Between::Tmpfs => "rejoinder, tmpfs",
            Between::Pipe => "rejoinder, pipe",
            Between::Direct => "rejoinder, direct",
        }
    }

    /// The value of `--channel`; `None` without rejoinder.
    pub(crate) fn channel(self) -> Option<&'static str> {
        match self {
            Between::Bare => None,
            Between::Tmpfs => Some("tmpfs"),
            Between::Pipe => Some("pipe"),
            Between::Direct => Some("direct"),
        }
    }
}

/// Which way the bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Direction {
    /// From the contestant to the interactor.
    OneWay,
    /// As many both ways at once.
    BothWays,
}

impl Direction {
    pub(crate) const ALL: [Direction; 2] = [Direction::OneWay, Direction::BothWays];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Direction::OneWay => "one way",
            Direction::BothWays => "both ways",
        }
    }

    /// What the contestant and the interactor are told to do.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Direction::OneWay => ("send", "take"),
            Direction::BothWays => ("both", "both"),
        }
    }
}

/// Bytes that are written by one call, and asked for by one.
pub(crate) const BLOCKS: [u64; 2] = [64 << 10, 4 << 10];

/// A combination of all but what lies between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Flow {
    /// Where everything runs, the coordinator too.
    pub(crate) placement: Cpus,
    pub(crate) direction: Direction,
    pub(crate) block: u64,
}

impl Flow {
    pub(crate) fn all() -> Vec<Flow> {
        let mut all = Vec::new();
        for placement in Cpus::ALL {
            for direction in Direction::ALL {
                all.extend(BLOCKS.map(|block| Flow {
                    placement,
                    direction,
                    block,
                }));
            }
        }
        all
    }

    pub(crate) fn name(self) -> String {
        let (direction, placement) = (self.direction.name(), self.placement.name());
        format!("{placement}, {direction}, {} KiB", self.block >> 10)
    }
}
