//! Both directions of a dialogue side by side: the contestant left, the interactor right.
//!
//! The records say nothing of line ends, so what one side says is joined until a line is whole, or
//! until the other side speaks or something happens. Whoever prints the text sends it through
//! `anstream`, which removes the colours where they are not wanted.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::transcript::amount;
use crate::transcript::escape::{self, Glyph};
use crate::transcript::format::Source;

/// The style of what the contestant says.
pub const CONTESTANT: Style = AnsiColor::Cyan.on_default();
/// The style of what the interactor says.
pub const INTERACTOR: Style = AnsiColor::Magenta.on_default();
/// The style of what is said about the dialogue.
pub const ASIDE: Style = Style::new().dimmed();

/// Columns of the time, with three decimals.
const TIME: usize = 8;
/// Columns between two columns.
const GAP: usize = 2;
/// The widest a side gets, so that the eye finds the other one on a wide terminal.
const WIDEST: usize = 60;
/// The narrowest a side gets: the longest escapes fit.
const NARROWEST: usize = 10;

/// How much of what one side says at a stretch is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brevity {
    /// Rows of the terminal for one line.
    pub rows: usize,
    /// Lines in a row from one side; the last one of the stretch is shown besides.
    pub lines: usize,
}

impl Brevity {
    /// Everything is shown.
    pub const FULL: Brevity = Brevity {
        rows: usize::MAX,
        lines: usize::MAX,
    };
}

/// A dialogue that is being laid out. Each call appends the rows that are ready to `out`.
#[derive(Debug)]
pub struct Dialogue {
    /// Columns of one side.
    side: usize,
    brevity: Brevity,
    /// What each stream said after its last line end.
    partial: Vec<(Source, Line)>,
    stretch: Option<Stretch>,
    /// The time that was shown last; it is not repeated.
    clock: String,
}

/// A line of one stream, or its beginning.
#[derive(Debug, Default)]
struct Line {
    /// When its last piece came.
    at: Duration,
    bytes: Vec<u8>,
    /// Bytes that belong to it and are not in `bytes`.
    missing: u64,
    /// True if its end came.
    ended: bool,
}

/// Lines of one stream with nothing in between.
#[derive(Debug)]
struct Stretch {
    source: Source,
    shown: usize,
    /// Lines that were not shown, `last` included.
    held: u64,
    last: Line,
}

impl Dialogue {
    /// A dialogue on a terminal with so many columns (40 at least look well).
    pub fn new(width: usize, brevity: Brevity) -> Self {
        let side = width.saturating_sub(TIME + 2 * GAP) / 2;
        Dialogue {
            side: side.clamp(NARROWEST, WIDEST),
            brevity,
            partial: Vec::new(),
            stretch: None,
            clock: String::new(),
        }
    }

    /// The names of the columns.
    pub fn heading(&self, out: &mut String) {
        let (left, right) = (CONTESTANT.bold(), INTERACTOR.bold());
        let rest = " ".repeat(self.side.saturating_sub("contestant".len()) + GAP);
        let _ = writeln!(
            out,
            "{ASIDE}{:>TIME$}{ASIDE:#}  {left}contestant{left:#}{rest}{right}interactor{right:#}",
            "seconds"
        );
    }

    /// A piece of one of the four streams; `missing` bytes after it are not at hand.
    pub fn bytes(
        &mut self,
        at: Duration,
        source: Source,
        bytes: &[u8],
        missing: u64,
        out: &mut String,
    ) {
        self.interrupt(source, out);
        let mut line = match self.partial.iter().position(|(of, _)| *of == source) {
            Some(place) => self.partial.swap_remove(place).1,
            None => Line::default(),
        };
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = part.strip_suffix(b"\n");
            self.lengthen(&mut line, at, text.unwrap_or(part));
            if text.is_some() {
                line.ended = true;
                self.line(source, std::mem::take(&mut line), out);
            }
        }
        line.missing += missing;
        if missing > 0 {
            // Whether the line ended is not known either; nothing is said about it.
            line.ended = true;
            line.at = at;
            self.line(source, line, out);
        } else if !line.bytes.is_empty() || line.missing > 0 {
            self.partial.push((source, line));
        }
    }

    /// Something that is said across both columns.
    pub fn note(&mut self, at: Option<Duration>, text: &str, out: &mut String) {
        self.finish(out);
        let time = at.map(|at| self.time(at)).unwrap_or_default();
        let rows = escape::fill(text, 2 * self.side + GAP - 2);
        for (number, row) in rows.iter().enumerate() {
            let (time, mark) = if number == 0 {
                (&*time, "·")
            } else {
                ("", " ")
            };
            let _ = writeln!(out, "{ASIDE}{time:>TIME$}  {mark} {row}{ASIDE:#}");
        }
    }

    /// Shows what is still held back.
    pub fn finish(&mut self, out: &mut String) {
        for (source, line) in std::mem::take(&mut self.partial) {
            self.line(source, line, out);
        }
        self.end_stretch(out);
    }

    /// Another stream speaks: lines that it cuts short are shown as they are. What a side writes
    /// to its standard error does not cut short what it or its peer says.
    fn interrupt(&mut self, by: Source, out: &mut String) {
        let spoken = matches!(by, Source::Contestant | Source::Interactor);
        let cut = |of: Source| {
            let error = matches!(of, Source::ContestantStderr | Source::InteractorStderr);
            of != by && (spoken || error)
        };
        let (ready, kept) =
            (std::mem::take(&mut self.partial).into_iter()).partition(|(of, _)| cut(*of));
        self.partial = kept;
        for (source, line) in ready {
            self.line(source, line, out);
        }
    }

    fn lengthen(&self, line: &mut Line, at: Duration, part: &[u8]) {
        // No character takes more than four bytes, so this many fill the rows in any case.
        let most = (self.brevity.rows.saturating_add(1))
            .saturating_mul(self.side)
            .saturating_mul(4);
        let kept = part.len().min(most.saturating_sub(line.bytes.len()));
        line.bytes.extend_from_slice(&part[..kept]);
        line.missing += (part.len() - kept) as u64;
        line.at = at;
    }

    fn line(&mut self, source: Source, line: Line, out: &mut String) {
        if self
            .stretch
            .as_ref()
            .is_some_and(|stretch| stretch.source != source)
        {
            self.end_stretch(out);
        }
        let stretch = self.stretch.get_or_insert_with(|| Stretch {
            source,
            shown: 0,
            held: 0,
            last: Line::default(),
        });
        if stretch.shown < self.brevity.lines {
            stretch.shown += 1;
            self.show(source, &line, out);
        } else {
            stretch.held += 1;
            stretch.last = line;
        }
    }

    fn end_stretch(&mut self, out: &mut String) {
        let Some(stretch) = self.stretch.take() else {
            return;
        };
        if stretch.held > 1 {
            let text = format!("… {}", amount::counted(stretch.held - 1, "more line"));
            self.row(
                "",
                stretch.source,
                &painted(ASIDE, &text),
                text.chars().count(),
                out,
            );
        }
        if stretch.held > 0 {
            self.show(stretch.source, &stretch.last, out);
        }
    }

    fn show(&mut self, source: Source, line: &Line, out: &mut String) {
        let error = matches!(source, Source::ContestantStderr | Source::InteractorStderr);
        let label = if error { "stderr " } else { "" };
        let mut style = if left(source) { CONTESTANT } else { INTERACTOR };
        if error {
            style = style.dimmed();
        }
        let columns = self.side - label.len().min(self.side / 2);
        let mut rows = match line.bytes.is_empty() && line.missing > 0 {
            true => Vec::new(),
            false => escape::wrap(escape::glyphs(&line.bytes), columns),
        };
        // What would be the only row left out takes no more room than saying so.
        let most = self.brevity.rows;
        let all = line.missing == 0 && rows.len() <= most.saturating_add(1);
        let cut = rows.split_off(if all {
            rows.len()
        } else {
            most.min(rows.len())
        });
        let cut: usize = cut.iter().flatten().map(|glyph| glyph.length).sum();
        let missing = line.missing + cut as u64;
        let mut time = self.time(line.at);
        let count = rows.len();
        for (number, row) in rows.iter().enumerate() {
            // A row that goes on in the next one does not need its space at the end.
            let row = match row.split_last() {
                Some((last, rest)) if last.text == " " && (missing > 0 || number + 1 < count) => {
                    rest
                }
                _ => row,
            };
            let mut width: usize = row.iter().map(|glyph| glyph.width).sum();
            let mut text = style_row(row, style);
            if !label.is_empty() {
                let shown = if number == 0 { label } else { "       " };
                text = format!("{}{text}", painted(ASIDE, shown));
                width += label.len();
            }
            let unended = "(no newline)";
            let open = !line.ended && !error && missing == 0 && number + 1 == count;
            let fits = width + 1 + unended.len() <= self.side;
            if open && fits {
                let _ = write!(text, " {}", painted(ASIDE, unended));
                width += 1 + unended.len();
            }
            self.row(&time, source, &text, width, out);
            time.clear();
            if open && !fits {
                self.row("", source, &painted(ASIDE, unended), unended.len(), out);
            }
        }
        if missing > 0 {
            let text = format!("… {}", amount::counted(missing, "more byte"));
            self.row(
                "",
                source,
                &painted(ASIDE, &text),
                text.chars().count(),
                out,
            );
        }
    }

    /// One row of the terminal; `width` is that of the text without its styles.
    fn row(&self, time: &str, source: Source, text: &str, width: usize, out: &mut String) {
        let time = painted(ASIDE, &format!("{time:>TIME$}"));
        // On the right, what is too wide for its side ends where the side ends.
        let indent = match left(source) {
            true => 0,
            false => (self.side + GAP).min((2 * self.side + GAP).saturating_sub(width)),
        };
        let _ = writeln!(out, "{time}  {:indent$}{text}", "");
    }

    /// The time as it is shown, or nothing if it was shown just before.
    fn time(&mut self, at: Duration) -> String {
        let time = format!("{}.{:03}", at.as_secs(), at.subsec_millis());
        if time == self.clock {
            return String::new();
        }
        self.clock.clone_from(&time);
        time
    }
}

fn left(source: Source) -> bool {
    matches!(source, Source::Contestant | Source::ContestantStderr)
}

/// A text in a style, and nothing for no text.
fn painted(style: Style, text: &str) -> String {
    match text.trim().is_empty() {
        true => text.to_owned(),
        false => format!("{style}{text}{style:#}"),
    }
}

/// Glyphs in a style, the escapes dimmed.
fn style_row(row: &[Glyph], style: Style) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|a, b| a.escaped == b.escaped) {
        let plain: String = run.iter().map(|glyph| &*glyph.text).collect();
        let escaped = run.first().is_some_and(|glyph| glyph.escaped);
        let style = if escaped { style.dimmed() } else { style };
        text.push_str(&painted(style, &plain));
    }
    text
}
