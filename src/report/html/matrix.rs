//! The matrix of a page: a row for each solution, a column for each test.

use std::collections::HashMap;
use std::time::Duration;

use maud::{Markup, html};

use super::{Session, plain, plain_lines};
use crate::matrix::record::Frame;
use crate::matrix::summary::{Fate, Row, Summary};
use crate::report::matrix::expected;
use crate::transcript::amount::{self, counted};

/// The most sessions of one solution on one test that a cell has a line for.
const MOST_REPEATS: usize = 3;

/// The sessions by solution and test.
type Cells<'a, 'b> = HashMap<(&'b str, &'b str), Vec<&'a Session<'b>>>;

pub(super) fn render(frame: &Frame, summary: &Summary, sessions: &[Session]) -> Markup {
    let mut cells = Cells::new();
    for session in sessions {
        let record = session.record;
        let key = (&*record.solution, &*record.test);
        cells.entry(key).or_default().push(session);
    }
    html! {
        h2 { "Solutions and tests" }
        div.wide tabindex="0" role="region" aria-label="Solutions and tests" {
            table.matrix {
                thead {
                    tr {
                        th scope="col" { "solution" }
                        th scope="col" { "as expected?" }
                        @for test in &frame.tests { th scope="col" { (plain(test)) } }
                    }
                }
                tbody {
                    @for row in &summary.rows { (line(frame, row, &cells)) }
                }
            }
        }
        p.soft {
            "✓ may be so, ✗ must not be so. CPU time, memory and messages are the contestant's. A wrong \
             solution may be accepted on some tests."
        }
    }
}

fn line(frame: &Frame, row: &Row, cells: &Cells) -> Markup {
    let (mark, words, standing) = match &row.fate {
        Fate::AsExpected => ("✓", "as expected", "good"),
        Fate::Open => ("…", "not all was run", "open"),
        Fate::Surprise(_) => ("✗", "not as expected", "bad"),
        Fate::Left(_) => ("–", "left out", "open"),
    };
    let has_run = frame
        .tests
        .iter()
        .any(|test| cells.contains_key(&(&*row.solution, &**test)));
    html! {
        tr {
            th scope="row" {
                (plain(&row.solution))
                small { "expected " (expected(&row.expected)) }
            }
            td { span.badge.(standing) { (mark) " " (words) } }
            @match &row.fate {
                Fate::Surprise(why) | Fate::Left(why) if !has_run => {
                    td.why colspan=(frame.tests.len().max(1)) { pre { (plain_lines(why)) } }
                }
                _ => {
                    @for test in &frame.tests {
                        (cell(cells.get(&(&*row.solution, &**test)).map_or(&[], |all| all)))
                    }
                }
            }
        }
        @if let (true, Fate::Surprise(why)) = (has_run, &row.fate) {
            tr { td.why.bad colspan=(frame.tests.len() + 2) { (plain(why)) } }
        }
    }
}

fn cell(sessions: &[&Session]) -> Markup {
    let is_bad = sessions.iter().any(|session| !session.record.may_be());
    // Surprises first: they must not be among those that are left out.
    let mut shown = sessions.to_vec();
    shown.sort_by_key(|session| session.record.may_be());
    let left_out = shown.len().saturating_sub(MOST_REPEATS);
    shown.truncate(MOST_REPEATS);
    html! {
        td class=[is_bad.then_some("bad")] {
            @if sessions.is_empty() { span.soft { "not run" } }
            @for session in shown { (verdict(session)) }
            @if left_out > 0 { small { "and " (counted(left_out as u64, "more session")) } }
            @if !sessions.is_empty() { (figures(sessions)) }
        }
    }
}

/// The verdict of one session, with a link to what is told of it.
fn verdict(session: &Session) -> Markup {
    let record = session.record;
    let (mark, words, standing) = match record.may_be() {
        true => ("✓", "may be so", "good"),
        false => ("✗", "must not be so", "bad"),
    };
    let badge = html! {
        span.badge.(standing) title={ (record.verdict.name()) ", " (words) } {
            (record.verdict.letters()) " " (mark)
        }
    };
    html! {
        div {
            @match session.number {
                Some(number) => a href={ "#session-" (number) } { (badge) },
                None => (badge),
            }
        }
    }
}

/// The most that the sessions needed.
fn figures(sessions: &[&Session]) -> Markup {
    let records = || sessions.iter().map(|session| session.record);
    let cpu = records().map(|record| record.cpu_ms).fold(0.0, f64::max);
    let memory = records().map(|record| record.memory_kib).max().unwrap_or(0);
    let messages = records().map(|record| record.messages).max().unwrap_or(0);
    html! {
        small { (milliseconds(cpu)) }
        small { (amount::size(memory.saturating_mul(1024))) }
        small { (counted(messages, "message")) }
    }
}

/// A time that a report has in milliseconds, in words.
pub(super) fn milliseconds(time: f64) -> String {
    amount::time(Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default())
}
