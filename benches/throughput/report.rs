//! The figures as a table, as JSON, as a plot, and against their bounds.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::flows::{BLOCKS, Between, Direction, Flow};
use crate::harness::bounds::Bound;
use crate::harness::cpus::Cpus;
use crate::harness::grouped_bars::{Bars, Group, Series};
use crate::harness::machine::Machine;
use crate::harness::places;
use crate::harness::statistics::shown;
use crate::rows::Row;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    /// Load averages when everything had been measured.
    pub(crate) load_at_end: String,
    /// Bytes that went each way.
    pub(crate) size: u64,
    pub(crate) rows: Vec<Row>,
    pub(crate) bounds: Vec<Bound>,
}

/// What must hold, with what was measured.
pub(crate) fn bounds(rows: &[Row]) -> Vec<Bound> {
    let flow = Flow {
        placement: Cpus::One,
        direction: Direction::OneWay,
        block: BLOCKS[0],
    };
    let bound = |what, between, at_most| Bound {
        what,
        unit: "times bare",
        measured: rows
            .iter()
            .find(|row| row.flow == flow && row.between == between)
            .and_then(|row| Some(row.ratio?.median)),
        at_most,
    };
    vec![
        bound("one way, tmpfs", Between::Tmpfs, 1.5),
        bound("one way, direct", Between::Direct, 1.2),
    ]
}

impl Report {
    /// Writes JSON and the plot; what was written.
    pub(crate) fn write(&self) -> Result<Vec<PathBuf>> {
        Ok(vec![
            places::write_json("throughput", self)?,
            places::write("throughput.svg", &self.plot().svg())?,
        ])
    }

    fn plot(&self) -> Bars {
        // Colours that the colour-blind can tell apart (Okabe and Ito's).
        let series = |between: Between| Series {
            name: between.name().to_owned(),
            colour: match between {
                Between::Bare => "#888888",
                Between::Tmpfs => "#0072b2",
                Between::Pipe => "#009e73",
                Between::Direct => "#e69f00",
            },
            hollow: between == Between::Bare,
        };
        let group = |flow: Flow| Group {
            name: format!("{}, {} KiB", flow.direction.name(), flow.block >> 10),
            values: Between::ALL
                .iter()
                .map(|between| {
                    let mut rows = self.rows.iter();
                    let row = rows.find(|row| row.flow == flow && row.between == *between)?;
                    Some(row.real_ms?.median)
                })
                .collect(),
        };
        let flows = Flow::all();
        let on_one_cpu = flows.iter().filter(|flow| flow.placement == Cpus::One);
        Bars {
            title: format!("{} MiB from program to program on one CPU", self.size >> 20),
            x_label: "milliseconds, median".to_owned(),
            series: Between::ALL.map(series).into(),
            groups: on_one_cpu.map(|flow| group(*flow)).collect(),
        }
    }

    /// The report for a person.
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        self.write_table(&mut out)
            .expect("writing to a string does not fail");
        out
    }

    fn write_table(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "rejoinder {} on {}\nload at the end {}; {} MiB each way",
            self.version,
            self.machine,
            self.load_at_end,
            self.size >> 20
        )?;
        let (mut flow, mut said) = (None, None);
        for row in &self.rows {
            if flow != Some(row.flow) {
                flow = Some(row.flow);
                writeln!(
                    out,
                    "\n{:<28} {:>2}  {:<27} {:<22} {:>7}  {:<27} coordinator CPU ms",
                    row.flow.name(),
                    "n",
                    "ms, first byte to last",
                    "times bare",
                    "MiB/s",
                    "contestant CPU ms"
                )?;
            }
            write!(out, "{:<28} {:>2}  ", row.between.name(), row.repetitions)?;
            match &row.missing {
                // The same reason usually holds for several rows.
                Some(why) if said == Some(why) => writeln!(out, "not measured: as above")?,
                Some(why) => {
                    writeln!(out, "not measured: {why}")?;
                    said = Some(why);
                }
                None => writeln!(
                    out,
                    "{:<27} {:<22} {:>7}  {:<27} {}",
                    shown(row.real_ms),
                    shown(row.ratio),
                    row.rate
                        .map_or_else(|| "-".to_owned(), |rate| format!("{:.0}", rate.median)),
                    shown(row.contestant_cpu_ms),
                    shown(row.coordinator_cpu_ms)
                )?,
            }
        }
        writeln!(out, "\nMedian, then lower and upper quartile.\n")?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }
}
