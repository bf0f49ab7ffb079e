//! What the pictures are made of, as SVG.

use std::fmt::{self, Write as _};

/// A picture of this size as text: a white ground, and what is drawn on it.
pub(super) fn picture(
    width: f64,
    height: f64,
    draw: impl FnOnce(&mut String) -> fmt::Result,
) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    draw(&mut out).expect("writing to a string does not fail");
    out += "</svg>\n";
    out
}

pub(super) fn text(
    out: &mut String,
    x: f64,
    y: f64,
    anchor: &str,
    size: u32,
    words: &str,
) -> fmt::Result {
    let words = escaped(words);
    writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"
    )
}

pub(super) fn rule(
    out: &mut String,
    from: (f64, f64),
    to: (f64, f64),
    strong: bool,
) -> fmt::Result {
    let colour = if strong { "#ccc" } else { "#eee" };
    writeln!(
        out,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    )
}

pub(super) fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// What lies between two numbers on an axis from zero: the largest round number that goes at least
/// `times` into the largest value. It goes less than two and a half times as often.
pub(super) fn round_step(most: f64, times: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let decade = 10f64.powf((most / times).log10().floor());
    match most / times / decade {
        parts if parts >= 5.0 => 5.0 * decade,
        parts if parts >= 2.0 => 2.0 * decade,
        _ => decade,
    }
}
