//! The figures as tables, as JSON, as a plot, and against what is expected.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::cells::{Cell, Size};
use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::places;
use crate::harness::plot::{Line, Plot};
use crate::sorts::{Limit, Sort};
use crate::subject::Footprint;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    /// Load averages when everything had been measured.
    pub(crate) load_at_end: String,
    /// The file system of the numbers and of the outputs.
    pub(crate) file_system: String,
    pub(crate) footprint: Footprint,
    pub(crate) sizes: Vec<Size>,
    pub(crate) bounds: Vec<Bound>,
}

/// What must hold: that each kind of limit lets those live, and only those, that keep to it.
pub(crate) fn bounds(sizes: &[Size]) -> Vec<Bound> {
    let unexpected = |limit: Limit| {
        let cells = sizes.iter().flat_map(|size| &size.cells);
        let cells = cells.filter(|cell| cell.limit == limit);
        let runs: usize = cells.map(|cell| cell.rounds - cell.expected).sum();
        (!sizes.is_empty()).then_some(runs as f64)
    };
    let bound = |what, limit| Bound {
        what,
        unit: "unexpected",
        measured: unexpected(limit),
        at_most: 0.0,
    };
    vec![
        bound("outcomes, no limit", Limit::None),
        bound("outcomes, malloc", Limit::Malloc),
        bound("outcomes, address space", Limit::AddressSpace),
        bound("outcomes, resident", Limit::Resident),
    ]
}

impl Report {
    /// Writes JSON and the plot; what was written.
    pub(crate) fn write(&self) -> Result<Vec<PathBuf>> {
        let plot = self.plot().svg();
        Ok(vec![
            places::write_json("memory", self)?,
            places::write("memory.svg", &plot)?,
        ])
    }

    fn plot(&self) -> Plot {
        let shown = [(Limit::Resident, ""), (Limit::None, ", no limit")];
        let line = |sort: Sort, limit: Limit, suffix: &str| {
            let living = |size: &Size| {
                let cell = size.of(sort, limit)?;
                let point = (size.data as f64, cell.real_ms.median);
                (cell.lived == cell.rounds).then_some(point)
            };
            Line {
                name: format!("{}{suffix}", sort.name()),
                style: sort.style(limit),
                points: self.sizes.iter().filter_map(living).collect(),
            }
        };
        let lines = shown
            .iter()
            .flat_map(|(limit, suffix)| Sort::ALL.map(|sort| line(sort, *limit, suffix)));
        Plot {
            title: "Real time of a sort, where it lives with a limit on resident memory".to_owned(),
            x_label: "size of the file; the limit is a quarter, of the smallest a half".to_owned(),
            y_label: "Real time, median".to_owned(),
            lines: lines.filter(|line| !line.points.is_empty()).collect(),
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
            "rejoinder {} on {}\nload at the end {}; files on {}\n\
             a program that does nothing: {} KiB of address space, {} KiB of memory",
            self.version,
            self.machine,
            self.load_at_end,
            self.file_system,
            self.footprint.address_space_kib,
            self.footprint.memory_kib
        )?;
        for size in &self.sizes {
            self.summary(out, size)?;
            self.details(out, size)?;
        }
        writeln!(out)?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }

    /// Who lives, and how long it took; or how it ended.
    fn summary(&self, out: &mut String, size: &Size) -> fmt::Result {
        writeln!(
            out,
            "\n{} MB of numbers in {} MiB, load {:.1}: real time where it lived, median\n",
            size.data / 1_000_000,
            size.memory >> 20,
            size.load
        )?;
        write!(out, "{:<26}", "")?;
        for limit in Limit::ALL {
            write!(out, " {:<30}", limit.name())?;
        }
        writeln!(out)?;
        for sort in Sort::ALL {
            write!(out, "{:<26}", sort.name())?;
            for limit in Limit::ALL {
                let words = size.of(sort, limit).map_or_else(String::new, outcome);
                write!(out, " {words:<30}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn details(&self, out: &mut String, size: &Size) -> fmt::Result {
        writeln!(
            out,
            "\n{:<26} {:<14} {:>5}  {:<30} {:<30} {:<22} {:>11} {:>11}",
            "median (quartiles)",
            "",
            "lived",
            "real ms",
            "CPU ms",
            "times no limit",
            "memory KiB",
            "own KiB"
        )?;
        for cell in &size.cells {
            let lived = format!("{}/{}", cell.lived, cell.rounds);
            let ratio = cell.real_ratio.map_or("-".to_owned(), |r| r.to_string());
            let own = cell.own_kib.map_or("-".to_owned(), |s| whole(s.median));
            writeln!(
                out,
                "{:<26} {:<14} {lived:>5}  {:<30} {:<30} {ratio:<22} {:>11} {own:>11}",
                cell.sort.name(),
                cell.limit.name(),
                cell.real_ms.to_string(),
                cell.cpu_ms.to_string(),
                whole(cell.memory_kib.median),
            )?;
        }
        Ok(())
    }
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// A cell in a few words.
fn outcome(cell: &Cell) -> String {
    let how = cell.how.join("; ");
    let lived = match cell.real_ms.median / 1e3 {
        seconds if seconds < 10.0 => format!("{seconds:.2} s"),
        seconds => format!("{seconds:.1} s"),
    };
    match cell.lived {
        0 => how,
        lived_in if lived_in < cell.rounds => {
            format!("{lived_in} of {}: {lived}; {how}", cell.rounds)
        }
        _ if how.is_empty() => lived,
        _ => format!("{lived} ({how})"),
    }
}
