//! Figures of whole runs: what starting and ending cost, and how the coordinator's memory grows.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::bare::Bare;
use crate::harness::dialogue::{Link, Placement};
use crate::harness::statistics::Spread;
use crate::tool::{Setting, Tool};

/// The longest that a bounded benchmark's memory run should take.
const TIME_FOR_MEMORY: Duration = Duration::from_secs(20);

/// A whole run of two tiny programs: one round, accepted, over.
#[derive(Debug, Serialize)]
pub(crate) struct Startup {
    /// Pairs of runs that the figures come from.
    pub(crate) pairs: usize,
    /// Milliseconds to start both programs bare, over pipes on one CPU, and wait for both.
    pub(crate) bare_ms: Spread,
    /// Milliseconds of a whole `rejoinder run`.
    pub(crate) tool_ms: Spread,
    /// Median over median.
    pub(crate) ratio: f64,
}

/// Starts both kinds in turn, `pairs` times.
pub(crate) fn startup(tool: &Tool, cpu: usize, pairs: usize) -> Result<Startup> {
    let bare = Bare {
        peer: tool.peer.clone(),
        link: Link::Pipes,
        placement: Placement::Together(cpu),
    };
    let setting = Setting {
        channel: "tmpfs",
        transcript: false,
        cpus: Some(cpu),
    };
    let (mut bare_ms, mut tool_ms) = (Vec::new(), Vec::new());
    for pair in 0..=pairs {
        let without = bare.play(1)?.wall;
        let with = tool.play(setting, 1)?.wall;
        // The first pair finds cold caches.
        if pair > 0 {
            bare_ms.push(without.as_secs_f64() * 1e3);
            tool_ms.push(with.as_secs_f64() * 1e3);
        }
    }
    let bare_ms = Spread::of(bare_ms).context("no pair was measured")?;
    let tool_ms = Spread::of(tool_ms).context("no pair was measured")?;
    Ok(Startup {
        pairs,
        bare_ms,
        tool_ms,
        ratio: tool_ms.median / bare_ms.median,
    })
}

/// The coordinator's memory at the end of a long, fully logged dialogue.
#[derive(Debug, Serialize)]
pub(crate) struct Memory {
    /// Rounds that were played.
    pub(crate) rounds: u64,
    /// Peak resident memory in MiB, of the coordinator or of a program that it started, whichever
    /// is larger: the kernel reports no less.
    pub(crate) peak_mib: f64,
    /// The same after a single round, for comparison.
    pub(crate) peak_mib_of_one_round: f64,
}

/// Plays `rounds` rounds, or, where the time is bounded, as many as fit if a round takes
/// `round_us`.
pub(crate) fn memory(
    tool: &Tool,
    cpu: usize,
    rounds: u64,
    round_us: Option<f64>,
) -> Result<Memory> {
    let fitting = round_us.map_or(rounds, |each| {
        (TIME_FOR_MEMORY.as_secs_f64() * 1e6 / each.max(1.0)) as u64
    });
    let rounds = rounds.min(fitting);
    let setting = Setting {
        channel: "tmpfs",
        transcript: true,
        cpus: Some(cpu),
    };
    let peak = |rounds| {
        let kib = tool.play(setting, rounds)?.resident_kib;
        kib.map(|kib| kib as f64 / 1024.0)
            .context("no memory was reported")
    };
    Ok(Memory {
        rounds,
        peak_mib_of_one_round: peak(1)?,
        peak_mib: peak(rounds)?,
    })
}
