//! What is told of an outcome besides the report.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use crate::error::Error;
use crate::outcome::Outcome;
use crate::transcript::amount::counted;
use crate::verdict::Verdict;

/// The report could not be written: then the error has the verdict, so that it is not lost.
pub(super) fn untold(error: Error, outcome: &Outcome) -> Error {
    match error {
        Error::System { source, .. } => Error::System {
            action: format!(
                "report the verdict {} on standard output",
                outcome.judgement.verdict.name()
            ),
            source,
        },
        other => other,
    }
}

/// The status to exit with.
pub(super) fn exit_status(outcome: &Outcome) -> u8 {
    match outcome.interrupted {
        Some(signal) => 128u8.saturating_add(signal as u8),
        None => outcome.judgement.verdict.exit_status(),
    }
}

/// One line for a test that is not the last.
pub(super) fn progress(outcome: &Outcome) -> String {
    let good = matches!(
        outcome.judgement.verdict,
        Verdict::Accepted | Verdict::Points
    );
    let colour = if good {
        AnsiColor::Green
    } else {
        AnsiColor::Red
    };
    let style = match std::io::stdout().is_terminal() {
        true => colour.on_default(),
        false => Style::new(),
    };
    let contestant = &outcome.contestant;
    format!(
        "{style}{:2}{style:#}  {}  ({}, {} of CPU time)\n",
        outcome.judgement.verdict.letters(),
        outcome.title,
        counted(contestant.messages, "message"),
        crate::units::show_duration(contestant.cpu),
    )
}
