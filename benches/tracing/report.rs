//! The figures as a table, as JSON, and against their bounds.

use std::fmt::Write as _;

use serde::Serialize;

use crate::harness::machine::Machine;
use crate::harness::statistics::Spread;
use crate::rows::Row;
use crate::subject::Watcher;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
    pub(crate) bounds: Vec<Bound>,
}

/// A figure that must not be exceeded.
#[derive(Debug, Serialize)]
pub(crate) struct Bound {
    pub(crate) what: &'static str,
    /// What it is compared with.
    pub(crate) times: &'static str,
    /// `None` if it could not be measured, which is no success either.
    pub(crate) measured: Option<f64>,
    pub(crate) at_most: f64,
}

impl Bound {
    pub(crate) fn holds(&self) -> bool {
        self.measured.is_some_and(|value| value <= self.at_most)
    }
}

/// What must hold, with what was measured.
pub(crate) fn bounds(rows: &[Row]) -> Vec<Bound> {
    let row = |watcher| rows.iter().find(|row| row.watcher == Some(watcher));
    let median = |watcher, ratio: fn(&Row) -> Option<Spread>| Some(ratio(row(watcher)?)?.median);
    let calls = |watcher| median(watcher, |row| row.call_ratio);
    let bound = |what, times, measured, at_most| Bound {
        what,
        times,
        measured,
        at_most,
    };
    let sandbox = Watcher::Rejoinder;
    vec![
        // Bare would be a bound on the kernel: whatever filter there is, it goes a slower way.
        bound(
            "getpid in a loop",
            "a filter that allows everything",
            calls(sandbox)
                .zip(calls(Watcher::AllowingFilter))
                .map(|(sandbox, filter)| sandbox / filter),
            1.05,
        ),
        bound(
            "pure computation",
            "bare",
            median(sandbox, |row| row.compute_ratio),
            1.02,
        ),
        bound(
            "start of a static program",
            "bare",
            row(sandbox).and_then(|row| row.start_ratio),
            5.0,
        ),
    ]
}

impl Report {
    /// The report for a person.
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        self.write_table(&mut out)
            .expect("writing to a string does not fail");
        out
    }

    fn write_table(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "rejoinder {} on {}\n", self.version, self.machine)?;
        writeln!(
            out,
            "{:<34} {:<24} {:<24} {:<22} {:<20} {:<20} times bare",
            "", "getpid, ns", "times bare", "computing, ms", "times bare", "start and end, ms"
        )?;
        for row in &self.rows {
            write!(out, "{:<34} ", row.label)?;
            match &row.missing {
                Some(why) => writeln!(out, "{why}")?,
                None => writeln!(
                    out,
                    "{:<24} {:<24} {:<22} {:<20} {:<20} {}",
                    spread(row.call_ns, 0),
                    spread(row.call_ratio, 2),
                    spread(row.compute_ms, 1),
                    spread(row.compute_ratio, 3),
                    spread(row.start_ms, 2),
                    row.start_ratio
                        .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
                )?,
            }
        }
        writeln!(out, "\nMedian, then lower and upper quartile.\n")?;
        for bound in &self.bounds {
            let measured = bound
                .measured
                .map_or_else(|| "not measured".to_owned(), |value| format!("{value:.3}"));
            let verdict = match (bound.measured, bound.holds()) {
                (None, _) => "MISSING",
                (Some(_), true) => "ok",
                (Some(_), false) => "TOO MUCH",
            };
            writeln!(
                out,
                "{:<27} {measured:>12} times {}, at most {:.2}   {verdict}",
                bound.what, bound.times, bound.at_most
            )?;
        }
        Ok(())
    }
}

fn spread(spread: Option<Spread>, digits: usize) -> String {
    spread.map_or_else(
        || "-".to_owned(),
        |s| {
            format!(
                "{:.digits$} ({:.digits$} to {:.digits$})",
                s.median, s.lower, s.upper
            )
        },
    )
}
