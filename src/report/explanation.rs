//! Why a program ended and where it stood, for a person: rows below the verdict.

use anstyle::Style;

use crate::outcome::Explanation;
use crate::report::page::Page;

/// Adds the rows, with `label` before the first; none if nothing is known.
pub(super) fn rows(label: &str, style: Style, explanation: Option<&Explanation>, page: &mut Page) {
    let Some(explanation) = explanation else {
        return;
    };
    let stood = explanation.stack.told();
    let lines = explanation.cause.iter().chain(&stood);
    for (number, line) in lines.enumerate() {
        page.entry(if number == 0 { label } else { "" }, style, line);
    }
}
