//! Passing on answers without waiting for the event that announces them.
//!
//! Where both programs and the coordinator share one CPU, whoever is given a message mostly runs at
//! once, in the kernel's call that gave it: when that call returns, the answer is already there. So
//! after each delivery the reader's own output is looked at, and as long as answers come that way,
//! none of the calls that wait for an event is made. Their events come later, all at once, and are
//! then no news.

use std::time::Duration;

use super::Session;
use crate::error::Result;

/// How long other events may be left waiting.
const LONGEST: Duration = Duration::from_millis(1);
/// How many answers may be passed on meanwhile: the watcher can tell of so many in one call.
const MOST: u32 = 250;

/// What was passed on since events were last waited for.
#[derive(Debug, Default)]
pub(super) struct Relay {
    /// All share one CPU.
    on_one_cpu: bool,
    /// The side that was given something last, and has not been asked for its answer yet.
    pub(super) given: Option<usize>,
    since: Duration,
    answers: u32,
}

impl Relay {
    /// `on_one_cpu` says whether the programs and the coordinator share one CPU.
    pub(super) fn new(on_one_cpu: bool) -> Relay {
        Relay {
            on_one_cpu,
            ..Relay::default()
        }
    }

    /// True if the watcher may tell of what was passed on already.
    pub(super) fn has_passed_on(&self) -> bool {
        self.answers > 0
    }

    /// Events have been waited for and handled.
    pub(super) fn begin(&mut self, at: Duration) {
        (self.since, self.answers) = (at, 0);
    }
}

impl Session<'_> {
    /// Passes answers on as long as they come at once.
    pub(super) fn relay(&mut self) -> Result<()> {
        while let Some(side) = self.relay.given.take() {
            let late = self.record.now() >= self.relay.since + LONGEST;
            if !self.relay.on_one_cpu || self.more || late || self.relay.answers >= MOST {
                break;
            }
            self.pump(side)?;
            if self.relay.given.is_none() {
                // It has not run yet. It may now.
                let _ = nix::sched::sched_yield();
                self.pump(side)?;
            }
            self.relay.answers += u32::from(self.relay.given.is_some());
        }
        Ok(())
    }
}
