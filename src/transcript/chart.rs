//! A small picture of who held the turn, for a terminal, and the longest turns in words.
//!
//! Each side has a row of bars: a bar's height is the side's share of that stretch of time. A full
//! bar is a stretch in which the other side did not hold the turn at all, so a long turn is a solid
//! block with a gap above or below it. Colours only repeat what the rows say.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::Style;

use crate::transcript::amount;
use crate::transcript::dialogue::{ASIDE, CONTESTANT, INTERACTOR};
use crate::transcript::escape;
use crate::transcript::timeline::{Timeline, Turn};

/// Columns of a row's label, with the space around it; as in the reports.
const LABEL: usize = 14;
/// Columns of a side's sum, with the space before it.
const SUM: usize = 10;
/// Columns between two marks of the axis, at least.
const TICK: usize = 6;
/// The widest that the bars get: two columns of the timeline or more for each.
const WIDEST: usize = 120;
/// The narrowest.
const NARROWEST: usize = 8;

/// Bars by height; a share that is not 0 is never without one.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The picture, for a terminal of so many columns; nothing if nothing was said.
pub fn draw(timeline: &Timeline, width: usize) -> String {
    let total = timeline.total();
    let named = named(timeline);
    if named.is_empty() {
        return String::new();
    }
    let bars = width.saturating_sub(LABEL + SUM).clamp(NARROWEST, WIDEST);
    let mut out = String::new();
    let axis = axis(total, bars, bars + SUM);
    row(&mut out, ASIDE, "turns", &format!("{ASIDE}{axis}{ASIDE:#}"));
    let shares = timeline.shares(bars);
    let held = timeline.held();
    for (side, name, style) in [(0, "contestant", CONTESTANT), (1, "interactor", INTERACTOR)] {
        let text: String = (shares.iter())
            .map(|shares| BARS[height(shares[side], shares[1 - side])])
            .collect();
        let sum = amount::time(held[side]);
        let text = format!("{style}{text}{style:#}{sum:>SUM$}");
        row(&mut out, style, name, &text);
    }
    let marks = marks(&named, total, bars);
    row(
        &mut out,
        ASIDE,
        "",
        &format!("{ASIDE}{}{ASIDE:#}", marks.trim_end()),
    );
    for (number, turn) in named.iter().enumerate() {
        let text = words(turn);
        for (line, text) in escape::fill(&text, width.saturating_sub(LABEL + 2))
            .iter()
            .enumerate()
        {
            let number = match line {
                0 => (number + 1).to_string(),
                _ => " ".to_owned(),
            };
            row(
                &mut out,
                ASIDE,
                "",
                &format!("{ASIDE}{number}{ASIDE:#} {text}"),
            );
        }
    }
    out
}

/// The turns that words are made about, longest first.
pub(crate) fn named(timeline: &Timeline) -> Vec<&Turn> {
    // The longest turn is of interest in any case, the others only if they are not like most.
    let long = timeline.total() / 20;
    let longest = timeline.longest().enumerate();
    let named = longest.filter(|(place, turn)| *place == 0 || turn.length() >= long);
    named.map(|(_, turn)| turn).collect()
}

fn row(out: &mut String, style: Style, label: &str, text: &str) {
    let rest = " ".repeat(LABEL - 2 - label.len());
    let _ = match label {
        "" => writeln!(out, "  {rest}{text}"),
        _ => writeln!(out, "  {style}{label}{style:#}{rest}{text}"),
    };
}

/// The height of a bar, in eighths. Both sides' bars make a full one together, and the smallest
/// share can be seen.
fn height(share: f64, other: f64) -> usize {
    match (share > 0.0, other > 0.0) {
        (false, _) => 0,
        (true, false) => 8,
        (true, true) => {
            let whole = (share / (share + other) * 8.0).round() as usize;
            whole.clamp(1, 7)
        }
    }
}

/// Marks at round times, each with its label behind it.
fn axis(total: Duration, bars: usize, room: usize) -> String {
    let nanos = total.as_nanos().max(1);
    let mut line = String::new();
    for (at, label) in ticks(total, nanos * TICK as u128 / bars as u128) {
        let column = (at * bars as u128 / nanos) as usize;
        let label = format!("╷{label}");
        if column + escape::width(&label) > room {
            break;
        }
        let used = escape::width(&line);
        let _ = write!(line, "{:1$}{label}", "", column.saturating_sub(used));
    }
    line
}

/// Round times before the end, in nanoseconds and at least so many apart, each with its label. The
/// first is 0 and names the unit.
pub(crate) fn ticks(total: Duration, apart: u128) -> impl Iterator<Item = (u128, String)> {
    let total = total.as_nanos().max(1);
    let (unit, name) = match total {
        0..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    let step = step(apart);
    let all = (0..).map(move |number| match number {
        0 => (0, format!("0 {name}")),
        _ => (number * step, decimal(number * step, unit)),
    });
    all.take_while(move |(at, _)| *at < total)
}

/// The first of 1, 2, 5, 10, 20, 50 ... that is not less.
fn step(least: u128) -> u128 {
    let mut step = 1;
    loop {
        for factor in [1, 2, 5] {
            if step * factor >= least {
                return step * factor;
            }
        }
        step *= 10;
    }
}

/// A number of units, exactly, without zeros at its end.
fn decimal(amount: u128, unit: u128) -> String {
    let digits = unit.ilog10() as usize;
    let text = format!("{}.{:0digits$}", amount / unit, amount % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A line below the bars that says where the turns lie that words are made about.
fn marks(turns: &[&Turn], total: Duration, bars: usize) -> String {
    let total = total.as_nanos().max(1);
    let mut line = vec![' '; bars];
    for (number, turn) in turns.iter().enumerate() {
        let number = char::from_digit(number as u32 + 1, 10).unwrap_or('*');
        let first = (turn.from().as_nanos() * bars as u128 / total) as usize;
        let behind = (turn.until().as_nanos() * bars as u128).div_ceil(total) as usize;
        let (first, behind) = (first.min(bars - 1), behind.clamp(1, bars));
        // Neighbours may share a column; the longer turn comes first and keeps it.
        let is_free = |place: &usize| line[*place] == ' ';
        let first = (first..behind).find(is_free).unwrap_or(behind);
        let behind = (first..behind)
            .find(|place| line[*place] != ' ')
            .unwrap_or(behind);
        let Some(place) = line
            .get_mut(first..behind)
            .filter(|place| !place.is_empty())
        else {
            continue;
        };
        place.fill('─');
        let length = place.len();
        if length > 2 {
            place[0] = '╰';
            place[length - 1] = '╯';
        }
        place[(length - 1) / 2] = number;
    }
    line.into_iter().collect()
}

/// A turn in words: whose, how long, from when, until what.
pub(crate) fn words(turn: &Turn) -> String {
    let held = format!("the {} for {}", turn.side, amount::time(turn.length()));
    let from = match turn.from().is_zero() {
        true => "from the beginning".to_owned(),
        false => format!("from {}", amount::time(turn.from())),
    };
    let rest = match (turn.messages, turn.said.bytes().is_empty()) {
        (0, _) if turn.ended => " until it ended".to_owned(),
        (0, _) => " to the end".to_owned(),
        (count, true) => format!(", in {}", amount::counted(count, "message")),
        (1, false) => format!(" until {}", quoted(turn)),
        (count, false) => format!(
            ", in {} messages, the longest pause before {}",
            amount::count(count),
            quoted(turn)
        ),
    };
    format!("{held}, {from}{rest}")
}

/// The first line of what was said.
fn quoted(turn: &Turn) -> String {
    let said = turn.said.bytes();
    let line = said.split(|byte| *byte == b'\n').next().unwrap_or(said);
    let more = turn.said.cut || line.len() + 1 < said.len();
    let more = if more { "…" } else { "" };
    format!("`{}{more}`", escape::text(line))
}

#[cfg(test)]
#[path = "chart_tests.rs"]
mod tests;
