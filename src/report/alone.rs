//! The outcome of a program that ran alone, for a person ([`render`]) or a program ([`json`]).

use anstyle::AnsiColor;
use serde::Serialize;

use crate::evidence::signal_name;
use crate::outcome::RunnerOutcome;
use crate::report::json::{Participant, Stderr, VERSION};
use crate::report::page::Page;
use crate::report::{explanation, terminal, usage};
use crate::spec::layer::{self, Layer};
use crate::transcript::dialogue::{ASIDE, CONTESTANT};
use crate::transcript::figure::Figure;

/// How many of the last lines of standard error a person sees.
const STDERR_LINES: usize = 6;

/// The report, for a terminal of `width` columns. It ends with a line end.
pub fn render(outcome: &RunnerOutcome, width: usize) -> String {
    let mut page = Page::new(width);
    let judgement = &outcome.judgement;
    let (letters, words, colour) = match judgement.failure {
        None => ("OK", "ok".to_owned(), AnsiColor::Green),
        Some(verdict) => (
            verdict.letters(),
            verdict.name().replace('-', " "),
            terminal::colour(verdict),
        ),
    };
    page.badge(letters, &words, colour, outcome.elapsed);
    page.reason(&judgement.reason);
    let mut hint = page.part();
    let explanation = outcome.program.explanation.as_ref();
    explanation::rows("program", CONTESTANT, explanation, &mut hint);
    page.section(&hint.out);
    page.section(&usage::of_one(&outcome.program));
    let mut notes = page.part();
    notes.refused("", &outcome.program.refused);
    notes.stderr(
        "the program",
        CONTESTANT,
        &outcome.program.stderr,
        STDERR_LINES,
    );
    for warning in &outcome.warnings {
        notes.entry("warning", AnsiColor::Yellow.on_default(), warning);
    }
    notes.entry("isolation", ASIDE, &layer::names(&outcome.isolation));
    page.section(&notes.out);
    page.out
}

#[derive(Serialize)]
struct Report<'a> {
    version: u64,
    verdict: &'static str,
    code: &'static str,
    reason: &'a str,
    program: Participant<'a>,
    /// What it wrote, if it was not sent elsewhere; long output is cut in its middle.
    stdout: Option<Stderr<'a>>,
    elapsed_ms: Figure,
    isolation: &'a [Layer],
    warnings: &'a [String],
    interrupted: Option<String>,
}

/// The report as one JSON object on one line, without a line end. `stdout` is the program's output,
/// where the object is to have it.
pub fn json(outcome: &RunnerOutcome, stdout: Option<&crate::outcome::Stderr>) -> String {
    let judgement = &outcome.judgement;
    let failure = judgement.failure;
    let report = Report {
        version: VERSION,
        verdict: failure.map_or("ok", |verdict| verdict.name()),
        code: failure.map_or("OK", |verdict| verdict.letters()),
        reason: &judgement.reason,
        program: (&outcome.program).into(),
        stdout: stdout.map(Stderr::from),
        elapsed_ms: Figure::milliseconds(outcome.elapsed),
        isolation: &outcome.isolation,
        warnings: &outcome.warnings,
        interrupted: outcome.interrupted.map(signal_name),
    };
    // Nothing in the object can fail to be written: all keys are strings.
    serde_json::to_string(&report).unwrap_or_default()
}

#[cfg(test)]
#[path = "alone_tests.rs"]
mod tests;
