//! The rows of the table, measured in turns so that drift of the machine meets all of them alike.

use anyhow::Result;
use serde::Serialize;

use crate::flows::{Between, Flow};
use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Run};

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) flow: Flow,
    pub(crate) between: Between,
    /// Runs that the figures come from.
    pub(crate) repetitions: usize,
    /// Milliseconds from the first byte to the last.
    pub(crate) real_ms: Option<Spread>,
    /// The same divided by that of bare pipes, round by round.
    pub(crate) ratio: Option<Spread>,
    /// MiB a second and way.
    pub(crate) rate: Option<Spread>,
    /// Milliseconds of CPU time of the contestant, starting and ending included.
    pub(crate) contestant_cpu_ms: Option<Spread>,
    /// Milliseconds of CPU time of the coordinator alone; none without it.
    pub(crate) coordinator_cpu_ms: Option<Spread>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Measures every row. In each round the ways between are measured one right after the other, in
/// another order each time.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let flows = Flow::all();
    let mut taken: Vec<[Vec<Run>; 4]> = flows.iter().map(|_| Default::default()).collect();
    let mut missing: Vec<[Option<String>; 4]> = flows.iter().map(|_| Default::default()).collect();
    // The first round warms the caches, and shows what cannot run here.
    for round in 0..=options.repeat {
        for flow in turns::order(round, flows.len()) {
            for turn in turns::order(round, Between::ALL.len()) {
                check_interrupt()?;
                if missing[flow][turn].is_some() {
                    continue;
                }
                match bench.run(flows[flow], Between::ALL[turn]) {
                    Ok(run) if round > 0 => taken[flow][turn].push(run),
                    Ok(_) => {}
                    Err(error) => missing[flow][turn] = Some(format!("{error:#}")),
                }
            }
        }
    }
    for ((flow, taken), missing) in flows.into_iter().zip(&taken).zip(missing) {
        for ((between, runs), missing) in Between::ALL.into_iter().zip(taken).zip(missing) {
            rows.push(row(flow, between, runs, &taken[0], missing, options.size));
        }
    }
    Ok(rows)
}

/// `bare` are the runs over bare pipes of the same rounds.
fn row(
    flow: Flow,
    between: Between,
    runs: &[Run],
    bare: &[Run],
    missing: Option<String>,
    size: u64,
) -> Row {
    let runs = if missing.is_some() { &[] } else { runs };
    let spread = |value: &dyn Fn(&Run) -> f64| Spread::of(runs.iter().map(value));
    let pairs = runs.iter().zip(bare);
    Row {
        flow,
        between,
        repetitions: runs.len(),
        real_ms: spread(&|run| run.real.as_secs_f64() * 1e3),
        ratio: Spread::of(
            pairs.map(|(run, bare)| run.real.as_secs_f64() / bare.real.as_secs_f64()),
        ),
        rate: spread(&|run| size as f64 / f64::from(1 << 20) / run.real.as_secs_f64()),
        contestant_cpu_ms: spread(&|run| run.contestant_cpu.as_secs_f64() * 1e3),
        coordinator_cpu_ms: Spread::of(
            runs.iter()
                .filter_map(|run| Some(run.coordinator_cpu?.as_secs_f64() * 1e3)),
        ),
        missing,
    }
}
