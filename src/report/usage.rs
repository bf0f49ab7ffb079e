//! The table of a terminal report: what each side used of what it was allowed.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::evidence::{End, LimitKind, signal_name};
use crate::outcome::{Outcome, ParticipantOutcome};
use crate::report::page::LABEL;
use crate::transcript::amount;
use crate::transcript::dialogue::{ASIDE, CONTESTANT, INTERACTOR};
use crate::transcript::escape;

/// Columns of one side.
pub(super) const SIDE: usize = 26;

/// What was used of one limit.
struct Row {
    label: &'static str,
    limit: Option<LimitKind>,
    used: String,
    allowed: String,
    /// Used divided by allowed.
    share: f64,
}

/// The table for both sides, side by side where `width` has room for it, otherwise one below the
/// other. Empty if neither side was started.
pub(super) fn table(outcome: &Outcome, width: usize) -> String {
    let sides = [
        ("contestant", CONTESTANT, &outcome.contestant),
        ("interactor", INTERACTOR, &outcome.interactor),
    ];
    let sides: Vec<_> = (sides.into_iter())
        .filter(|(_, _, participant)| participant.end.is_some())
        .collect();
    let groups: Vec<&[_]> = match width >= LABEL + 2 * SIDE {
        true => vec![&sides[..]],
        false => sides.chunks(1).collect(),
    };
    groups
        .iter()
        .map(|group| columns(group, "own turns"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The table for one program alone. Empty if it was not started.
pub(super) fn of_one(program: &ParticipantOutcome) -> String {
    match program.end {
        None | Some(End::NotStarted(_)) => String::new(),
        Some(_) => columns(&[("program", CONTESTANT, program)], "real time"),
    }
}

/// `wall` is what the wall limit counts.
fn columns(sides: &[(&str, Style, &ParticipantOutcome)], wall: &'static str) -> String {
    let mut out = String::new();
    if sides.is_empty() {
        return out;
    }
    let mut line = " ".repeat(LABEL);
    for (name, style, _) in sides {
        let style = style.bold();
        cell(&mut line, &format!("{style}{name}{style:#}"), name.len());
    }
    push(&mut out, &line);
    line = label("end");
    for (_, _, participant) in sides {
        let (text, style) = ending(participant);
        let text = escape::text(text.as_bytes());
        cell(
            &mut line,
            &format!("{style}{text}{style:#}"),
            escape::width(&text),
        );
    }
    push(&mut out, &line);
    let tables: Vec<Vec<Row>> = sides.iter().map(|(_, _, side)| rows(side, wall)).collect();
    for number in 0..tables[0].len() {
        let rows: Vec<&Row> = tables.iter().map(|rows| &rows[number]).collect();
        if rows.iter().all(|row| row.share == 0.0) {
            continue;
        }
        line = label(rows[0].label);
        for (row, (_, _, participant)) in rows.iter().zip(sides) {
            let style = match &participant.end {
                Some(End::Limit(excess)) if row.limit == Some(excess.limit) => {
                    AnsiColor::Red.on_default().bold()
                }
                _ if row.share >= 0.8 => AnsiColor::Yellow.on_default(),
                _ => Style::new(),
            };
            let (used, allowed) = (&row.used, &row.allowed);
            let text = format!("{style}{used}{style:#} {ASIDE}of {allowed}{ASIDE:#}");
            cell(
                &mut line,
                &text,
                escape::width(used) + " of ".len() + escape::width(allowed),
            );
        }
        push(&mut out, &line);
    }
    out
}

fn label(text: &str) -> String {
    format!(
        "  {ASIDE}{text}{ASIDE:#}{:rest$}",
        "",
        rest = LABEL - 2 - text.len()
    )
}

/// Appends a text, `width` columns wide, and what it takes to fill its column.
fn cell(line: &mut String, text: &str, width: usize) {
    let rest = (SIDE - 1).saturating_sub(width) + 1;
    let _ = write!(line, "{text}{:rest$}", "");
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

fn rows(side: &ParticipantOutcome, wall: &'static str) -> Vec<Row> {
    let limits = &side.limits;
    let time = |label, limit, used: std::time::Duration, allowed: std::time::Duration| Row {
        label,
        limit: Some(limit),
        used: amount::time(used),
        allowed: amount::time(allowed),
        share: share(used.as_secs_f64(), allowed.as_secs_f64()),
    };
    let size = |label, limit, used: u64, allowed: u64| Row {
        label,
        limit: Some(limit),
        used: amount::size(used),
        allowed: amount::size(allowed),
        share: share(used as f64, allowed as f64),
    };
    vec![
        time("cpu", LimitKind::Cpu, side.cpu, limits.cpu),
        time(wall, LimitKind::Wall, side.turn, limits.wall),
        time("idle", LimitKind::Idle, side.idle, limits.idle),
        size("memory", LimitKind::Memory, side.memory, limits.memory),
        size(
            "output",
            LimitKind::Output,
            side.stdout_bytes,
            limits.output,
        ),
        Row {
            label: "tasks",
            limit: None,
            used: amount::count(side.tasks.into()),
            allowed: amount::count(limits.tasks.into()),
            share: share(side.tasks.into(), limits.tasks.into()),
        },
    ]
}

fn share(used: f64, allowed: f64) -> f64 {
    match used > 0.0 {
        true => used / allowed.max(f64::MIN_POSITIVE),
        false => 0.0,
    }
}

/// How a side ended, in a few words, and how alarming that is.
fn ending(participant: &ParticipantOutcome) -> (String, Style) {
    let bad = AnsiColor::Red.on_default().bold();
    match &participant.end {
        None => ("never began".to_owned(), ASIDE),
        Some(End::Exited(0)) => ("exit code 0".to_owned(), Style::new()),
        // What a code means is the protocol's to say; the verdict did.
        Some(End::Exited(code)) => (format!("exit code {code}"), Style::new().bold()),
        Some(End::Killed {
            signal,
            from_outside: false,
        }) => (signal_name(*signal), bad),
        Some(End::Killed {
            signal,
            from_outside: true,
        }) => (format!("{} from outside", signal_name(*signal)), bad),
        Some(End::Limit(excess)) => (format!("over the {} limit", excess.limit.name()), bad),
        Some(End::Forbidden(call)) => (format!("forbidden: {}", call.name), bad),
        Some(End::NotStarted(failure)) => (format!("not started: {}", failure.step), bad),
        Some(End::Stopped) => ("stopped".to_owned(), ASIDE),
    }
}
