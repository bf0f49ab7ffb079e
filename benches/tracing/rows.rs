//! The rows of the table, measured in turn so that drift of the machine meets all of them alike.

use anyhow::{Context, Result};
use serde::Serialize;

use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Watcher, Work};

/// Calls of a bare program in one measurement. Under a watcher there are fewer, see `share`.
const CALLS: u64 = 2_000_000;
/// Steps in one measurement, about a tenth of a second.
const STEPS: u64 = 100_000_000;

/// The watchers, by name, and the part of the calls that each is measured with: one that stops at
/// every call would take minutes for all of them.
const WATCHERS: [(Watcher, &str, u64); 6] = [
    (Watcher::Nobody, "bare", 1),
    (
        Watcher::AllowingFilter,
        "one filter that allows everything",
        1,
    ),
    (Watcher::Rejoinder, "rejoinder exec", 1),
    (Watcher::Ptrace, "ptrace stop at every call", 50),
    (Watcher::Strace, "strace -f -o /dev/null", 100),
    (Watcher::StraceCounts, "strace -c", 100),
];

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    #[serde(skip)]
    pub(crate) watcher: Option<Watcher>,
    pub(crate) label: &'static str,
    /// Nanoseconds for a call of getpid.
    pub(crate) call_ns: Option<Spread>,
    /// The same divided by the bare program's, pair by pair.
    pub(crate) call_ratio: Option<Spread>,
    /// Milliseconds for the computation.
    pub(crate) compute_ms: Option<Spread>,
    /// The same divided by the bare program's, pair by pair.
    pub(crate) compute_ratio: Option<Spread>,
    /// Milliseconds to start a program that does nothing, and to wait for it.
    pub(crate) start_ms: Option<Spread>,
    /// The median divided by the bare program's.
    pub(crate) start_ratio: Option<f64>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// A figure and the bare one taken right beside it.
type Pairs = Vec<(f64, f64)>;

/// Measures every row.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Row>> {
    let mut taken: Vec<[Pairs; 2]> = WATCHERS.iter().map(|_| Default::default()).collect();
    let mut starts: Vec<Vec<f64>> = WATCHERS.iter().map(|_| Vec::new()).collect();
    let mut missing: Vec<Option<String>> = WATCHERS
        .iter()
        .map(|(watcher, _, _)| bench.missing(*watcher))
        .collect();
    for (number, (watcher, _, _)) in WATCHERS.iter().enumerate() {
        // A first run of each shows whether there is something to measure, and warms the caches.
        if missing[number].is_none() {
            let failed = bench.start_ms(*watcher).err();
            missing[number] = failed.map(|error| format!("not measured: {error:#}"));
        }
        check_interrupt()?;
    }
    if let Some(why) = &missing[0] {
        anyhow::bail!("the bare program does not run: {why}");
    }
    let scaled = |all: u64| (all * options.work / 1000).max(1);
    for repetition in 0..options.repeat {
        for (number, (watcher, _, share)) in WATCHERS.iter().enumerate() {
            check_interrupt()?;
            if missing[number].is_some() {
                continue;
            }
            let works = [
                Work::Calls((scaled(CALLS) / share).max(1)),
                Work::Steps(scaled(STEPS)),
            ];
            for (kind, work) in works.into_iter().enumerate() {
                let beside = match work {
                    Work::Calls(_) => Work::Calls(scaled(CALLS)),
                    other => other,
                };
                let bare = || Ok(each(beside, bench.nanoseconds(Watcher::Nobody, beside)?));
                let row = || Ok(each(work, bench.nanoseconds(*watcher, work)?));
                taken[number][kind].push(turns::beside(repetition, row, bare)?);
            }
        }
    }
    for _ in 0..options.starts {
        for (number, (watcher, _, _)) in WATCHERS.iter().enumerate() {
            if missing[number].is_none() {
                starts[number].push(bench.start_ms(*watcher)?);
            }
        }
        check_interrupt()?;
    }
    let starts: Vec<Option<Spread>> = starts.into_iter().map(Spread::of).collect();
    let bare_start = starts[0].context("no start was measured")?.median;
    let rows = WATCHERS.iter().zip(taken).zip(starts).zip(missing);
    Ok(rows
        .map(|(((watcher, [calls, steps]), start_ms), missing)| Row {
            watcher: Some(watcher.0),
            label: watcher.1,
            call_ns: figure(&calls),
            call_ratio: ratio(&calls),
            compute_ms: figure(&steps),
            compute_ratio: ratio(&steps),
            start_ms,
            start_ratio: start_ms.map(|spread| spread.median / bare_start),
            missing,
        })
        .collect())
}

/// Nanoseconds a call, or milliseconds for all steps.
fn each(work: Work, nanoseconds: f64) -> f64 {
    match work {
        Work::Calls(times) => nanoseconds / times as f64,
        Work::Steps(_) | Work::Nothing => nanoseconds / 1e6,
    }
}

fn figure(pairs: &Pairs) -> Option<Spread> {
    Spread::of(pairs.iter().map(|(row, _)| *row))
}

fn ratio(pairs: &Pairs) -> Option<Spread> {
    Spread::of(pairs.iter().map(|(row, bare)| row / bare))
}
