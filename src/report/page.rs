//! The building blocks of a report at a terminal: labelled rows, filled to a width.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::evidence::Refusal;
use crate::outcome::Stderr;
use crate::report::usage::SIDE;
use crate::transcript::amount;
use crate::transcript::dialogue::ASIDE;
use crate::transcript::escape;

/// Columns of a row's label, with the space around it.
pub(super) const LABEL: usize = 14;

/// The narrowest terminal that the layout is made for; a narrower one breaks the rows.
const NARROWEST: usize = 32;

/// The widest that sentences get: longer lines are hard to read.
const WIDEST: usize = 100;

/// The text so far, and how wide it may be.
pub(super) struct Page {
    pub(super) out: String,
    pub(super) width: usize,
}

impl Page {
    /// For a terminal of so many columns.
    pub(super) fn new(width: usize) -> Self {
        Page {
            out: String::new(),
            width: width.clamp(NARROWEST, WIDEST),
        }
    }

    /// A block of the same width, to be added as a section.
    pub(super) fn part(&self) -> Self {
        Page {
            out: String::new(),
            width: self.width,
        }
    }

    /// A block with an empty line before it, unless it is empty or the first.
    pub(super) fn section(&mut self, text: &str) {
        if !text.is_empty() && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
    }

    /// A label and a text beside it, filled; nothing for no text.
    pub(super) fn entry(&mut self, label: &str, style: Style, text: &str) {
        for (number, line) in escape::fill(text, self.width - LABEL).iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            self.labelled(label, style, line);
        }
    }

    /// One row with a label, which may be empty. The text is printed as it is.
    fn labelled(&mut self, label: &str, style: Style, text: &str) {
        let rest = " ".repeat(LABEL - 2 - label.len().min(LABEL - 3));
        let _ = match label {
            "" => writeln!(self.out, "  {rest}{text}"),
            _ => writeln!(self.out, "  {style}{label}{style:#}{rest}{text}"),
        };
    }

    /// The letters of a verdict, its words, and the time; it begins a section, which
    /// [`Page::reason`] goes on with.
    pub(super) fn badge(
        &mut self,
        letters: &str,
        words: &str,
        colour: AnsiColor,
        elapsed: Duration,
    ) {
        let (badge, name) = (
            colour.on_default().bold().invert(),
            colour.on_default().bold(),
        );
        let time = amount::time(elapsed);
        let used = "   ".len() + letters.len() + "  ".len() + words.len();
        let room = self.width.min(LABEL + 2 * SIDE).saturating_sub(used);
        let mut text = format!("  {badge} {letters} {badge:#} {name}{words}{name:#}");
        // The time stands at the right edge of the table below; it is left out where it has no
        // room.
        if elapsed > Duration::ZERO && room > escape::width(&time) + 2 {
            let _ = write!(text, "{ASIDE}{time:>room$}{ASIDE:#}");
        }
        text.push('\n');
        self.section(&text);
    }

    /// The sentence below a verdict.
    pub(super) fn reason(&mut self, reason: &str) {
        for line in escape::fill(reason, self.width - 4) {
            let _ = writeln!(self.out, "  {line}");
        }
    }

    /// The calls that were refused; `to` says to whom.
    pub(super) fn refused(&mut self, to: &str, refused: &[Refusal]) {
        let calls: Vec<String> = (refused.iter())
            .map(|refusal| match refusal.count {
                1 => refusal.call.clone(),
                count => format!("{} ×{}", refusal.call, amount::count(count)),
            })
            .collect();
        if !calls.is_empty() {
            self.entry("refused", ASIDE, &format!("{to}{}", calls.join(", ")));
        }
    }

    /// The last lines of a program's standard error, if it wrote any.
    pub(super) fn stderr(&mut self, name: &str, style: Style, stderr: &Stderr, most: usize) {
        if stderr.total == 0 {
            return;
        }
        let end = if stderr.tail.is_empty() {
            &stderr.head
        } else {
            &stderr.tail
        };
        // Without a tail, or with one that joins the head, the text is whole.
        let whole = (stderr.head.len() + stderr.tail.len()) as u64 >= stderr.total;
        let text = match whole {
            true => [&*stderr.head, &*stderr.tail].concat(),
            false => end.clone(),
        };
        let lines: Vec<&[u8]> = (text.strip_suffix(b"\n").unwrap_or(&text))
            .split(|byte| *byte == b'\n')
            .collect();
        let shown = lines.len().min(most);
        let size = amount::size(stderr.total);
        let heading = match (shown == lines.len() && whole, shown) {
            (true, _) => name.to_owned(),
            (false, 0) => format!("{name} wrote {size}"),
            (false, 1) => format!("{name}, the last line of {size}"),
            (false, _) => format!("{name}, the last {shown} lines of {size}"),
        };
        let rows = escape::fill(&heading, self.width - LABEL);
        for (number, row) in rows.iter().enumerate() {
            let label = if number == 0 { "stderr" } else { "" };
            self.labelled(label, ASIDE, &format!("{ASIDE}{row}{ASIDE:#}"));
        }
        for line in &lines[lines.len() - shown..] {
            let columns = self.width - LABEL - 2;
            let mut rows = escape::wrap(escape::glyphs(line), columns);
            let cut: usize = rows
                .drain(rows.len().min(3)..)
                .flatten()
                .map(|glyph| glyph.length)
                .sum();
            for row in rows {
                let text: String = row.into_iter().map(|glyph| glyph.text).collect();
                self.labelled("", ASIDE, format!("{style}│{style:#} {text}").trim_end());
            }
            if cut > 0 {
                let more = amount::counted(cut as u64, "more byte");
                self.labelled(
                    "",
                    ASIDE,
                    &format!("{style}│{style:#} {ASIDE}… {more}{ASIDE:#}"),
                );
            }
        }
    }
}
