//! The figures as a table, as JSON, and against their bounds.

use std::fmt::Write as _;

use serde::Serialize;

use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::statistics::{Spread, shown};
use crate::rows::{DIRECT, Figures, LOGGED};
use crate::whole::{Memory, Startup};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Figures>,
    /// The figure, or why there is none.
    pub(crate) startup: Result<Startup, String>,
    /// The figure, or why there is none.
    pub(crate) memory: Result<Memory, String>,
    pub(crate) bounds: Vec<Bound>,
}

/// What must hold, with what was measured.
pub(crate) fn bounds(
    rows: &[Figures],
    startup: Option<&Startup>,
    memory: Option<&Memory>,
) -> Vec<Bound> {
    let median = |key: &str, ratio: fn(&Figures) -> Option<Spread>| {
        let row = rows.iter().find(|row| row.key == key);
        Some(row.and_then(ratio)?.median)
    };
    let bound = |what, unit, measured, at_most| Bound {
        what,
        unit,
        measured,
        at_most,
    };
    vec![
        bound(
            "round trip, fully logged",
            "times bare",
            median(LOGGED, |row| row.round_ratio),
            3.8,
        ),
        bound(
            "round trip, --channel direct",
            "times bare",
            median(DIRECT, |row| row.round_ratio),
            1.15,
        ),
        bound(
            "contestant's CPU time a round",
            "times bare",
            median(LOGGED, |row| row.contestant_cpu_ratio),
            2.0,
        ),
        bound(
            "whole run of tiny programs",
            "times bare",
            startup.map(|s| s.ratio),
            6.0,
        ),
        bound(
            "coordinator's peak memory",
            "MiB",
            memory.map(|m| m.peak_mib),
            16.0,
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
            "{:<29} {:>7} {:>3}  {:<23} {:<22} {:<23} times bare",
            "", "rounds", "n", "us a round", "times bare", "contestant CPU us"
        )?;
        let mut said = None;
        for row in &self.rows {
            write!(out, "{:<29} ", row.label)?;
            match &row.missing {
                // The same reason usually holds for several rows.
                Some(why) if said == Some(why) => writeln!(out, "not measured: as above")?,
                Some(why) => {
                    writeln!(out, "not measured: {why}")?;
                    said = Some(why);
                }
                None => writeln!(
                    out,
                    "{:>7} {:>3}  {:<23} {:<22} {:<23} {}",
                    row.rounds,
                    row.repetitions,
                    shown(row.round_us),
                    shown(row.round_ratio),
                    shown(row.contestant_cpu_us),
                    shown(row.contestant_cpu_ratio)
                )?,
            }
        }
        writeln!(out, "\nMedian, then lower and upper quartile.\n")?;
        match &self.startup {
            Ok(startup) => writeln!(
                out,
                "whole run of tiny programs    bare {} ms, rejoinder {} ms, {} pairs",
                startup.bare_ms, startup.tool_ms, startup.pairs
            )?,
            Err(why) => {
                let why = if said == Some(why) { "as above" } else { why };
                writeln!(out, "whole run of tiny programs    not measured: {why}")?;
            }
        }
        match &self.memory {
            Ok(memory) => writeln!(
                out,
                "coordinator's peak memory     {:.1} MiB after {} rounds, {:.1} MiB after one\n",
                memory.peak_mib, memory.rounds, memory.peak_mib_of_one_round
            )?,
            Err(why) => {
                let why = if said == Some(why) { "as above" } else { why };
                writeln!(out, "coordinator's peak memory     not measured: {why}\n")?;
            }
        }
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }
}
