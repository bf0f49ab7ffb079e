//! All solutions on all tests as one page for a browser, which needs nothing besides itself: no other
//! file, no network, no script.
//!
//! ```text
//! matrix    solutions by tests: verdict, expected or not, figures
//! session   one session: the reason, what was used of the limits, and a scene
//! scene     a transcript as a page shows it: the turns and the dialogue, within bounds
//! turns     who held the turn, as a picture
//! dialogue  both sides with times
//! ```
//!
//! Programs wrote much of what is shown. It becomes text by [`plain`] and nothing else, and the
//! templates escape what means something in HTML. Should anything get past both, the page forbids
//! its browser to load or run anything.

mod dialogue;
mod matrix;
pub(crate) mod scene;
mod session;
mod turns;

use anstyle::AnsiColor;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::matrix::record::{Frame, Record};
use crate::matrix::summary::Summary;
use crate::report::matrix::conclusion;
use crate::transcript::amount::{count, counted};
use crate::transcript::escape;
use scene::Scene;

/// The most sessions of either kind that are shown below the matrix.
const MOST_SESSIONS: usize = 1000;

/// What a page may do: apply the style that stands in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A session and what is shown of its transcript, if there is one.
pub(crate) struct Session<'a> {
    record: &'a Record,
    scene: Option<&'a Scene>,
    /// Its place on the page, by which it is linked to; `None` if it is not shown.
    number: Option<usize>,
}

/// The page. `scenes` are those of the records, in their order.
pub(crate) fn render(
    frame: &Frame,
    records: &[Record],
    scenes: &[Option<Scene>],
    summary: &Summary,
) -> String {
    let sessions = ordered(frame, records, scenes);
    let (colour, conclusion, left) = conclusion(summary);
    let standing = match colour {
        AnsiColor::Green => "good",
        AnsiColor::Red => "bad",
        _ => "open",
    };
    let solutions = counted(frame.solutions.len() as u64, "solution");
    let tests = counted(frame.tests.len() as u64, "test");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (plain(&frame.problem)) ": " (conclusion) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                h1 { (plain(&frame.problem)) }
                p.soft { (solutions) " on " (tests) ", " (counted(records.len() as u64, "session")) }
                p.conclusion { span.badge.(standing) { (conclusion) } (left) }
                @if !summary.advice.is_empty() {
                    div.notes role="note" {
                        @for advice in &summary.advice { p { (plain(advice)) } }
                    }
                }
                (matrix::render(frame, summary, &sessions))
                (list("Surprises", &sessions, false))
                (list("As expected", &sessions, true))
                footer { "Written by rejoinder " (env!("CARGO_PKG_VERSION")) ". Times of the dialogue are seconds since its start." }
            }
        }
    };
    page.into_string()
}

/// The sessions, a solution's after each other, and a test's within them.
fn ordered<'a>(
    frame: &Frame,
    records: &'a [Record],
    scenes: &'a [Option<Scene>],
) -> Vec<Session<'a>> {
    let mut sessions: Vec<Session> = (records.iter().zip(scenes))
        .map(|(record, scene)| Session {
            record,
            scene: scene.as_ref(),
            number: None,
        })
        .collect();
    let place = |session: &Session| {
        let record = session.record;
        let solution = frame
            .solutions
            .iter()
            .position(|s| s.name == record.solution);
        let test = frame.tests.iter().position(|test| *test == record.test);
        (solution, test, record.repeat)
    };
    sessions.sort_by_cached_key(place);
    for expected in [false, true] {
        let of_kind = (sessions.iter_mut().enumerate())
            .filter(|(_, session)| session.record.may_be() == expected);
        for (number, session) in of_kind.take(MOST_SESSIONS) {
            session.number = Some(number + 1);
        }
    }
    sessions
}

/// The sessions that are as they should be, or those that are not.
fn list(heading: &str, sessions: &[Session], expected: bool) -> Markup {
    let of_kind = || sessions.iter().filter(|s| s.record.may_be() == expected);
    let left_out = of_kind().filter(|session| session.number.is_none()).count();
    html! {
        @if of_kind().next().is_some() {
            section {
                h2 { (heading) }
                @for session in of_kind() {
                    @if let Some(number) = session.number { (session::render(session, number)) }
                }
                @if left_out > 0 {
                    p.soft { (count(left_out as u64)) " more are not shown here." }
                }
            }
        }
    }
}

/// Foreign text on one line, with what is invisible made visible. What means something in HTML is
/// left to the templates.
fn plain(text: &str) -> String {
    escape::text(text.as_bytes())
}

/// The same on as many lines as it has.
fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
