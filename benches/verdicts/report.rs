//! The figures as a table, as JSON, and against their bounds.

use std::fmt::Write as _;

use serde::Serialize;

use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::statistics::Tail;
use crate::rows::Row;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    /// Runs of each program.
    pub(crate) runs: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) bounds: Vec<Bound>,
}

/// What must hold, with what was measured. What is not installed has no bound.
pub(crate) fn bounds(rows: &[Row]) -> Vec<Bound> {
    let skipped = |row: &&Row| {
        let why = row.missing.as_deref();
        !why.is_some_and(|why| why.starts_with("skipped"))
    };
    rows.iter()
        .filter(skipped)
        .map(|row| Bound {
            what: row.label,
            unit: "ms (p95)",
            measured: row.found_ms.map(|tail| tail.p95),
            at_most: row.at_most_ms,
        })
        .collect()
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
        writeln!(
            out,
            "rejoinder {} on {}, {} runs each\n",
            self.version, self.machine, self.runs
        )?;
        writeln!(out, "{:<24} {:<40} run ended, ms", "", "deadlock found, ms")?;
        write!(out, "{:<24}", "")?;
        for _ in 0..2 {
            for head in ["50 %", "90 %", "95 %", "99 %", "most"] {
                write!(out, " {head:>7}")?;
            }
        }
        writeln!(out)?;
        for row in &self.rows {
            match (&row.missing, row.found_ms, row.ended_ms) {
                (None, Some(found), Some(ended)) => {
                    write!(out, "{:<24}", row.label)?;
                    write_tail(out, found)?;
                    write_tail(out, ended)?;
                    writeln!(out)?;
                }
                (why, _, _) => {
                    let why = why.as_deref().unwrap_or("not measured");
                    writeln!(out, "{:<24} {why}", row.label)?;
                }
            }
        }
        writeln!(out)?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }
}

fn write_tail(out: &mut String, tail: Tail) -> std::fmt::Result {
    for value in [tail.p50, tail.p90, tail.p95, tail.p99, tail.most] {
        write!(out, " {value:>7.2}")?;
    }
    Ok(())
}
