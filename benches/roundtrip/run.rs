//! One run of two peers as numbers, and what a round costs as the difference of two runs.

use std::time::Duration;

use anyhow::Result;

/// The longest that any one run may take before it is killed and the benchmark fails.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(300);

/// How many rounds the short run has, which is subtracted to take starting and ending out.
pub(crate) const SHORT: u64 = 100;

/// One dialogue from start to end.
pub(crate) struct Run {
    /// Real time, starting and ending included.
    pub(crate) wall: Duration,
    /// User and system time of the asking side.
    pub(crate) contestant_cpu: Duration,
    /// Peak resident memory of the coordinator in KiB, where there is one.
    pub(crate) resident_kib: Option<u64>,
}

/// What one round costs, in microseconds.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) wall_us: f64,
    pub(crate) contestant_cpu_us: f64,
}

/// Plays a short and a long dialogue and divides their difference by the rounds between them.
pub(crate) fn round(mut play: impl FnMut(u64) -> Result<Run>, rounds: u64) -> Result<Round> {
    let short = play(SHORT)?;
    let long = play(SHORT + rounds)?;
    let each = |long: Duration, short: Duration| {
        (long.as_secs_f64() - short.as_secs_f64()) * 1e6 / rounds as f64
    };
    Ok(Round {
        wall_us: each(long.wall, short.wall),
        contestant_cpu_us: each(long.contestant_cpu, short.contestant_cpu),
    })
}
