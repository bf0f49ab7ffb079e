//! All sorts under all limits, in turns.

use anyhow::{Context, Result};
use serde::Serialize;

use crate::harness::machine::load_now;
use crate::harness::process::check_interrupt;
use crate::harness::statistics::Spread;
use crate::harness::turns;
use crate::options::{Options, Plan};
use crate::sorts::{Limit, Sort, lives};
use crate::subject::{Bench, Run};

/// One sort under one limit.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) sort: Sort,
    pub(crate) limit: Limit,
    pub(crate) rounds: usize,
    /// In how many of them it lived.
    pub(crate) lived: usize,
    /// In how many of them that was as expected.
    pub(crate) expected: usize,
    /// How it ended, in other words than "lived", each once.
    pub(crate) how: Vec<String>,
    /// CPU time in milliseconds, whether it lived or not.
    pub(crate) cpu_ms: Spread,
    /// Real time.
    pub(crate) real_ms: Spread,
    /// Real time in proportion to that of the same sort and round without a limit; only if it lived.
    pub(crate) real_ratio: Option<Spread>,
    /// Peak memory as rejoinder reports it.
    pub(crate) memory_kib: Spread,
    /// Peak memory by the kernel's account of the process; only if it lived.
    pub(crate) own_kib: Option<Spread>,
}

/// One size.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    /// Bytes of the file.
    pub(crate) data: u64,
    /// Bytes of the limit.
    pub(crate) memory: u64,
    /// Load average over a minute when this size began.
    pub(crate) load: f64,
    pub(crate) cells: Vec<Cell>,
}

impl Size {
    pub(crate) fn of(&self, sort: Sort, limit: Limit) -> Option<&Cell> {
        let mut cells = self.cells.iter();
        cells.find(|cell| cell.sort == sort && cell.limit == limit)
    }
}

/// Measures everything; what is done is told on stderr.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Size>> {
    let sizes = options.plans.iter().map(|plan| one(bench, *plan));
    sizes.collect()
}

fn one(bench: &Bench, plan: Plan) -> Result<Size> {
    let load = load_now();
    let numbers = bench.numbers(plan)?;
    let subjects: Vec<(Sort, Limit)> = Sort::ALL
        .iter()
        .flat_map(|sort| Limit::ALL.map(|limit| (*sort, limit)))
        .collect();
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); subjects.len()];
    for round in 0..plan.repeat {
        for subject in turns::order(round, subjects.len()) {
            check_interrupt()?;
            let (sort, limit) = subjects[subject];
            runs[subject].push(bench.run(sort, limit, &numbers)?);
        }
        let (data, all, load) = (plan.data / 1_000_000, plan.repeat, load_now());
        eprintln!("{data} MB, round {} of {all}, load {load:.1}", round + 1);
    }
    let cell = |subject: usize| {
        let (sort, limit) = subjects[subject];
        let without = subjects
            .iter()
            .position(|other| *other == (sort, Limit::None));
        let without = &runs[without.context("no run without a limit")?];
        cell(sort, limit, &runs[subject], without)
    };
    Ok(Size {
        data: plan.data,
        memory: plan.memory,
        load,
        cells: (0..subjects.len()).map(cell).collect::<Result<_>>()?,
    })
}

fn cell(sort: Sort, limit: Limit, runs: &[Run], without: &[Run]) -> Result<Cell> {
    let spread =
        |value: fn(&Run) -> f64| Spread::of(runs.iter().map(value)).context("nothing was measured");
    let mut how: Vec<String> = Vec::new();
    for run in runs.iter().filter(|run| !run.how.is_empty()) {
        if !how.contains(&run.how) {
            how.push(run.how.clone());
        }
    }
    let pairs = runs.iter().zip(without);
    let both = pairs.filter(|(run, other)| run.lived && other.lived);
    Ok(Cell {
        sort,
        limit,
        rounds: runs.len(),
        lived: runs.iter().filter(|run| run.lived).count(),
        expected: runs
            .iter()
            .filter(|run| run.lived == lives(sort, limit, run.ground))
            .count(),
        how,
        cpu_ms: spread(|run| run.cpu_ms)?,
        real_ms: spread(|run| run.real_ms)?,
        real_ratio: Spread::of(both.map(|(run, other)| run.real_ms / other.real_ms)),
        memory_kib: spread(|run| run.memory_kib)?,
        own_kib: Spread::of(runs.iter().filter_map(|run| run.own_kib)),
    })
}
