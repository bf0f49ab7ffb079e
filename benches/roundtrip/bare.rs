//! The reference: two peers with nothing between them but what the kernel gives.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use crate::harness::dialogue::{Link, Placement, start_both};
use crate::harness::process::Program;
use crate::run::{Run, TIME_LIMIT};

/// Two bare peers, connected and placed in one of the ways.
pub(crate) struct Bare {
    pub(crate) peer: PathBuf,
    pub(crate) link: Link,
    pub(crate) placement: Placement,
}

impl Bare {
    /// Plays `rounds` rounds; the time runs from before the first fork until both were waited for.
    pub(crate) fn play(&self, rounds: u64) -> Result<Run> {
        let rounds = rounds.to_string();
        let asker = Program::new(self.peer.as_os_str(), &["a", &rounds])?;
        let answerer = Program::new(self.peer.as_os_str(), &["b", &rounds])?;
        let began = Instant::now();
        let (asker, answerer) = start_both(&asker, &answerer, self.link, self.placement)?;
        let asked = asker.wait_success(began + TIME_LIMIT)?;
        answerer.wait_success(began + TIME_LIMIT)?;
        Ok(Run {
            wall: began.elapsed(),
            contestant_cpu: asked.cpu,
            resident_kib: None,
        })
    }
}
