//! The figures as tables, as JSON, as a plot, and against their bounds.

use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::harness::bars::{Bar, Chart};
use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::statistics::Spread;
use crate::rows::{Group, Row};
use crate::sessions::Sessions;
use crate::subject::Kind;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
    pub(crate) sessions: Vec<Sessions>,
    pub(crate) bounds: Vec<Bound>,
}

/// The groups that have bounds, and how many times what it is compared with each row may be.
const BOUNDED: [(Group, f64, [&str; 3]); 3] = [
    (
        Group::Exec,
        5.0,
        ["exec, C static", "exec, C dynamic", "exec, Python 3"],
    ),
    (
        Group::Run,
        6.0,
        ["run, C static", "run, C dynamic", "run, Python 3"],
    ),
    (
        Group::Logged,
        6.0,
        [
            "run and transcript, C static",
            "run and transcript, C dynamic",
            "run and transcript, Python 3",
        ],
    ),
];

/// What must hold, with what was measured. What is not installed has no bound.
pub(crate) fn bounds(rows: &[Row]) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for (group, at_most, names) in BOUNDED {
        for (kind, what) in Kind::ALL.into_iter().zip(names) {
            let row = rows
                .iter()
                .find(|row| (row.group, row.kind) == (group, kind));
            let why = row.and_then(|row| row.missing.as_deref());
            if why.is_some_and(|why| why.starts_with("skipped")) {
                continue;
            }
            bounds.push(Bound {
                what,
                unit: "times bare",
                measured: row.and_then(|row| Some(row.ratio?.median)),
                at_most,
            });
        }
    }
    bounds
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
        writeln!(out, "rejoinder {} on {}", self.version, self.machine)?;
        let against_bare = ["bare, ms", "rejoinder, ms", "times bare"];
        for (group, title) in [
            (Group::Exec, "rejoinder exec"),
            (Group::Run, "rejoinder run, both programs"),
            (Group::Logged, "rejoinder run with a transcript"),
        ] {
            heading(out, title, against_bare)?;
            for row in self.of(group) {
                line(out, row, [row.beside_ms, row.ms, row.ratio])?;
            }
        }
        for (group, title) in [
            (Group::ExecLayer, "layers of exec, C static"),
            (Group::RunLayer, "layers of run, C dynamic"),
        ] {
            heading(out, title, ["as it is, ms", "so, ms", "more, ms"])?;
            for row in self.of(group) {
                line(out, row, [row.beside_ms, row.ms, row.more_ms])?;
            }
        }
        let head = ["bare", "rejoinder run", "times bare"];
        heading(out, "sessions a second, C dynamic", head)?;
        for sessions in &self.sessions {
            write!(out, "{:<48} ", format!("{} at a time", sessions.at_a_time))?;
            let figures = [
                sessions.bare_a_second,
                sessions.run_a_second,
                sessions.ratio,
            ];
            figures_or(out, sessions.missing.as_deref(), figures)?;
        }
        writeln!(out, "\nMedian, then lower and upper quartile.\n")?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }

    fn of(&self, group: Group) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.group == group)
    }

    /// Medians of what has a bound, each below what it is compared with.
    pub(crate) fn chart(&self) -> Chart {
        let bar = |name: String, spread: Option<Spread>, reference| {
            let spread = spread?;
            Some(Bar {
                name,
                value: spread.median,
                marks: vec![spread.lower, spread.upper],
                reference,
            })
        };
        let mut bars = Vec::new();
        for kind in Kind::ALL {
            for (group, what, bare) in [
                (Group::Exec, "rejoinder exec", Some("bare")),
                (Group::Run, "rejoinder run", Some("both bare")),
                (Group::Logged, "run with a transcript", None),
            ] {
                let name = |what: &str| format!("{}: {what}", kind.name());
                for row in self.of(group).filter(|row| row.kind == kind) {
                    bars.extend(bare.and_then(|bare| bar(name(bare), row.beside_ms, true)));
                    bars.extend(bar(name(what), row.ms, false));
                }
            }
        }
        Chart {
            title: "From the start of tiny programs until their end is known".to_owned(),
            axis: "milliseconds: median and quartiles".to_owned(),
            bars,
        }
    }
}

fn heading(out: &mut String, title: &str, head: [&str; 3]) -> fmt::Result {
    let [first, second, third] = head;
    writeln!(out, "\n{title:<48} {first:<28} {second:<28} {third}")
}

fn line(out: &mut String, row: &Row, figures: [Option<Spread>; 3]) -> fmt::Result {
    write!(out, "{:<48} ", row.label)?;
    figures_or(out, row.missing.as_deref(), figures)
}

fn figures_or(out: &mut String, why: Option<&str>, figures: [Option<Spread>; 3]) -> fmt::Result {
    match (why, figures) {
        (None, [Some(first), Some(second), Some(third)]) => {
            writeln!(out, "{first:<28} {second:<28} {third}")
        }
        (why, _) => writeln!(out, "{}", why.unwrap_or("not measured")),
    }
}
