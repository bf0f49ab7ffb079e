//! An examination, for a person ([`render`]) or a program ([`json`]).

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::{Examination, Finding, Kind, State};
use crate::spec::layer::{self, Layer};
use crate::spec::nearest::listed;
use crate::transcript::escape;

/// The version of the object.
const VERSION: u64 = 1;

/// The columns of a row before its text.
const NAME: usize = 20;
const STATE: usize = 8;

/// The widest that sentences get.
const WIDEST: usize = 100;

/// The table, for a terminal of `width` columns.
pub fn render(examination: &Examination, width: usize) -> String {
    let mut out = String::new();
    let width = width.min(WIDEST);
    let groups = [
        (Kind::Layer, "Layers around a program"),
        (Kind::Means, "What rejoinder works with"),
        (Kind::Measure, "Limits and times"),
    ];
    for (kind, title) in groups {
        let mut rows = String::new();
        for finding in examination
            .findings
            .iter()
            .filter(|finding| finding.kind == kind)
        {
            row(&mut rows, finding, width);
        }
        if !rows.is_empty() {
            let bold = Style::new().bold();
            let _ = writeln!(out, "{bold}{title}{bold:#}\n{rows}");
        }
    }
    let (words, colour) = match examination.fits() {
        true => ("programs can be run here", AnsiColor::Green),
        false => ("programs cannot be run here", AnsiColor::Red),
    };
    let style = colour.on_default().bold();
    let _ = writeln!(out, "{style}As {}, {words}{style:#}", examination.user);
    for line in escape::fill(&summary(examination), width) {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn row(out: &mut String, finding: &Finding, width: usize) {
    let (word, colour) = match finding.state {
        State::Yes => ("yes", AnsiColor::Green),
        State::Partly => ("partly", AnsiColor::Yellow),
        State::No => ("no", AnsiColor::Red),
    };
    let style = colour.on_default();
    let mut texts = vec![finding.found.clone()];
    texts.extend(
        finding
            .costs
            .as_ref()
            .map(|costs| format!("Cost: {costs}.")),
    );
    texts.extend(
        finding
            .remedy
            .as_ref()
            .map(|remedy| format!("To have it: {remedy}.")),
    );
    let room = width.saturating_sub(2 + NAME + STATE).max(20);
    let lines = texts.iter().flat_map(|text| escape::fill(text, room));
    for (number, line) in lines.enumerate() {
        let _ = match number {
            0 => writeln!(
                out,
                "  {:<NAME$}{style}{word}{style:#}{}{line}",
                finding.name,
                " ".repeat(STATE - word.len())
            ),
            _ => writeln!(out, "  {:1$}{line}", "", NAME + STATE),
        };
    }
}

/// What follows from the table.
fn summary(examination: &Examination) -> String {
    let missing = examination.missing();
    match (
        &examination.isolation,
        missing.as_slice(),
        &examination.refusal,
    ) {
        (_, [_, ..], _) => format!("Nothing runs without {}.", listed(missing.iter().copied())),
        (None, ..) => {
            "Nothing runs without a layer that hides files: namespaces, or Landlock.".to_owned()
        }
        (_, _, Some(refusal)) => format!("A run would say: {refusal}."),
        (Some(isolation), ..) => {
            let required = match examination.required.as_slice() {
                [] => String::new(),
                required => format!(
                    " The required layers are there: {}.",
                    layer::names(required)
                ),
            };
            format!(
                "A run has the layers {}.{required}",
                layer::names(isolation)
            )
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u64,
    fits: bool,
    user: &'a str,
    isolation: &'a [Layer],
    required: &'a [Layer],
    refusal: Option<&'a str>,
    findings: &'a [Finding],
}

/// One object on one line, without a line end; docs/json.md explains it.
pub fn json(examination: &Examination) -> String {
    let report = Report {
        version: VERSION,
        fits: examination.fits(),
        user: &examination.user,
        isolation: examination.isolation.as_deref().unwrap_or_default(),
        required: &examination.required,
        refusal: examination.refusal.as_deref(),
        findings: &examination.findings,
    };
    // Nothing in the object can fail to be written: all keys are strings.
    serde_json::to_string(&report).unwrap_or_default()
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
