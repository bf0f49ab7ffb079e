//! The rows of the table, measured in turns so that drift of the machine meets all of them alike.

use anyhow::Result;
use serde::Serialize;

use crate::harness::process::check_interrupt;
use crate::harness::statistics::Tail;
use crate::harness::turns;
use crate::options::Options;
use crate::subject::{Bench, SUBJECTS, Taken};

/// A measured row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) label: &'static str,
    /// Milliseconds until the deadlock was found.
    pub(crate) found_ms: Option<Tail>,
    /// Milliseconds until the run had ended.
    pub(crate) ended_ms: Option<Tail>,
    /// What 95 in 100 of the first must not exceed.
    pub(crate) at_most_ms: f64,
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
}

/// Measures every row.
pub(crate) fn measure(bench: &Bench, options: &Options) -> Result<Vec<Row>> {
    let mut missing: Vec<Option<String>> = Vec::new();
    for subject in &SUBJECTS {
        // A first run of each compiles it, and warms the caches.
        let why = bench.missing(subject).or_else(|| {
            let failed = bench.run(subject).err();
            failed.map(|error| format!("not measured: {error:#}"))
        });
        missing.push(why);
        check_interrupt()?;
    }
    let mut taken: Vec<Vec<Taken>> = SUBJECTS.iter().map(|_| Vec::new()).collect();
    for round in 0..options.repeat {
        for turn in turns::order(round, SUBJECTS.len()) {
            if missing[turn].is_none() {
                taken[turn].push(bench.run(&SUBJECTS[turn])?);
            }
            check_interrupt()?;
        }
    }
    let rows = SUBJECTS.iter().zip(taken).zip(missing);
    Ok(rows
        .map(|((subject, taken), missing)| Row {
            label: subject.label,
            found_ms: Tail::of(taken.iter().map(|taken| taken.found)),
            ended_ms: Tail::of(taken.iter().map(|taken| taken.ended)),
            at_most_ms: subject.at_most,
            missing,
        })
        .collect())
}
