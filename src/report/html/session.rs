//! One session of a page: the verdict and its reason, what both programs used of their limits, and
//! the scene.

use maud::{Markup, html};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::matrix::milliseconds;
use super::{Session, plain, plain_lines};
use crate::matrix::record::Record;
use crate::report::matrix::expected;
use crate::transcript::amount::{self, count, counted};
use crate::transcript::event::EndRecord;
use crate::transcript::format::LimitsRecord;

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    contestant: Participant,
    interactor: Participant,
    #[serde(default)]
    warnings: Vec<String>,
    /// Only how many there are is of interest; both programs have the figures of the last.
    #[serde(default)]
    passes: Option<Vec<IgnoredAny>>,
}

impl Report {
    fn passes(&self) -> usize {
        self.passes.as_ref().map_or(1, Vec::len)
    }
}

#[derive(Deserialize)]
struct Participant {
    end: Option<EndRecord>,
    cpu_ms: f64,
    turn_ms: f64,
    idle_ms: f64,
    memory_kib: f64,
    stdout_bytes: f64,
    tasks: f64,
    limits: LimitsRecord,
}

/// The session, folded if it is as it should be.
pub(super) fn render(session: &Session, number: usize) -> Markup {
    let heading = heading(session.record);
    let inside = html! { div.inside id={ "session-" (number) } { (inside(session)) } };
    match session.record.may_be() {
        true => html! { details.session { summary { (heading) } (inside) } },
        false => html! { article.session.bad { header { h3 { (heading) } } (inside) } },
    }
}

fn heading(record: &Record) -> Markup {
    let (mark, standing) = match record.may_be() {
        true => ("✓", "good"),
        false => ("✗", "bad"),
    };
    html! {
        span.badge.(standing) { (record.verdict.letters()) " " (mark) }
        " " span.name { (plain(&record.solution)) }
        " on test " span.name { (plain(&record.test)) }
        @if record.repeat > 1 { ", time " (record.repeat) }
        span.soft {
            ": " (record.verdict.name())
            @if !record.may_be() { ", expected " (expected(&record.expected)) }
            ", " (milliseconds(record.elapsed_ms))
        }
    }
}

fn inside(session: &Session) -> Markup {
    let record = session.record;
    let report = record.report.as_ref();
    let report = report.and_then(|text| serde_json::from_str::<Report>(text.get()).ok());
    html! {
        p { (plain(&record.reason)) }
        @if let Some(score) = record.score { p { "points: " (score) } }
        @if !record.message.is_empty() {
            h4 { "The interactor said" }
            pre { (plain_lines(&record.message)) }
        }
        @if let Some(report) = &report {
            @for warning in &report.warnings { p.open { (plain(warning)) } }
            h4 {
                "Used of the limits"
                @if report.passes() > 1 { ", in the last of " (report.passes()) " passes" }
            }
            (usage(report))
        }
        @match session.scene {
            Some(scene) => (scene.markup()),
            None => p.soft { "There is no transcript of this session." },
        }
        @if let Some(path) = &record.transcript {
            p.soft { "Transcript: " code { (plain(path)) } }
        }
    }
}

/// One line of the table: used and allowed, as numbers and in words.
struct Line {
    label: &'static str,
    /// The name of the limit in an [`EndRecord`].
    limit: &'static str,
    used: f64,
    allowed: f64,
    words: fn(f64) -> String,
}

fn lines(of: &Participant) -> [Line; 6] {
    let limits = &of.limits;
    let line = |label, limit, used, allowed, words| Line {
        label,
        limit,
        used,
        allowed,
        words,
    };
    let kibibytes: fn(f64) -> String = |size| amount::size((size * 1024.0) as u64);
    let bytes: fn(f64) -> String = |size| amount::size(size as u64);
    let number: fn(f64) -> String = |number| count(number as u64);
    [
        line(
            "CPU time",
            "cpu",
            of.cpu_ms,
            limits.cpu_ms.value(),
            milliseconds,
        ),
        line(
            "own turns",
            "wall",
            of.turn_ms,
            limits.wall_ms.value(),
            milliseconds,
        ),
        line(
            "idle at a stretch",
            "idle",
            of.idle_ms,
            limits.idle_ms.value(),
            milliseconds,
        ),
        line(
            "memory",
            "memory",
            of.memory_kib,
            limits.memory_kib.value(),
            kibibytes,
        ),
        line(
            "output",
            "output",
            of.stdout_bytes,
            limits.output_bytes as f64,
            bytes,
        ),
        line(
            "processes and threads",
            "",
            of.tasks,
            f64::from(limits.tasks),
            number,
        ),
    ]
}

fn usage(report: &Report) -> Markup {
    let sides = [&report.contestant, &report.interactor];
    let rows = lines(sides[0]).into_iter().zip(lines(sides[1]));
    html! {
        table.usage {
            thead {
                tr {
                    td {}
                    th.contestant scope="col" { "contestant" }
                    th.interactor scope="col" { "interactor" }
                }
            }
            tbody {
                tr {
                    th scope="row" { "end" }
                    @for side in sides { td { (end(side)) } }
                }
                @for (left, right) in rows {
                    tr {
                        th scope="row" { (left.label) }
                        td { (amounts(&left, sides[0])) }
                        td { (amounts(&right, sides[1])) }
                    }
                }
            }
        }
    }
}

fn end(side: &Participant) -> String {
    match &side.end {
        None => "never began".to_owned(),
        Some(end) => plain(&end.to_string()),
    }
}

fn amounts(line: &Line, side: &Participant) -> Markup {
    let is_over = match &side.end {
        Some(EndRecord::Limit { limit, .. }) => limit.name() == line.limit,
        _ => false,
    };
    let share = line.used / line.allowed.max(f64::MIN_POSITIVE);
    html! {
        meter aria-hidden="true" min="0" max="1" high="0.8" value={ (format!("{:.3}", share.clamp(0.0, 1.0))) } {}
        span class=[is_over.then_some("over")] { ((line.words)(line.used)) }
        span.soft { " of " ((line.words)(line.allowed)) }
        @if is_over { span.over { " over the limit" } }
    }
}

/// What is said where something is left out.
pub(super) fn omitted(lines: u64, bytes: u64) -> String {
    let size = amount::size(bytes);
    format!("{} ({size}) not shown", counted(lines, "more line"))
}
