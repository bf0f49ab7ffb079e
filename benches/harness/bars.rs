//! Bars that lie beside their names, on one linear axis, as SVG.

use std::fmt::{self, Write as _};

use super::svg::{picture, round_step, rule, text};

const WIDTH: f64 = 860.0;
/// The edges of what the bars are drawn in.
const LEFT: f64 = 330.0;
const RIGHT: f64 = 830.0;
const TOP: f64 = 46.0;
/// The room of one bar, and the part of it that is filled.
const ROW: f64 = 22.0;
const THICK: f64 = 13.0;

/// One bar.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// Further values, in order: small strokes on a thin line through them.
    pub(crate) marks: Vec<f64>,
    /// What the others are compared with; it is drawn in grey.
    pub(crate) reference: bool,
}

pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) axis: String,
    pub(crate) bars: Vec<Bar>,
}

impl Chart {
    /// The picture as text.
    pub(crate) fn svg(&self) -> String {
        let bottom = TOP + ROW * self.bars.len() as f64 + 8.0;
        picture(WIDTH, bottom + 56.0, |out| self.draw(out, bottom))
    }

    fn draw(&self, out: &mut String, bottom: f64) -> fmt::Result {
        text(out, 16.0, 26.0, "start", 16, &self.title)?;
        let values = self.bars.iter().flat_map(|bar| {
            let marks = bar.marks.iter().copied();
            marks.chain([bar.value])
        });
        let most = values.fold(0.0, f64::max);
        let step = round_step(most, 5.0);
        // The axis ends with a whole step.
        let end = step * (most / step).ceil().max(1.0);
        let place = |value: f64| LEFT + (RIGHT - LEFT) * value.max(0.0) / end;
        for number in 0..=(end / step).round() as u32 {
            let value = step * f64::from(number);
            let at = place(value);
            rule(out, (at, TOP), (at, bottom), number == 0)?;
            text(out, at, bottom + 19.0, "middle", 13, &short(value))?;
        }
        let middle = (LEFT + RIGHT) / 2.0;
        text(out, middle, bottom + 44.0, "middle", 13, &self.axis)?;
        for (row, bar) in self.bars.iter().enumerate() {
            let at = TOP + 8.0 + ROW * row as f64;
            let centre = at + THICK / 2.0;
            text(out, LEFT - 9.0, centre + 4.5, "end", 13, &bar.name)?;
            let colour = if bar.reference { "#999999" } else { "#56b4e9" };
            writeln!(
                out,
                "<rect x=\"{LEFT:.1}\" y=\"{at:.1}\" width=\"{:.1}\" height=\"{THICK}\" \
                 fill=\"{colour}\"/>",
                place(bar.value) - LEFT
            )?;
            if let (Some(first), Some(last)) = (bar.marks.first(), bar.marks.last()) {
                let (first, last) = (place(*first), place(*last));
                let mut path = format!("M{first:.1} {centre:.1}H{last:.1}");
                for mark in &bar.marks {
                    write!(path, "M{:.1} {:.1}v8", place(*mark), centre - 4.0)?;
                }
                writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#222\"/>")?;
            }
        }
        Ok(())
    }
}

/// A multiple of a round step, without digits that say nothing.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
