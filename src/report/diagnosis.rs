//! Why nothing moved any more, for a person: rows below the verdict.

use anstyle::AnsiColor;

use crate::evidence::{Found, Role, Unflushed};
use crate::outcome::{Diagnosis, Exchange, Message, Outcome};
use crate::report::page::Page;
use crate::transcript::amount;
use crate::transcript::dialogue::ASIDE;
use crate::transcript::escape;

/// How much of a message is quoted in a sentence, in columns.
const QUOTED: usize = 40;

/// Adds the rows; none if there is nothing to explain. Of the dialogue, the last `messages` are
/// shown above: an exchange that is among them is not told again.
pub(super) fn rows(outcome: &Outcome, messages: usize, page: &mut Page) {
    let Some(diagnosis) = &outcome.diagnosis else {
        return;
    };
    let shown = (diagnosis.exchange.as_ref()).is_some_and(|exchange| {
        let of_it = |message: &Message| {
            (message.at, message.from) == (exchange.message.at, exchange.message.from)
        };
        outcome
            .recent
            .messages
            .iter()
            .rev()
            .take(messages)
            .any(of_it)
    });
    let waits = diagnosis.waits.iter();
    let waits: Vec<String> = waits
        .map(|(role, words)| format!("the {role} waits in {words}"))
        .collect();
    let owes = match (diagnosis.owes, diagnosis.last_message) {
        (Some(role), Some(at)) => format!(
            "the {role} was given the last message, after {}; ",
            amount::time(at)
        ),
        _ => "nobody had said anything; ".to_owned(),
    };
    page.entry("waiting", ASIDE, &(owes + &waits.join(", ")));
    if let Some(exchange) = diagnosis.exchange.as_ref().filter(|_| !shown) {
        page.entry("exchange", ASIDE, &words(exchange));
    }
    if let Some(hint) = hint(outcome, diagnosis) {
        page.entry("hint", AnsiColor::Green.on_default(), &hint);
    }
}

/// What to try, by what is known: output that was seen in a buffer, a line without an end, or else
/// only whose turn it was.
fn hint(outcome: &Outcome, diagnosis: &Diagnosis) -> Option<String> {
    let of = |role: Role| match role {
        Role::Contestant => outcome.contestant.language.as_deref(),
        Role::Interactor => outcome.interactor.language.as_deref(),
    };
    // One remedy is enough, even where several streams hold something.
    let mut held = outcome.evidence.unflushed.iter();
    if let Some(held) = held.find(|held| held.found == Found::InMemory) {
        return Some(remedy(held, of(held.role)));
    }
    // Without a deadlock nobody waits for a message that should have come.
    outcome.evidence.deadlock.as_ref()?;
    if let Some(role) = diagnosis.unended_line {
        return Some(format!(
            "the {role}'s last message does not end its line, and who reads lines waits for that: \
             print a newline"
        ));
    }
    let flushes = |role| format!("flush after every message: {}", flushing(of(role)));
    Some(match diagnosis.owes {
        None => format!(
            "nobody has said anything: whoever begins has to print before it reads; let the contestant \
             {}; let the interactor {}",
            flushes(Role::Contestant),
            flushes(Role::Interactor)
        ),
        Some(role) => format!(
            "it was the {role}'s turn: see that it does not read more than it was sent, and let it {}",
            flushes(role)
        ),
    })
}

/// The last complete exchange.
fn words(exchange: &Exchange) -> String {
    let said = |message: &Message| {
        let mut rows = escape::wrap(escape::glyphs(message.bytes.trim_ascii_end()), QUOTED);
        let cut = rows.len() > 1 || !message.is_whole();
        let text: String = rows
            .swap_remove(0)
            .into_iter()
            .map(|glyph| glyph.text)
            .collect();
        format!("`{text}{}`", if cut { "…" } else { "" })
    };
    let Exchange { message, answer } = exchange;
    format!(
        "the {} said {}, to which the {} answered {} after {}",
        message.from,
        said(message),
        answer.from,
        said(answer),
        amount::time(answer.at)
    )
}

/// What to do about output that was held back.
fn remedy(held: &Unflushed, language: Option<&str>) -> String {
    let flushing = match (&*held.stream, held.found) {
        ("std::cout", Found::InMemory) => "`cout << endl` or `cout << flush`",
        _ => flushing(language),
    };
    format!(
        "let the {} flush after every message: {flushing}",
        held.role
    )
}

/// How a program flushes its standard output, by its language's name in the table of languages.
fn flushing(language: Option<&str>) -> &'static str {
    match language {
        Some("C") => "`fflush(stdout)`",
        Some("C++") => "`cout << endl`, `cout << flush`, or `fflush(stdout)` after printf",
        Some("Rust") => "`std::io::stdout().flush()`, which `println!` does not do on a pipe",
        Some("Python") => "`print(..., flush=True)`, or `sys.stdout.flush()`",
        Some("Java") => "`System.out.flush()`, or that of the writer around it",
        Some("JavaScript") => "`process.stdout.write(...)`, and nothing that collects lines first",
        Some("Go") => "`Flush()` of the `bufio.Writer`",
        _ => "`cout << endl`, `fflush(stdout)`, `print(..., flush=True)`, `System.out.flush()`",
    }
}

#[cfg(test)]
#[path = "diagnosis_tests.rs"]
mod tests;
