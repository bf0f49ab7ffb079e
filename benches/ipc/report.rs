//! The figures as tables, as JSON, as a plot, and against their bounds.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::cells::Cell;
use crate::harness::bounds::Bound;
use crate::harness::cpus::Cpus;
use crate::harness::grouped_bars::{Bars, Group, Series};
use crate::harness::machine::Machine;
use crate::harness::places;
use crate::harness::statistics::{Spread, shown};
use crate::ways::{Channel, Parties, Way};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    /// Load averages when everything had been measured.
    pub(crate) load_at_end: String,
    pub(crate) cells: Vec<Cell>,
    pub(crate) bounds: Vec<Bound>,
}

/// What must hold, with what was measured.
pub(crate) fn bounds(cells: &[Cell]) -> Vec<Bound> {
    let median = |channel, parties, value: fn(&Cell) -> Option<Spread>| {
        let way = Way {
            channel,
            parties,
            placement: Cpus::One,
        };
        let cell = cells.iter().find(|cell| cell.way == way)?;
        Some(value(cell)?.median)
    };
    let bound = |what, unit, measured, at_most| Bound {
        what,
        unit,
        measured,
        at_most,
    };
    let failed = cells.iter().filter(|cell| cell.missing.is_some()).count();
    vec![
        bound(
            "ways that could not be measured",
            "",
            Some(failed as f64),
            0.0,
        ),
        bound(
            "message queue between threads",
            "times proc.",
            median(Channel::Queue, Parties::Threads, |cell| {
                cell.times_processes
            }),
            1.2,
        ),
        bound(
            "watched file on one CPU",
            "times pipe",
            median(Channel::Watched, Parties::Processes, |cell| cell.real_ratio),
            4.0,
        ),
    ]
}

impl Report {
    /// Writes JSON and the plot; what was written.
    pub(crate) fn write(&self) -> Result<Vec<PathBuf>> {
        Ok(vec![
            places::write_json("ipc", self)?,
            places::write("ipc.svg", &self.plot().svg())?,
        ])
    }

    fn of(&self, way: Way) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.way == way)
    }

    fn plot(&self) -> Bars {
        let columns = Cpus::ALL
            .iter()
            .flat_map(|placement| Parties::ALL.map(|parties| (*placement, parties)));
        let series = columns.clone().map(|(placement, parties)| Series {
            name: format!("{}, {}", parties.word(), placement.name()),
            // Colours that the colour-blind can tell apart (Okabe and Ito's).
            colour: match placement {
                Cpus::One => "#0072b2",
                Cpus::Two => "#d55e00",
            },
            hollow: parties == Parties::Threads,
        });
        let group = |channel: Channel| Group {
            name: channel.name().to_owned(),
            values: columns
                .clone()
                .map(|(placement, parties)| {
                    let way = Way {
                        channel,
                        parties,
                        placement,
                    };
                    Some(self.of(way)?.real_us?.median)
                })
                .collect(),
        };
        Bars {
            title: "Real time of a message of 1032 bytes".to_owned(),
            x_label: "microseconds, median".to_owned(),
            series: series.collect(),
            groups: Channel::ALL.map(group).into(),
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
            "rejoinder {} on {}\nload at the end {}",
            self.version, self.machine, self.load_at_end
        )?;
        for placement in Cpus::ALL {
            self.placement(out, placement)?;
        }
        writeln!(out, "\nMedian, then lower and upper quartile.\n")?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }

    fn placement(&self, out: &mut String, placement: Cpus) -> fmt::Result {
        writeln!(
            out,
            "\n{:<26} {:>8} {:>2}  {:<26} {:>7}  {:<26} {:>7}  {:<22} {:>9} {:>7} {:>7} {:>8}",
            placement.name(),
            "messages",
            "n",
            "real s",
            "us each",
            "reader CPU s",
            "us each",
            "times pipe",
            "times",
            "reader",
            "writer",
            "kept"
        )?;
        writeln!(
            out,
            "{:<134} {:>9} {:>7} {:>7} {:>8}",
            "", "processes", "waits", "waits", "MiB"
        )?;
        for cell in self
            .cells
            .iter()
            .filter(|cell| cell.way.placement == placement)
        {
            let way = cell.way;
            let label = format!("{}, {}", way.channel.name(), way.parties.word());
            write!(
                out,
                "{label:<26} {:>8} {:>2}  ",
                cell.messages, cell.repetitions
            )?;
            if let Some(why) = &cell.missing {
                writeln!(out, "not measured: {why}")?;
                continue;
            }
            writeln!(
                out,
                "{:<26} {:>7}  {:<26} {:>7}  {:<22} {:>9} {:>7} {:>7} {:>8}",
                shown(cell.real_s),
                middle(cell.real_us, 2),
                shown(cell.reader_cpu_s),
                middle(cell.reader_cpu_us, 2),
                shown(cell.real_ratio),
                middle(cell.times_processes, 2),
                middle(cell.reader_sleeps, 3),
                middle(cell.writer_sleeps, 3),
                middle(cell.kept_mib, 1),
            )?;
        }
        Ok(())
    }
}

fn middle(spread: Option<Spread>, digits: usize) -> String {
    spread.map_or_else(|| "-".to_owned(), |s| format!("{:.digits$}", s.median))
}
