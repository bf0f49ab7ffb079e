//! A session's outcome for a person at a terminal.
//!
//! From top to bottom: what was run, the end of the dialogue, the verdict with its reason, who
//! held the turn, what each side used, and what else there is to know. What has nothing to say is left out. The text is
//! styled; whoever prints it sends it through `anstream`, which removes the styles on a pipe.
//! Nothing that the programs wrote reaches the terminal raw.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::evidence::{End, LimitKind, Role, signal_name};
use crate::outcome::{Outcome, ParticipantOutcome, PassOutcome};
use crate::report::diagnosis;
use crate::report::explanation;
use crate::report::page::Page;
use crate::report::usage;
use crate::spec::layer;
use crate::transcript::amount;
use crate::transcript::chart;
use crate::transcript::dialogue::{ASIDE, Brevity, CONTESTANT, Dialogue, INTERACTOR};
use crate::transcript::escape;
use crate::transcript::format::Source;
use crate::verdict::Verdict;

/// What a report shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many of the last messages of the dialogue; 0 shows none.
    pub messages: usize,
    /// How much of each message.
    pub brevity: Brevity,
    /// The table of what was used, the picture of turns, and the isolation.
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
    let mut page = Page::new(width);
    title(outcome, &mut page);
    dialogue(outcome, width, options, &mut page);
    verdict(outcome, options, &mut page);
    if options.details {
        if turns_matter(outcome) {
            page.section(&chart::draw(&outcome.timeline, page.width));
        }
        page.section(&usage::table(outcome, page.width));
    }
    let mut notes = page.part();
    for role in [Role::Contestant, Role::Interactor] {
        let to = format!("to the {role}: ");
        notes.refused(&to, &participant(role, outcome).refused);
    }
    for role in [Role::Interactor, Role::Contestant] {
        stderr(role, outcome, options, &mut notes);
    }
    for warning in &outcome.warnings {
        notes.entry("warning", AnsiColor::Yellow.on_default(), warning);
    }
    if options.details {
        notes.entry("isolation", ASIDE, &layer::names(&outcome.isolation));
    }
    if let Some(path) = &outcome.transcript {
        notes.entry("transcript", ASIDE, &path.to_string_lossy());
    }
    page.section(&notes.out);
    page.out
}

/// Whether the picture of turns is worth its rows. In a short session it shows little but how long
/// the programs took to start. It is shown where a person had to wait, and where a limit decided
/// that is about waiting, however low. A deadlock alone is no reason: it is found within
/// milliseconds, and who waits for whom is said in words.
fn turns_matter(outcome: &Outcome) -> bool {
    const LONG: Duration = Duration::from_millis(200);
    let waited = [&outcome.contestant, &outcome.interactor].map(|side| match &side.end {
        Some(End::Limit(excess)) => matches!(
            excess.limit,
            LimitKind::Wall | LimitKind::Idle | LimitKind::Session
        ),
        _ => false,
    });
    outcome.elapsed >= LONG || waited.contains(&true)
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
fn verdict(outcome: &Outcome, options: &Options, page: &mut Page) {
    let judgement = &outcome.judgement;
    let verdict = judgement.verdict;
    let score = (judgement.score).map_or(String::new(), |score| format!(" {score}"));
    let words = verdict.name().replace('-', " ") + &score;
    page.badge(verdict.letters(), &words, colour(verdict), outcome.elapsed);
    page.reason(&judgement.reason);
    let who = match outcome.checker {
        Some(_) => "checker",
        None => "interactor",
    };
    let mut said = page.part();
    // An exception that ended it is told below, with its place.
    let cause = outcome.interactor.explanation.as_ref();
    let cause = cause.and_then(|explanation| explanation.cause.as_ref());
    let message = Some(&outcome.message).filter(|message| cause != Some(message));
    for line in message.into_iter().flat_map(|message| message.lines()) {
        for row in escape::fill(line, page.width - 4) {
            let _ = writeln!(said.out, "  {INTERACTOR}│{INTERACTOR:#} {row}");
        }
    }
    if !said.out.is_empty() {
        said.out
            .insert_str(0, &format!("  {ASIDE}the {who} said{ASIDE:#}\n"));
    }
    page.section(&said.out);
    let mut hint = page.part();
    for (side, style) in [
        (&outcome.contestant, CONTESTANT),
        (&outcome.interactor, INTERACTOR),
    ] {
        let explanation = side.explanation.as_ref();
        explanation::rows(side.role.name(), style, explanation, &mut hint);
    }
    diagnosis::rows(outcome, options.messages, &mut hint);
    if outcome.passes.len() > 1 {
        hint.entry("passes", ASIDE, &passes(&outcome.passes));
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

/// How many passes there were, and what the contestant used in each.
fn passes(passes: &[PassOutcome]) -> String {
    let cpu: Vec<String> = passes
        .iter()
        .map(|pass| amount::time(pass.contestant.cpu))
        .collect();
    let (last, before) = cpu
        .split_last()
        .map_or(("", &[][..]), |(last, rest)| (last, rest));
    let cpu = format!("{} and {last}", before.join(", "));
    format!(
        "{} in all, in which the contestant used {cpu} of CPU time; what else is told is of the last",
        passes.len()
    )
}

/// The colour of a verdict: green is good, red is wrong, yellow is over a limit, magenta broke, blue
/// is not the contestant's business.
pub(super) fn colour(verdict: Verdict) -> AnsiColor {
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

/// The last lines of a side's standard error. The interactor's are shown only where they are not
/// the message already and it is at fault.
fn stderr(role: Role, outcome: &Outcome, options: &Options, notes: &mut Page) {
    let stderr = &participant(role, outcome).stderr;
    let (style, wanted) = match role {
        Role::Contestant => (CONTESTANT, true),
        Role::Interactor => {
            let at_fault = outcome.judgement.verdict == Verdict::JudgeError;
            let is_message = stderr.total == stderr.head.len() as u64
                && stderr.head.trim_ascii() == outcome.message.trim().as_bytes();
            (INTERACTOR, at_fault && !is_message)
        }
    };
    if wanted {
        notes.stderr(role.name(), style, stderr, options.stderr_lines);
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
pub(super) mod tests;
