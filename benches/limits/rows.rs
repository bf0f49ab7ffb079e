//! The rows of the table, measured in turns so that drift of the machine meets all of them alike.

use anyhow::Result;
use serde::Serialize;

use crate::cases::{Beside, CASES, Limit};
use crate::harness::bounds::Bound;
use crate::harness::process::check_interrupt;
use crate::harness::statistics::Tail;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, Overrun};

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) machine: Beside,
    pub(crate) limit: Limit,
    pub(crate) label: &'static str,
    /// What was allowed, in the unit.
    pub(crate) allowed: f64,
    /// Of all that follows.
    pub(crate) unit: &'static str,
    /// By how much the limit was exceeded when that was found.
    pub(crate) found: Option<Tail>,
    /// By how much in all.
    pub(crate) in_all: Option<Tail>,
    #[serde(skip)]
    pub(crate) bound: Option<Bound>,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Measures every row on one machine after the other.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for machine in options.beside {
        rows.extend(measure_on(bench, options, *machine)?);
    }
    Ok(rows)
}

fn measure_on(bench: &Bench, options: &Options, machine: Beside) -> Result<Vec<Row>> {
    let _load = match machine {
        Beside::Idle => Vec::new(),
        Beside::Loaded => bench.load()?,
    };
    let mut missing: Vec<Option<String>> = Vec::new();
    for case in &CASES {
        // A first run of each shows whether there is something to measure, and warms the caches.
        let failed = bench.run(case).err();
        missing.push(failed.map(|error| format!("not measured: {error:#}")));
        check_interrupt()?;
    }
    let mut taken: Vec<Vec<Overrun>> = CASES.iter().map(|_| Vec::new()).collect();
    for round in 0..options.repeat {
        for turn in turns::order(round, CASES.len()) {
            if missing[turn].is_none() {
                taken[turn].push(bench.run(&CASES[turn])?);
            }
            check_interrupt()?;
        }
    }
    let rows = CASES.iter().zip(taken).zip(missing);
    Ok(rows
        .map(|((case, taken), missing)| {
            let in_all = Tail::of(taken.iter().map(|overrun| overrun.in_all));
            Row {
                machine,
                limit: case.limit,
                label: case.label,
                allowed: case.limit.value().1,
                unit: case.limit.unit(),
                found: Tail::of(taken.iter().map(|overrun| overrun.found)),
                in_all,
                bound: case.bound.map(|(names, at_most)| Bound {
                    what: names[usize::from(machine == Beside::Loaded)],
                    unit: "ms (p95)",
                    measured: in_all.map(|tail| tail.p95),
                    at_most,
                }),
                missing,
            }
        })
        .collect())
}
