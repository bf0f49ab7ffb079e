//! Who held the turn, as a picture, and the longest turns in words. It is made from the same account
//! as the [chart](crate::transcript::chart) of the terminal, and shows the same.

use std::fmt::Write as _;
use std::time::Duration;

use maud::{Markup, html};

use crate::transcript::amount;
use crate::transcript::chart::{named, ticks, words};
use crate::transcript::timeline::{Timeline, Turn};

/// Stretches of time that have a height of their own.
const COLUMNS: usize = 240;
/// The picture's parts, in its own units.
const LEFT: usize = 74;
const RIGHT: usize = 74;
const WIDTH: usize = LEFT + 3 * COLUMNS + RIGHT;
const BAR: usize = 26;
const AXIS: usize = 16;
const GAP: usize = 3;
const MARKS: usize = 18;
const HEIGHT: usize = AXIS + 2 * BAR + GAP + MARKS;

/// The picture; nothing if nothing was said.
pub(super) fn draw(heading: &str, timeline: &Timeline) -> Markup {
    let turns = named(timeline);
    if turns.is_empty() {
        return html! {};
    }
    let total = timeline.total();
    let held = timeline.held().map(amount::time);
    let shares = timeline.shares(COLUMNS);
    let sides = [("contestant", 0), ("interactor", 1)];
    let label = format!(
        "Turns: the contestant held {}, the interactor {}",
        held[0], held[1]
    );
    html! {
        h4 { (heading) }
        svg.turns viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            @for (at, label) in ticks(total, total.as_nanos() / 12) {
                text x=(place(at, total)) y=(AXIS - 5) { (label) }
            }
            @for (name, side) in sides {
                @let top = AXIS + side * (BAR + GAP);
                text.(name) x="0" y=(top + BAR / 2 + 4) { (name) }
                rect.ground x=(LEFT) y=(top) width=(3 * COLUMNS) height=(BAR) {}
                path.(name) d=(outline(&shares, side, top + BAR)) {}
                text x=(LEFT + 3 * COLUMNS + 8) y=(top + BAR / 2 + 4) { (held[side]) }
            }
            (marks(&turns, total))
        }
        ol.longest {
            @for turn in &turns { li { (words(turn)) } }
        }
    }
}

/// Where a moment lies.
fn place(at: u128, total: Duration) -> usize {
    let total = total.as_nanos().max(1);
    LEFT + (at.min(total) * 3 * COLUMNS as u128 / total) as usize
}

/// The bars of one side, as one shape that stands on `floor`. A full bar is a stretch in which the
/// other side did not hold the turn at all.
fn outline(shares: &[[f64; 2]], side: usize, floor: usize) -> String {
    let height = |shares: &[f64; 2]| {
        let (own, other) = (shares[side], shares[1 - side]);
        match (own > 0.0, other > 0.0) {
            (false, _) => 0,
            (true, false) => BAR,
            // Neither is so small that it cannot be seen.
            (true, true) => ((own / (own + other) * BAR as f64).round() as usize).clamp(2, BAR - 2),
        }
    };
    let heights: Vec<usize> = shares.iter().map(height).collect();
    let mut path = format!("M{LEFT} {floor}");
    let mut x = LEFT;
    for run in heights.chunk_by(|a, b| a == b) {
        x += 3 * run.len();
        let _ = write!(path, "V{}H{x}", floor - run[0]);
    }
    let _ = write!(path, "V{floor}Z");
    path
}

/// Below the bars, where the turns lie that words are made about.
fn marks(turns: &[&Turn], total: Duration) -> Markup {
    let top = HEIGHT - MARKS + 2;
    // Where numbers stand already; one that would hide another is left out, as its words are not.
    let mut taken: Vec<usize> = Vec::new();
    html! {
        @for (number, turn) in turns.iter().enumerate() {
            @let from = place(turn.from().as_nanos(), total);
            @let until = place(turn.until().as_nanos(), total).max(from + 2);
            @let middle = (from + until) / 2;
            path.mark d={ "M" (from) " " (top) "v3H" (until) "v-3" } {}
            @if taken.iter().all(|other| other.abs_diff(middle) > 9) {
                @let _: () = taken.push(middle);
                text x=(middle) y=(top + 14) text-anchor="middle" { (number + 1) }
            }
        }
    }
}
