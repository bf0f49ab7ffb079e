//! A session's outcome for a person at a terminal.
//!
//! From top to bottom: what was run, the end of the dialogue, the verdict with its reason, what
//! each side used, and what else there is to know. What has nothing to say is left out. The text is
//! styled; whoever prints it sends it through `anstream`, which removes the styles on a pipe.
//! Nothing that the programs wrote reaches the terminal raw.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::evidence::{Role, signal_name};
use crate::outcome::{Outcome, ParticipantOutcome};
use crate::report::usage;
use crate::transcript::amount;
use crate::transcript::dialogue::{ASIDE, Brevity, CONTESTANT, Dialogue, INTERACTOR};
use crate::transcript::escape;
use crate::transcript::format::Source;
use crate::verdict::Verdict;

/// Columns of a row's label, with the space around it.
pub(super) const LABEL: usize = 14;

/// The narrowest terminal that the layout is made for; a narrower one breaks the rows.
const NARROWEST: usize = 32;

/// The widest that sentences get: longer lines are hard to read.
const WIDEST: usize = 100;

/// What a report shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many of the last messages of the dialogue; 0 shows none.
    pub messages: usize,
    /// How much of each message.
    pub brevity: Brevity,
    /// The table of what was used, and the isolation.
    pub details: bool,
    /// How many of the last lines of the contestant's standard error.
    pub stderr_lines: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            messages: 12,
            brevity: Brevity { rows: 2, lines: 4 },
            details: true,
            stderr_lines: 6,
        }
    }
}

/// The report, for a terminal of `width` columns. It ends with a line end.
pub fn render(outcome: &Outcome, width: usize, options: &Options) -> String {
    let mut page = Page {
        out: String::new(),
        width: width.clamp(NARROWEST, WIDEST),
    };
    title(outcome, &mut page);
    dialogue(outcome, width, options, &mut page);
    verdict(outcome, &mut page);
    if options.details {
        page.section(&usage::table(outcome, page.width));
    }
    let mut notes = Page {
        out: String::new(),
        width: page.width,
    };
    for role in [Role::Contestant, Role::Interactor] {
        refused(role, outcome, &mut notes);
    }
    for role in [Role::Interactor, Role::Contestant] {
        stderr(role, outcome, options, &mut notes);
    }
    for warning in &outcome.warnings {
        notes.entry("warning", AnsiColor::Yellow.on_default(), warning);
    }
    if options.details {
        notes.entry("isolation", ASIDE, &outcome.isolation.join(", "));
    }
    if let Some(path) = &outcome.transcript {
        notes.entry("transcript", ASIDE, &path.to_string_lossy());
    }
    page.section(&notes.out);
    page.out
}

/// The text so far, and how wide it may be.
struct Page {
    out: String,
    width: usize,
}

impl Page {
    /// A block with an empty line before it, unless it is empty or the first.
    fn section(&mut self, text: &str) {
        if !text.is_empty() && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
    }

    /// A label and a text beside it, filled; nothing for no text.
    fn entry(&mut self, label: &str, style: Style, text: &str) {
        for (number, line) in escape::fill(text, self.width - LABEL).iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            self.labelled(label, style, line);
        }
    }

    /// One row with a label, which may be empty. The text is printed as it is.
    fn labelled(&mut self, label: &str, style: Style, text: &str) {
        let rest = " ".repeat(LABEL - 2 - label.len().min(LABEL - 3));
        let _ = match label {
            "" => writeln!(self.out, "  {rest}{text}"),
            _ => writeln!(self.out, "  {style}{label}{style:#}{rest}{text}"),
        };
    }
}

fn title(outcome: &Outcome, page: &mut Page) {
    let bold = Style::new().bold();
    for line in escape::fill(&outcome.title, page.width) {
        let _ = writeln!(page.out, "{bold}{line}{bold:#}");
    }
}

fn dialogue(outcome: &Outcome, width: usize, options: &Options, page: &mut Page) {
    let recent = &outcome.recent;
    let shown = recent.messages.len().min(options.messages);
    if shown == 0 {
        return;
    }
    let skipped = recent.messages.len() - shown;
    let earlier = recent.earlier + skipped as u64;
    let mut text = String::new();
    let mut dialogue = Dialogue::new(width, options.brevity);
    dialogue.heading(&mut text);
    if earlier > 0 {
        let earlier = amount::counted(earlier, "earlier message");
        dialogue.note(None, &earlier, &mut text);
    }
    for message in recent.messages.iter().skip(skipped) {
        let missing = message.length.saturating_sub(message.bytes.len() as u64);
        let source = Source::stdout_of(message.from);
        dialogue.bytes(message.at, source, &message.bytes, missing, &mut text);
    }
    if outcome.evidence.deadlock.is_some() {
        dialogue.note(None, "both sides wait for input", &mut text);
    }
    dialogue.finish(&mut text);
    page.section(&text);
}

/// The verdict's badge, name, score and time; its reason; what the interactor said.
fn verdict(outcome: &Outcome, page: &mut Page) {
    let judgement = &outcome.judgement;
    let colour = colour(judgement.verdict);
    let (badge, name) = (
        colour.on_default().bold().invert(),
        colour.on_default().bold(),
    );
    let words = judgement.verdict.name().replace('-', " ");
    let score = (judgement.score).map_or(String::new(), |score| format!(" {score}"));
    let elapsed = amount::time(outcome.elapsed);
    let letters = judgement.verdict.letters();
    let used = "   ".len() + letters.len() + "  ".len() + words.len() + score.len();
    let room = page.width.min(LABEL + 2 * usage::SIDE).saturating_sub(used);
    let mut text = format!("  {badge} {letters} {badge:#} {name}{words}{score}{name:#}");
    // The time stands at the right edge of the table below; it is left out where it has no room.
    if outcome.elapsed > Duration::ZERO && room > escape::width(&elapsed) + 2 {
        let _ = write!(text, "{ASIDE}{elapsed:>room$}{ASIDE:#}");
    }
    text.push('\n');
    for line in escape::fill(&judgement.reason, page.width - 4) {
        let _ = writeln!(text, "  {line}");
    }
    page.section(&text);
    let mut said = Page {
        out: String::new(),
        width: page.width,
    };
    for line in outcome.message.lines() {
        for row in escape::fill(line, page.width - 4) {
            let _ = writeln!(said.out, "  {INTERACTOR}│{INTERACTOR:#} {row}");
        }
    }
    if !said.out.is_empty() {
        said.out
            .insert_str(0, &format!("  {ASIDE}the interactor said{ASIDE:#}\n"));
    }
    page.section(&said.out);
    let mut hint = Page {
        out: String::new(),
        width: page.width,
    };
    let unflushed = outcome
        .evidence
        .deadlock
        .as_ref()
        .and_then(|deadlock| deadlock.unflushed);
    if unflushed == Some(Role::Contestant) {
        let text = "flush standard output after every message: `cout << endl`, `fflush(stdout)`, \
                    `print(..., flush=True)`, `System.out.flush()`";
        hint.entry("hint", AnsiColor::Green.on_default(), text);
    }
    // Where the interruption is the verdict's reason, that says it.
    if let Some(signal) = outcome
        .interrupted
        .filter(|_| judgement.verdict != Verdict::InternalError)
    {
        let text = format!("by {}", signal_name(signal));
        hint.entry("interrupted", AnsiColor::Yellow.on_default(), &text);
    }
    page.section(&hint.out);
}

/// The colour of a verdict: green is good, red is wrong, yellow is over a limit, magenta broke, blue
/// is not the contestant's business.
fn colour(verdict: Verdict) -> AnsiColor {
    match verdict {
        Verdict::Accepted => AnsiColor::Green,
        Verdict::Points => AnsiColor::Cyan,
        Verdict::WrongAnswer | Verdict::PresentationError => AnsiColor::Red,
        Verdict::TimeLimit
        | Verdict::WallTimeLimit
        | Verdict::IdlenessLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit => AnsiColor::Yellow,
        Verdict::RuntimeError | Verdict::SecurityViolation => AnsiColor::Magenta,
        Verdict::JudgeError | Verdict::InternalError => AnsiColor::Blue,
    }
}

fn participant(role: Role, outcome: &Outcome) -> &ParticipantOutcome {
    match role {
        Role::Contestant => &outcome.contestant,
        Role::Interactor => &outcome.interactor,
    }
}

fn refused(role: Role, outcome: &Outcome, notes: &mut Page) {
    let calls: Vec<String> = (participant(role, outcome).refused.iter())
        .map(|refusal| match refusal.count {
            1 => refusal.call.clone(),
            count => format!("{} ×{}", refusal.call, amount::count(count)),
        })
        .collect();
    if !calls.is_empty() {
        let text = format!("to the {role}: {}", calls.join(", "));
        notes.entry("refused", ASIDE, &text);
    }
}

/// The last lines of a side's standard error. The interactor's are shown only where they are not
/// the message already and it is at fault.
fn stderr(role: Role, outcome: &Outcome, options: &Options, notes: &mut Page) {
    let stderr = &participant(role, outcome).stderr;
    let at_fault = outcome.judgement.verdict == Verdict::JudgeError;
    if stderr.total == 0 || (role == Role::Interactor && !at_fault) {
        return;
    }
    let end = if stderr.tail.is_empty() {
        &stderr.head
    } else {
        &stderr.tail
    };
    // Without a tail, or with one that joins the head, the text is whole.
    let whole = (stderr.head.len() + stderr.tail.len()) as u64 >= stderr.total;
    let text = match whole {
        true => [&*stderr.head, &*stderr.tail].concat(),
        false => end.clone(),
    };
    let lines: Vec<&[u8]> = (text.strip_suffix(b"\n").unwrap_or(&text))
        .split(|byte| *byte == b'\n')
        .collect();
    let shown = lines.len().min(options.stderr_lines);
    if role == Role::Interactor && text.trim_ascii() == outcome.message.trim().as_bytes() {
        return;
    }
    let size = amount::size(stderr.total);
    let heading = match (shown == lines.len() && whole, shown) {
        (true, _) => format!("{role}"),
        (false, 0) => format!("{role} wrote {size}"),
        (false, 1) => format!("{role}, the last line of {size}"),
        (false, _) => format!("{role}, the last {shown} lines of {size}"),
    };
    let rows = escape::fill(&heading, notes.width - LABEL);
    for (number, row) in rows.iter().enumerate() {
        let label = if number == 0 { "stderr" } else { "" };
        notes.labelled(label, ASIDE, &format!("{ASIDE}{row}{ASIDE:#}"));
    }
    let style = if role == Role::Contestant {
        CONTESTANT
    } else {
        INTERACTOR
    };
    for line in &lines[lines.len() - shown..] {
        let columns = notes.width - LABEL - 2;
        let mut rows = escape::wrap(escape::glyphs(line), columns);
        let cut: usize = rows
            .drain(rows.len().min(3)..)
            .flatten()
            .map(|glyph| glyph.length)
            .sum();
        for row in rows {
            let text: String = row.into_iter().map(|glyph| glyph.text).collect();
            notes.labelled("", ASIDE, format!("{style}│{style:#} {text}").trim_end());
        }
        if cut > 0 {
            let more = amount::counted(cut as u64, "more byte");
            notes.labelled(
                "",
                ASIDE,
                &format!("{style}│{style:#} {ASIDE}… {more}{ASIDE:#}"),
            );
        }
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
