//! The figures as a table, as JSON, as a plot, and against their bounds.

use std::fmt::{self, Write as _};

use nix::unistd::geteuid;
use serde::Serialize;

use crate::cases::{Beside, Limit};
use crate::harness::bars::{Bar, Chart};
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
    /// Who measured.
    pub(crate) user: String,
    /// The layers of isolation, on which it depends how memory is limited.
    pub(crate) isolation: Vec<String>,
    /// Runs of each row.
    pub(crate) runs: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) bounds: Vec<Bound>,
}

/// Who runs this, in words.
pub(crate) fn user() -> String {
    match geteuid() {
        id if id.is_root() => "root".to_owned(),
        id => format!("user {id}"),
    }
}

impl Report {
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
            "rejoinder {} on {}, as {}, {} runs each\nisolation: {}",
            self.version,
            self.machine,
            self.user,
            self.runs,
            self.isolation.join(", ")
        )?;
        for machine in Beside::ALL {
            let mut rows = self.of(machine).peekable();
            if rows.peek().is_none() {
                continue;
            }
            let title = format!("beyond the limit, {} machine", machine.name());
            writeln!(
                out,
                "\n{title:<38} {:>10}     {:<43} in all",
                "allowed", "when it was found"
            )?;
            write!(out, "{:<53}", "")?;
            for _ in 0..2 {
                for head in ["50 %", "95 %", "99 %", "most"] {
                    write!(out, " {head:>10}")?;
                }
            }
            writeln!(out)?;
            for row in rows {
                write!(out, "{:<38} ", row.label)?;
                match (&row.missing, row.found, row.in_all) {
                    (None, Some(found), Some(in_all)) => {
                        write!(out, "{:>10} {:<3}", row.allowed, row.unit)?;
                        write_tail(out, found)?;
                        write_tail(out, in_all)?;
                        writeln!(out)?;
                    }
                    (why, _, _) => {
                        writeln!(out, "{}", why.as_deref().unwrap_or("not measured"))?;
                    }
                }
            }
        }
        writeln!(out)?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }

    fn of(&self, machine: Beside) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.machine == machine)
    }

    /// The limits of time; those of sizes have another unit.
    pub(crate) fn chart(&self) -> Chart {
        let timed = |row: &&Row| !matches!(row.limit, Limit::Memory | Limit::Output);
        let bar = |row: &Row| {
            let tail = row.in_all?;
            Some(Bar {
                name: format!("{}, {}", row.label, row.machine.name()),
                value: tail.p50,
                marks: vec![tail.p95, tail.p99, tail.most],
                reference: row.machine == Beside::Idle,
            })
        };
        Chart {
            title: "How far beyond its limit a program gets".to_owned(),
            axis: "milliseconds in all: median, and strokes at 95 %, 99 % and the most".to_owned(),
            bars: self.rows.iter().filter(timed).filter_map(bar).collect(),
        }
    }
}

fn write_tail(out: &mut String, tail: Tail) -> fmt::Result {
    for value in [tail.p50, tail.p95, tail.p99, tail.most] {
        write!(out, " {value:>10.3}")?;
    }
    Ok(())
}
