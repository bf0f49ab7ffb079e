//! Both sides of a dialogue with times, as a table: the first lines, the last ones, and how many lie
//! between.
//!
//! What one side says is joined until a line is whole, or until another stream speaks or something
//! happens.

use std::collections::VecDeque;
use std::time::Duration;

use maud::{Markup, html};

use super::plain;
use super::session::omitted;
use crate::transcript::amount::counted;
use crate::transcript::escape;
use crate::transcript::event::Event;
use crate::transcript::format::Source;

/// How much of a dialogue is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// Lines from its beginning, and as many from its end.
    pub(super) lines: usize,
    /// Bytes of one line.
    pub(super) bytes: usize,
}

impl Extent {
    /// Of a session that is not as it should be.
    pub(super) const SURPRISE: Extent = Extent {
        lines: 200,
        bytes: 400,
    };
    /// Of any other.
    pub(super) const EXPECTED: Extent = Extent {
        lines: 30,
        bytes: 200,
    };
}

/// A row of the table.
#[derive(Debug)]
struct Row {
    at: Duration,
    said: Said,
    /// Bytes that it stands for.
    length: u64,
}

#[derive(Debug)]
enum Said {
    /// Bytes of a stream, and whether the line's end came.
    Bytes(Source, Vec<u8>, bool),
    /// Something that happened, in words.
    Event(String),
}

/// A dialogue that is being read.
#[derive(Debug)]
pub(super) struct Dialogue {
    extent: Extent,
    head: Vec<Row>,
    tail: VecDeque<Row>,
    /// Rows between the two, and their bytes.
    omitted: (u64, u64),
    /// A line whose end has not come.
    open: Option<Row>,
}

impl Dialogue {
    pub(super) fn new(extent: Extent) -> Self {
        Dialogue {
            extent,
            head: Vec::new(),
            tail: VecDeque::new(),
            omitted: (0, 0),
            open: None,
        }
    }

    /// A piece of one of the four streams.
    pub(super) fn bytes(&mut self, at: Duration, source: Source, bytes: &[u8]) {
        let most = self.extent.bytes;
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let goes_on = matches!(&self.open, Some(row) if row.is_of(source));
            let before = self.open.take();
            let mut row = match before {
                Some(row) if goes_on => row,
                before => {
                    before.into_iter().for_each(|row| self.push(row));
                    Row {
                        at,
                        said: Said::Bytes(source, Vec::new(), false),
                        length: 0,
                    }
                }
            };
            row.at = at;
            row.length += part.len() as u64;
            let text = part.strip_suffix(b"\n");
            if let Said::Bytes(_, kept, ended) = &mut row.said {
                let part = text.unwrap_or(part);
                let room = most.saturating_sub(kept.len());
                kept.extend_from_slice(&part[..part.len().min(room)]);
                *ended = text.is_some();
            }
            match text {
                Some(_) => self.push(row),
                None => self.open = Some(row),
            }
        }
    }

    /// Something happened.
    pub(super) fn event(&mut self, at: Duration, event: &Event) {
        // The page has said so above, and that programs begin goes without saying.
        if matches!(event, Event::Start { .. } | Event::Verdict { .. }) {
            return;
        }
        self.open.take().into_iter().for_each(|row| self.push(row));
        let mut said = plain(&event.to_string());
        if said.len() > 4 * self.extent.bytes {
            said = said.chars().take(self.extent.bytes).collect::<String>() + "…";
        }
        self.push(Row {
            at,
            said: Said::Event(said),
            length: 0,
        });
    }

    fn push(&mut self, row: Row) {
        if self.head.len() < self.extent.lines {
            self.head.push(row);
            return;
        }
        self.tail.push_back(row);
        if self.tail.len() > self.extent.lines
            && let Some(row) = self.tail.pop_front()
        {
            self.omitted.0 += 1;
            self.omitted.1 += row.length;
        }
    }

    /// The table.
    pub(super) fn finish(mut self) -> Markup {
        self.open.take().into_iter().for_each(|row| self.push(row));
        if self.head.is_empty() {
            return html! { p.soft { "Nothing was said." } };
        }
        let mut clock = String::new();
        let mut row = |row: &Row| {
            let time = format!("{}.{:03}", row.at.as_secs(), row.at.subsec_millis());
            let shown = if time == clock {
                String::new()
            } else {
                time.clone()
            };
            clock = time;
            row.render(&shown)
        };
        let (lines, bytes) = self.omitted;
        html! {
            table.dialogue {
                thead {
                    tr {
                        th.time scope="col" { "seconds" }
                        th.contestant scope="col" { "contestant" }
                        th.interactor scope="col" { "interactor" }
                    }
                }
                tbody {
                    @for one in &self.head { (row(one)) }
                    @if lines > 0 {
                        tr.aside { td.time {} td colspan="2" { "⋮ " (omitted(lines, bytes)) } }
                    }
                    @for one in &self.tail { (row(one)) }
                }
            }
        }
    }
}

impl Row {
    fn is_of(&self, source: Source) -> bool {
        matches!(self.said, Said::Bytes(of, ..) if of == source)
    }

    fn render(&self, time: &str) -> Markup {
        let (source, kept, ended) = match &self.said {
            Said::Event(words) => {
                return html! { tr.aside { td.time { (time) } td colspan="2" { "· " (words) } } };
            }
            Said::Bytes(source, kept, ended) => (*source, kept, *ended),
        };
        let missing = (self.length - u64::from(ended)).saturating_sub(kept.len() as u64);
        let is_error = matches!(source, Source::ContestantStderr | Source::InteractorStderr);
        let said = html! {
            @if is_error { span.aside { "stderr " } }
            (glyphs(kept))
            @if missing > 0 { span.aside { " … " (counted(missing, "more byte")) } }
            @else if !ended && !is_error { span.aside { " (no newline)" } }
        };
        html! {
            tr {
                td.time { (time) }
                @if matches!(source, Source::Contestant | Source::ContestantStderr) {
                    td.contestant.stderr[is_error] { (said) }
                    td {}
                } @else {
                    td {}
                    td.interactor.stderr[is_error] { (said) }
                }
            }
        }
    }
}

/// Bytes as text, with marks around what stands for a byte that cannot be shown.
fn glyphs(bytes: &[u8]) -> Markup {
    let glyphs: Vec<_> = escape::glyphs(bytes).collect();
    html! {
        @for run in glyphs.chunk_by(|a, b| a.escaped == b.escaped) {
            @if run[0].escaped {
                span.escaped { @for glyph in run { (glyph.text) } }
            } @else {
                @for glyph in run { (glyph.text) }
            }
        }
    }
}
