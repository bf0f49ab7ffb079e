//! All solutions on all tests, for a person: a row for each solution, then what does not fit.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::matrix::record::{Frame, Record};
use crate::matrix::summary::{Fate, Row, Summary, Tally};
use crate::transcript::amount::{self, counted};
use crate::transcript::escape;
use crate::verdict::Verdict;

/// What of a row's figures stands in one column.
type Figure = fn(&Tally) -> String;

/// The columns behind the verdicts: the most of each, over all tests.
const FIGURES: [(&str, Figure); 3] = [
    ("cpu", |tally| {
        amount::time(Duration::from_secs_f64(tally.cpu_ms.max(0.0) / 1000.0))
    }),
    ("memory", |tally| amount::size(tally.memory_kib << 10)),
    ("messages", |tally| amount::count(tally.messages)),
];

/// One cell of the table, and how it looks.
#[derive(Clone)]
struct Text {
    text: String,
    style: Style,
    /// At the right of its column.
    right: bool,
}

impl Text {
    fn plain(text: impl Into<String>) -> Self {
        Text {
            text: text.into(),
            style: Style::new(),
            right: false,
        }
    }
}

/// One session that did not end as it should, in two or three lines without a last line end.
pub(crate) fn surprise(record: &Record) -> String {
    let mut text = format!(
        "{} on test {}: {}, expected {}\n  {}",
        record.solution,
        record.test,
        record.verdict.name(),
        expected(&record.expected),
        record.reason
    );
    if let Some(transcript) = &record.transcript {
        let _ = write!(text, "\n  transcript: {transcript}");
    }
    text
}

/// The report, for a terminal of so many columns.
pub(crate) fn render(frame: &Frame, summary: &Summary, width: usize) -> String {
    let mut out = String::new();
    let solutions = counted(summary.rows.len() as u64, "solution");
    let tests = counted(frame.tests.len() as u64, "test");
    let _ = writeln!(out, "{}: {solutions} on {tests}\n", frame.problem);
    out += &table(summary);
    let surprises = (summary.rows.iter()).filter_map(|row| match &row.fate {
        Fate::Surprise(why) => Some((row, why, AnsiColor::Red)),
        Fate::Left(why) => Some((row, why, AnsiColor::Yellow)),
        Fate::AsExpected | Fate::Open => None,
    });
    for (row, why, colour) in surprises {
        let (style, name) = (colour.on_default().bold(), &row.solution);
        let _ = writeln!(out, "\n  {style}{name}{style:#}");
        for line in why.lines().flat_map(|line| escape::fill(line, width - 4)) {
            let _ = writeln!(out, "    {line}");
        }
    }
    for advice in &summary.advice {
        for (number, line) in escape::fill(advice, width - 10).iter().enumerate() {
            let style = AnsiColor::Yellow.on_default();
            let label = if number == 0 { "note" } else { "" };
            let gap = if number == 0 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}  {style}{label:4}{style:#}  {line}");
        }
    }
    let (colour, text, left) = conclusion(summary);
    let style = colour.on_default().bold();
    let _ = writeln!(out, "\n  {style}{text}{style:#}{left}");
    out
}

/// What it all comes to: how good that is, in words, and what was left out.
pub(super) fn conclusion(summary: &Summary) -> (AnsiColor, String, String) {
    let all = summary.rows.len() as u64;
    let is = |wanted: fn(&Fate) -> bool| {
        summary.rows.iter().filter(|row| wanted(&row.fate)).count() as u64
    };
    let wrong = is(|fate| matches!(fate, Fate::Surprise(_)));
    let (open, left) = (
        is(|fate| *fate == Fate::Open),
        is(|fate| matches!(fate, Fate::Left(_))),
    );
    let (colour, text) = match (wrong, open) {
        (0, 0) => (
            AnsiColor::Green,
            format!("as expected: {}", counted(all - left, "solution")),
        ),
        (0, _) => (
            AnsiColor::Yellow,
            format!(
                "not all was run; as expected so far: {}",
                counted(all - left, "solution")
            ),
        ),
        _ => (
            AnsiColor::Red,
            format!("not as expected: {wrong} of {}", counted(all, "solution")),
        ),
    };
    let left = match left {
        0 => String::new(),
        left => format!("; left out: {left}"),
    };
    (colour, text, left)
}

fn table(summary: &Summary) -> String {
    let bold = Style::new().bold();
    let head = |text: &str, right| Text {
        text: text.to_owned(),
        style: bold,
        right,
    };
    let mut first = vec![
        head("", false),
        head("solution", false),
        head("expected", false),
    ];
    first.extend(summary.groups.iter().map(|group| match group.as_str() {
        "" => head("got", false),
        group => head(group, false),
    }));
    first.extend(FIGURES.map(|(name, _)| head(name, true)));
    let mut lines = vec![first];
    lines.extend(summary.rows.iter().map(line));
    let columns = lines[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let widths = lines.iter().map(|line| escape::width(&line[column].text));
            widths.max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let room = " ".repeat(width - escape::width(&cell.text));
            let (style, cell_text) = (cell.style, &cell.text);
            let _ = match cell.right {
                true => write!(text, "  {room}{style}{cell_text}{style:#}"),
                false => write!(text, "  {style}{cell_text}{style:#}{room}"),
            };
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    out
}

fn line(row: &Row) -> Vec<Text> {
    let (mark, colour) = match row.fate {
        Fate::AsExpected => ("✓", AnsiColor::Green),
        Fate::Open => ("…", AnsiColor::Yellow),
        Fate::Surprise(_) => ("✗", AnsiColor::Red),
        Fate::Left(_) => ("–", AnsiColor::Yellow),
    };
    let style = colour.on_default().bold();
    let mut line = vec![
        Text {
            style,
            ..Text::plain(mark)
        },
        Text::plain(&row.solution),
        Text::plain(expected(&row.expected)),
    ];
    line.extend(row.cells.iter().map(|cell| match cell {
        None => Text::plain("-"),
        Some(tally) => Text::plain(verdicts(tally)),
    }));
    let most = row.cells.iter().flatten().cloned().reduce(Tally::most);
    line.extend(FIGURES.map(|(_, figure)| Text {
        text: most.as_ref().map_or("-".to_owned(), figure),
        style: Style::new(),
        right: true,
    }));
    line
}

/// `AC`, or `3 WA, 9 AC`.
fn verdicts(tally: &Tally) -> String {
    match tally.verdicts.as_slice() {
        [(one, _)] => one.letters().to_owned(),
        several => {
            let each = several
                .iter()
                .map(|(verdict, count)| format!("{count} {}", verdict.letters()));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

pub(super) fn expected(verdicts: &[Verdict]) -> String {
    let names: Vec<&str> = verdicts.iter().map(|verdict| verdict.name()).collect();
    names.join(" or ")
}
