//! Passing on answers without waiting for the event that announces them.
//!
//! Where both programs and the coordinator share one CPU, the coordinator asks for a longer time slice
//! than others have. The scheduler then lets whoever was given a message run before the call that
//! gave it returns, and mostly the answer is there when it does. So after each delivery the reader's
//! own output is looked at, and as long as answers come that way, none of the calls that wait for an
//! event is made. Their events come later, all at once, and are then no news.

use std::time::Duration;

use super::Session;
use crate::error::Result;
use crate::sys;

/// More than anybody has by default, which is from 0.7 to 2.8 ms by the number of CPUs
/// (kernel/sched/fair.c, `sysctl_sched_base_slice`); not much more, because with a long slice one
/// is served later where many want the CPU.
const SLICE: Duration = Duration::from_millis(4);
/// How long other events may be left waiting.
const LONGEST: Duration = Duration::from_millis(1);
/// How many answers may be passed on meanwhile: the watcher can tell of so many in one call.
const MOST: u32 = 250;

/// What was passed on since events were last waited for.
#[derive(Debug)]
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
        if on_one_cpu {
            // Only a matter of speed; kernels before 6.12 do not know it.
            let _ = sys::set_time_slice(Some(SLICE));
        }
        Relay {
            on_one_cpu,
            given: None,
            since: Duration::ZERO,
            answers: 0,
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

impl Drop for Relay {
    fn drop(&mut self) {
        if self.on_one_cpu {
            let _ = sys::set_time_slice(None);
        }
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
            self.relay.answers += u32::from(self.relay.given.is_some());
        }
        Ok(())
    }
}
