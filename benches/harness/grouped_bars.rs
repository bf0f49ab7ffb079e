//! Bar charts with one axis from zero, as SVG: groups of bars that are compared with each other.

use std::fmt::{self, Write as _};

use super::svg::{escaped, picture, round_step, text};

const WIDTH: f64 = 860.0;
/// The edges of what the bars are drawn in.
const LEFT: f64 = 150.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 50.0;
const BAR: f64 = 13.0;
const GAP: f64 = 14.0;

/// Which bar of each group it is. A hollow one can be told from a full one without its colour.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) colour: &'static str,
    pub(crate) hollow: bool,
}

pub(crate) struct Group {
    pub(crate) name: String,
    /// One for each series; what was not measured has no bar.
    pub(crate) values: Vec<Option<f64>>,
}

pub(crate) struct Bars {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) series: Vec<Series>,
    pub(crate) groups: Vec<Group>,
}

impl Bars {
    /// The picture as text.
    pub(crate) fn svg(&self) -> String {
        let bottom = TOP + self.group_height() * self.groups.len() as f64;
        picture(WIDTH, bottom + 62.0, |out| self.draw(out, bottom))
    }

    fn group_height(&self) -> f64 {
        BAR * self.series.len() as f64 + GAP
    }

    fn draw(&self, out: &mut String, bottom: f64) -> fmt::Result {
        let values = self.groups.iter().flat_map(|group| &group.values);
        let most = values.flatten().copied().fold(0.0, f64::max);
        let step = round_step(most, 3.0);
        // One step more than is needed has room for the number behind the longest bar.
        let steps = (most / step).floor() as u32 + 1;
        let place = |value: f64| LEFT + (RIGHT - LEFT) * value / (step * f64::from(steps));
        text(out, 20.0, 26.0, "start", 16, &self.title)?;
        for number in 0..=steps {
            let value = step * f64::from(number);
            let at = place(value);
            writeln!(
                out,
                "<path d=\"M{at:.1} {TOP:.1}V{bottom:.1}\" stroke=\"#ccc\"/>"
            )?;
            text(out, at, bottom + 19.0, "middle", 13, &shown(value))?;
        }
        let middle = (LEFT + RIGHT) / 2.0;
        text(out, middle, bottom + 44.0, "middle", 13, &self.x_label)?;
        for (number, group) in self.groups.iter().enumerate() {
            let top = TOP + GAP / 2.0 + self.group_height() * number as f64;
            let centre = top + BAR * self.series.len() as f64 / 2.0 + 4.5;
            text(out, LEFT - 9.0, centre, "end", 13, &group.name)?;
            for (bar, (series, value)) in self.series.iter().zip(&group.values).enumerate() {
                let Some(value) = value else { continue };
                let top = top + BAR * bar as f64;
                let length = place(*value) - LEFT;
                self::bar(out, (LEFT, top + 1.0), (length, BAR - 2.0), series)?;
                let end = LEFT + length + 5.0;
                text(out, end, top + BAR - 2.5, "start", 11, &shown(*value))?;
            }
        }
        for (number, series) in self.series.iter().enumerate() {
            let at = TOP + 6.0 + 22.0 * number as f64;
            bar(out, (RIGHT + 24.0, at), (30.0, BAR - 2.0), series)?;
            text(out, RIGHT + 62.0, at + 10.0, "start", 13, &series.name)?;
        }
        Ok(())
    }
}

fn bar(out: &mut String, at: (f64, f64), size: (f64, f64), series: &Series) -> fmt::Result {
    let colour = escaped(series.colour);
    let fill = match series.hollow {
        true => "#fff",
        false => &colour,
    };
    writeln!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\" \
         stroke=\"{colour}\" stroke-width=\"1.4\"/>",
        at.0, at.1, size.0, size.1
    )
}

/// Three digits, or all that there are before the point.
fn shown(value: f64) -> String {
    match value {
        value if value == value.round() || value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
