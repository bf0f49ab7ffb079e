//! The limits, one small file each, all with the same two questions: is it exceeded, and when could
//! it be at the earliest?
//!
//! To add a limit: a file here with a type that implements [`Watch`], a line in [`all`], a variant
//! of [`LimitKind`](crate::evidence::LimitKind), and its figure in [`Sample`].

mod cpu;
mod idle;
mod memory;
mod output;
mod wall;

use std::time::Duration;

use crate::evidence::Excess;
use crate::spec::limits::Limits;

/// What a participant has used at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sample {
    /// CPU time of the whole tree.
    pub(super) cpu: Duration,
    /// How many CPUs it could use at once: the lesser of its tasks and its CPUs.
    pub(super) parallel: u32,
    /// The sum of its turns in real time.
    pub(super) turn: Duration,
    /// It is its turn.
    pub(super) acting: bool,
    /// For how long it has been resting on its turn without interruption.
    pub(super) rest: Duration,
    /// The most resident memory that was seen, in bytes.
    pub(super) memory: u64,
    /// The kernel watches the memory and kills by itself.
    pub(super) memory_is_held: bool,
    /// Bytes of output.
    pub(super) output: u64,
}

/// One limit of one participant.
pub(super) trait Watch {
    /// The excess, if the limit is exceeded.
    fn check(&self, sample: &Sample) -> Option<Excess>;
    /// The least time after which it could be exceeded, if nothing that we hear of happens before.
    fn earliest(&self, sample: &Sample) -> Option<Duration>;
}

/// All limits of a participant. The order decides which is named if several are exceeded at once.
pub(super) fn all(limits: &Limits) -> Vec<Box<dyn Watch>> {
    vec![
        Box::new(memory::Memory(limits.memory)),
        Box::new(cpu::Cpu(limits.cpu)),
        Box::new(output::Output(limits.output)),
        Box::new(wall::Wall(limits.wall)),
        Box::new(idle::Idle(limits.idle)),
    ]
}

#[cfg(test)]
mod tests;
