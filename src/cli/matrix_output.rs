//! What a matrix tells while it runs and when it has ended, and where.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::error::{Context, Error, Result, reason, shown};
use crate::matrix::Summary;
use crate::matrix::record::{Frame, Record};
use crate::report;
use crate::report::html::scene::{Scene, Scenes};
use crate::report::matrix::surprise;

/// Where the results go besides the table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(super) struct Target {
    /// Print one JSON object a line instead of the table: what is tested, then each session as it
    /// ends (see docs/testing.md)
    #[arg(long)]
    pub(super) json: bool,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the results to this file as a page for a browser, with every dialogue
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Target {
    /// True if transcripts are to be looked at, whether they are kept or not.
    pub(super) fn shows_transcripts(&self) -> bool {
        self.html.is_some()
    }
}

/// The results on their way out.
pub(super) struct Output<'a> {
    target: &'a Target,
    frame: Frame,
    records: Vec<Record>,
    /// What the page shows of the records' transcripts, in their order.
    shown: Vec<Option<Scene>>,
    scenes: Scenes,
    bar: ProgressBar,
    /// Opened before anything runs, so that a mistake in a name costs nothing.
    junit: Option<Document<'a>>,
    html: Option<Document<'a>>,
    surprises: bool,
}

impl<'a> Output<'a> {
    /// Begins to tell of a matrix of so many sessions; 0 if that is not known.
    ///
    /// # Errors
    /// If a file cannot be made, or nothing can be printed.
    pub(super) fn begin(target: &'a Target, frame: &Frame, sessions: usize) -> Result<Self> {
        let output = Output {
            junit: target.junit.as_deref().map(Document::open).transpose()?,
            html: target.html.as_deref().map(Document::open).transpose()?,
            bar: bar(sessions),
            target,
            frame: frame.clone(),
            records: Vec::new(),
            shown: Vec::new(),
            scenes: Scenes::default(),
            surprises: false,
        };
        output.line(frame)?;
        for solution in &frame.solutions {
            if let Some(not_run) = &solution.not_run {
                output.say(&format!("{}: {}", solution.name, not_run.why));
            }
        }
        Ok(output)
    }

    /// A session has begun.
    pub(super) fn begun(&self, solution: &str, test: &str) {
        self.bar.set_message(format!("{solution} on {test}"));
    }

    /// A session has ended; `transcript` is there for as long as this takes.
    pub(super) fn ended(&mut self, record: Record, transcript: Option<&Path>) -> Result<()> {
        if self.html.is_some() {
            let scene = |path| self.scenes.of(path, !record.may_be());
            self.shown.push(transcript.map(scene));
        }
        self.line(&record)?;
        if !record.may_be() {
            self.surprises = true;
            self.say(&surprise(&record));
        }
        self.bar.inc(1);
        self.records.push(record);
        Ok(())
    }

    /// True if no session has ended, and nothing was said of those that could not begin.
    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.frame.solutions.iter().all(|s| s.not_run.is_none())
    }

    /// True if a session has ended as it should not.
    pub(super) fn has_surprises(&self) -> bool {
        self.surprises
    }

    /// Tells what it all comes to.
    pub(super) fn finish(mut self) -> Result<Summary> {
        self.bar.finish_and_clear();
        let summary = Summary::of(&self.frame, &self.records);
        let (frame, records) = (&self.frame, &self.records);
        if let Some(document) = self.junit.take() {
            document.write(&report::junit::render(frame, records, &summary))?;
        }
        if let Some(document) = self.html.take() {
            document.write(&report::html::render(frame, records, &self.shown, &summary))?;
        }
        if !self.target.json {
            let width = super::width();
            super::print(&report::matrix::render(&self.frame, &summary, width))?;
        }
        Ok(summary)
    }

    /// One object of `--json`.
    fn line(&self, object: &impl Serialize) -> Result<()> {
        match self.target.json {
            // Nothing in the objects can fail to be written: all keys are strings.
            true => super::print(&(serde_json::to_string(object).unwrap_or_default() + "\n")),
            false => Ok(()),
        }
    }

    /// Says something at once, without disturbing the bar.
    fn say(&self, text: &str) {
        self.bar.suspend(|| super::tell(&format!("{text}\n")));
    }
}

/// A file that the results are written to at the end.
struct Document<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> Document<'a> {
    fn open(path: &'a Path) -> Result<Self> {
        let file = File::create(path).map_err(|e| {
            let (path, why) = (shown(path), reason(&e));
            Error::usage(format!("cannot write the results to {path}: {why}"))
        })?;
        Ok(Document { path, file })
    }

    fn write(mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written.context(|| format!("write the results to {}", shown(self.path)))
    }
}

/// A progress bar on a terminal, and nothing elsewhere.
fn bar(sessions: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match sessions {
        0 => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} sessions  {msg}",
        ),
        _ => (
            ProgressBar::new(sessions as u64),
            "{bar:24} {pos} of {len}, {eta} left  {wide_msg}",
        ),
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    // The template is a constant.
    bar.with_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
