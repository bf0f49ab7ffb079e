//! Line plots with two logarithmic axes, as SVG: sizes in bytes against times in milliseconds.

use std::fmt::{self, Write as _};

use super::svg::{escaped, picture, rule, text};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 500.0;
/// The edges of what the lines are drawn in.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 440.0;

/// How a line looks. Colour alone must not tell two apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) colour: &'static str,
    /// Lengths of dashes and gaps as SVG has them; empty for a solid line.
    pub(crate) dashes: &'static str,
    pub(crate) marker: Marker,
}

/// What is drawn at each point.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Marker {
    Circle,
    Square,
    Diamond,
    Triangle,
    Cross,
}

pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) style: Style,
    /// Bytes and milliseconds, by ascending size. What is not above zero is left out.
    pub(crate) points: Vec<(f64, f64)>,
}

pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    pub(crate) lines: Vec<Line>,
}

/// One axis: which values it covers and where they lie.
struct Axis {
    /// Logarithms to the base 10.
    from: f64,
    to: f64,
    /// Places in the picture.
    begin: f64,
    end: f64,
}

impl Axis {
    /// Covers all values, with a little room (in decades) at both ends.
    fn covering(values: impl Iterator<Item = f64>, room: f64, begin: f64, end: f64) -> Axis {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| *value > 0.0) {
            from = from.min(value.log10());
            to = to.max(value.log10());
        }
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        Axis {
            from: from - room,
            to: to + room,
            begin,
            end,
        }
    }

    fn covers(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value.log10())
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.log10() - self.from) / (self.to - self.from);
        self.begin + part * (self.end - self.begin)
    }
}

impl Plot {
    /// The picture as text.
    pub(crate) fn svg(&self) -> String {
        picture(WIDTH, HEIGHT, |out| self.draw(out))
    }

    fn draw(&self, out: &mut String) -> fmt::Result {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = Axis::covering(points().map(|point| point.0), 0.12, LEFT, RIGHT);
        let y = Axis::covering(points().map(|point| point.1), 0.08, BOTTOM, TOP);
        text(out, LEFT, 26.0, "start", 16, &self.title)?;
        self.grid(out, &x, &y)?;
        text(
            out,
            (LEFT + RIGHT) / 2.0,
            BOTTOM + 44.0,
            "middle",
            13,
            &self.x_label,
        )?;
        let middle = (TOP + BOTTOM) / 2.0;
        writeln!(
            out,
            "<text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escaped(&self.y_label)
        )?;
        for line in &self.lines {
            self.line(out, line, &x, &y)?;
        }
        self.legend(out)
    }

    fn grid(&self, out: &mut String, x: &Axis, y: &Axis) -> fmt::Result {
        for power in 0..60i32 {
            let size = 2f64.powi(power);
            if power % 2 != 0 || !x.covers(size) {
                continue;
            }
            let at = x.place(size);
            rule(out, (at, TOP), (at, BOTTOM), power % 4 == 0)?;
            if power % 4 == 0 {
                text(out, at, BOTTOM + 19.0, "middle", 13, &bytes(power))?;
            }
        }
        // With few decades, the steps between them need their names too.
        let detailed = y.to - y.from < 3.0;
        for decade in -4..8i32 {
            for step in [1.0, 2.0, 5.0] {
                let value = 10f64.powi(decade) * step;
                if !y.covers(value) {
                    continue;
                }
                let at = y.place(value);
                rule(out, (LEFT, at), (RIGHT, at), step == 1.0)?;
                if step == 1.0 || detailed {
                    text(out, LEFT - 7.0, at + 4.5, "end", 13, &duration(value))?;
                }
            }
        }
        writeln!(
            out,
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" \
             stroke=\"#666\"/>",
            RIGHT - LEFT,
            BOTTOM - TOP
        )
    }

    fn line(&self, out: &mut String, line: &Line, x: &Axis, y: &Axis) -> fmt::Result {
        let places: Vec<(f64, f64)> = line
            .points
            .iter()
            .filter(|point| point.0 > 0.0 && point.1 > 0.0)
            .map(|point| (x.place(point.0), y.place(point.1)))
            .collect();
        stroke(out, &places, line.style)?;
        for place in places {
            mark(out, place, line.style)?;
        }
        Ok(())
    }

    /// The names, in the order in which the lines end.
    fn legend(&self, out: &mut String) -> fmt::Result {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        let end = |line: &Line| line.points.last().map_or(0.0, |point| point.1);
        lines.sort_by(|one, other| end(other).total_cmp(&end(one)));
        for (row, line) in lines.into_iter().enumerate() {
            let at = TOP + 14.0 + 24.0 * row as f64;
            let (begin, end) = (RIGHT + 18.0, RIGHT + 58.0);
            stroke(out, &[(begin, at), (end, at)], line.style)?;
            mark(out, ((begin + end) / 2.0, at), line.style)?;
            text(out, end + 9.0, at + 4.5, "start", 13, &line.name)?;
        }
        Ok(())
    }
}

fn stroke(out: &mut String, places: &[(f64, f64)], style: Style) -> fmt::Result {
    let places: Vec<_> = places
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"",
        places.join(" "),
        style.colour
    )?;
    if !style.dashes.is_empty() {
        write!(out, " stroke-dasharray=\"{}\"", style.dashes)?;
    }
    writeln!(out, "/>")
}

fn mark(out: &mut String, (x, y): (f64, f64), style: Style) -> fmt::Result {
    let colour = style.colour;
    let shape = match style.marker {
        Marker::Circle => {
            return writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>"
            );
        }
        Marker::Square => "m-3-3h6v6h-6z",
        Marker::Diamond => "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",
        Marker::Triangle => "m0-4.2l4 7h-8z",
        Marker::Cross => "m-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
    };
    writeln!(
        out,
        "<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{colour}\" stroke=\"{colour}\"/>"
    )
}

/// A power of two of bytes in words.
fn bytes(power: i32) -> String {
    let unit = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][(power / 10).clamp(0, 5) as usize];
    format!("{} {unit}", 1u64 << (power % 10))
}

/// A round number of milliseconds in words.
fn duration(ms: f64) -> String {
    match ms {
        ms if ms >= 1000.0 => format!("{} s", (ms / 1000.0).round()),
        ms if ms >= 1.0 => format!("{} ms", ms.round()),
        ms => format!("{} us", (ms * 1000.0).round()),
    }
}
