//! What an interactor's ending means: exit code, words and feedback files to a [`Decision`].
//!
//! The exit code decides. The words on standard error are for a person; they are read for a number
//! where the code announces one (points), and otherwise never overrule the code: an interactor that
//! says `ok` and exits with 1 has rejected. Two things cannot be told by the code: a partial score
//! whose number has another meaning, and an uncaught exception, which many runtimes report with 1. A code that the protocol does not
//! define, or a number that cannot be read, is [`Decision::Undefined`] with a sentence that says
//! what was wrong; nothing is guessed in the contestant's favour or against it.
//!
//! The session calls [`decide`] once, and only for an interactor that exited by itself. This module
//! opens no file and knows no process.

use crate::diagnose::last_words::last_words;
use crate::evidence::Decision;
use crate::spec::protocol::Protocol;

#[cfg(test)]
mod tests;

/// The longest message, in characters; a longer one is cut and ends in an ellipsis.
pub const MESSAGE_CHARS: usize = 1000;

/// The longest piece of foreign text that is quoted inside a sentence, in characters.
const QUOTED_CHARS: usize = 40;

/// What testlib adds to the number of `partially correct (N)` when it is built with `-DTESTSYS`.
const PARTIAL_BASE: i64 = 50;

/// What an interactor that exited by itself left behind.
#[derive(Debug, Clone, Default)]
pub struct Said<'a> {
    /// Its exit code, 0 to 255.
    pub code: i32,
    /// The beginning of its standard error.
    pub stderr: &'a [u8],
    /// `judgemessage.txt` of the feedback folder, if there is one (icpc).
    pub judge_message: Option<Vec<u8>>,
    /// `score.txt` of the feedback folder, if there is one (icpc).
    pub score: Option<Vec<u8>>,
}

/// Reads the interactor's ending: its decision, and its words for a person.
///
/// The message is one line of valid UTF-8 without control characters, at most [`MESSAGE_CHARS`]
/// long, and empty if the interactor said nothing.
pub fn decide(protocol: Protocol, said: &Said<'_>) -> (Decision, String) {
    match protocol {
        Protocol::Testlib => testlib(said),
        Protocol::Icpc => icpc(said),
    }
}

/// The exit codes of testlib.h (0.9.44) as it is built without switches, and with `-DTESTSYS`.
fn testlib(said: &Said<'_>) -> (Decision, String) {
    if let Some(partial) = partial_score(said) {
        return partial;
    }
    match said.code {
        1 if let Some(runtime) = crashed_runtime(said.stderr) => {
            let exception = exception(said.stderr);
            let sentence = format!(
                "exit code 1 is how {runtime} reports an uncaught exception, not how this \
                 interactor rejects: {exception}"
            );
            (Decision::Undefined(sentence), exception)
        }
        0 => (Decision::Accepted, words(said.stderr, &["ok"])),
        1 => (Decision::WrongAnswer, words(said.stderr, &["wrong answer"])),
        // 4 is dirt, which testlib itself turns into 2; 8 exists only where the interactor was
        // built to tell an unexpected end of input apart.
        2 | 4 | 8 => (
            Decision::PresentationError,
            words(said.stderr, &["wrong output format", "unexpected eof"]),
        ),
        3 => {
            let message = words(said.stderr, &["FAIL"]);
            (Decision::Fail(message.clone()), message)
        }
        7 => points(said.stderr),
        code => partially_correct(code, said.stderr),
    }
}

/// A partial score whose number is an exit code with another meaning: `_pc(1)` exits with 1, and
/// only its words, on the last line, tell it from a rejection.
fn partial_score(said: &Said<'_>) -> Option<(Decision, String)> {
    let line = lines(said.stderr)
        .last()?
        .strip_prefix(b"partially correct")?;
    let (number, comment) = parenthesized(line.trim_ascii())?;
    let code = i64::from(said.code);
    (code == number || code == PARTIAL_BASE.saturating_add(number))
        .then(|| (Decision::Points(number as f64), readable(comment)))
}

/// The runtime whose uncaught exception ended the interactor, if its last words say so. Such
/// runtimes exit with 1, which would otherwise count as the contestant's wrong answer.
fn crashed_runtime(stderr: &[u8]) -> Option<&'static str> {
    const WORDS: [(&[u8], &str); 3] = [
        (b"Traceback (most recent call last):", "Python"),
        (b"Exception in thread \"main\"", "Java"),
        (b"Node.js v", "Node.js"),
    ];
    let rejects = after_opening(stderr, &["wrong answer"]).is_some();
    let runtime = WORDS
        .into_iter()
        .find(|(words, _)| lines(stderr).any(|l| l.starts_with(words)));
    runtime.map(|(_, name)| name).filter(|_| !rejects)
}

/// The uncaught exception that ended the interactor, in one sentence.
fn exception(stderr: &[u8]) -> String {
    match last_words(stderr) {
        Some(sentence) => readable(sentence.as_bytes()),
        None => words(stderr, &[]),
    }
}

/// Exit code 7: the score stands behind the word `points`.
fn points(stderr: &[u8]) -> (Decision, String) {
    let Some(rest) = after_opening(stderr, &["points"]) else {
        let sentence = "exit code 7 means points in the testlib protocol, but no line of standard \
                        error begins with `points` and a number";
        return (Decision::Undefined(sentence.to_owned()), words(stderr, &[]));
    };
    let (number, comment) = first_word(rest);
    match finite(number) {
        Some(score) => (Decision::Points(score), readable(comment)),
        None => {
            let sentence = format!(
                "exit code 7 means points in the testlib protocol, but `points` on standard error is \
                 followed by {} where a finite number must stand",
                quoted(number)
            );
            (Decision::Undefined(sentence), words(stderr, &[]))
        }
    }
}

/// Any code that testlib gives no fixed meaning: a partial score if the words name the same one.
fn partially_correct(code: i32, stderr: &[u8]) -> (Decision, String) {
    let Some(rest) = after_opening(stderr, &["partially correct"]) else {
        let sentence = format!(
            "exit code {code} means nothing in the testlib protocol{}",
            testlib_hint(code)
        );
        return (Decision::Undefined(sentence), words(stderr, &[]));
    };
    let Some((number, comment)) = parenthesized(rest) else {
        let sentence = format!(
            "exit code {code} comes with the words `partially correct`, which must be followed by \
             a whole number in parentheses, as in `partially correct (30)`"
        );
        return (Decision::Undefined(sentence), words(stderr, &[]));
    };
    let code = i64::from(code);
    if code == number || code == PARTIAL_BASE.saturating_add(number) {
        return (Decision::Points(number as f64), readable(comment));
    }
    let sentence = format!(
        "exit code {code} does not agree with the words `partially correct ({number})`: testlib \
         exits with that number, or with {PARTIAL_BASE} more"
    );
    (Decision::Undefined(sentence), words(stderr, &[]))
}

/// What the author of an interactor with this code probably had in mind.
fn testlib_hint(code: i32) -> String {
    match code {
        42 => " (42 is `accepted` for icpc: use --protocol icpc?)".to_owned(),
        43 => " (43 is `wrong answer` for icpc: use --protocol icpc?)".to_owned(),
        5 | 6 => format!(
            " ({code} comes from an interactor that was built with -DEJUDGE: build it without)"
        ),
        50..=150 => format!(
            " ({code} is a partial score only with the words `partially correct ({})` or \
             `partially correct ({code})` on standard error)",
            i64::from(code) - PARTIAL_BASE
        ),
        _ => String::new(),
    }
}

/// The exit codes of an output validator of the ICPC problem package format.
fn icpc(said: &Said<'_>) -> (Decision, String) {
    let message = said
        .judge_message
        .as_deref()
        .map(|text| words(text, &[]))
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| match crashed_runtime(said.stderr) {
            Some(_) => exception(said.stderr),
            None => words(said.stderr, &[]),
        });
    let decision = match (said.code, said.score.as_deref()) {
        (42, None) => Decision::Accepted,
        (42, Some(score)) => match finite(score) {
            Some(score) => Decision::Points(score),
            None => Decision::Undefined(format!(
                "score.txt must hold one finite number and nothing else, but holds {}",
                quoted(score)
            )),
        },
        // The format gives score.txt a meaning only beside 42.
        (43, _) => Decision::WrongAnswer,
        (code, _) => Decision::Undefined(format!(
            "exit code {code} means nothing in the icpc protocol, where 42 is accepted and 43 is \
             wrong answer{}",
            icpc_hint(code)
        )),
    };
    (decision, message)
}

/// What the author of a validator with this code probably had in mind.
fn icpc_hint(code: i32) -> String {
    let name = match code {
        0 => "ok",
        1 => "wrong answer",
        2 => "wrong output format",
        3 => "FAIL",
        7 => "points",
        _ => return String::new(),
    };
    format!(" ({code} is `{name}` for testlib: use --protocol testlib?)")
}

/// The interactor's words: the line that begins with one of `openings`, without it, or else the
/// first line that is not blank.
///
/// An opening is removed only where it agrees with the exit code (the caller passes those that
/// do), so that a contradiction between code and words stays visible.
fn words(text: &[u8], openings: &[&str]) -> String {
    let line = after_opening(text, openings).or_else(|| lines(text).next());
    readable(line.unwrap_or_default())
}

/// What follows the opening on the last line that begins with one of `openings`.
///
/// The last one, because testlib writes its line when it quits: whatever stands before it is the
/// interactor's own logging.
fn after_opening<'a>(text: &'a [u8], openings: &[&str]) -> Option<&'a [u8]> {
    lines(text)
        .filter_map(|line| {
            openings.iter().find_map(|opening| {
                let rest = line.strip_prefix(opening.as_bytes())?;
                // `okay` does not begin with the word `ok`.
                let whole_word = !rest.first().is_some_and(u8::is_ascii_alphanumeric);
                whole_word.then(|| rest.strip_prefix(b":").unwrap_or(rest).trim_ascii())
            })
        })
        .last()
}

/// The lines that are not blank, without the white space around them.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
}

/// The text up to the first white space, and what follows it.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(text.len());
    (&text[..end], &text[end..])
}

/// `(N) comment` taken apart; N is not negative, because testlib adds it to an exit code.
fn parenthesized(text: &[u8]) -> Option<(i64, &[u8])> {
    let inside = text.strip_prefix(b"(")?;
    let end = inside.iter().position(|&byte| byte == b')')?;
    let number = std::str::from_utf8(inside[..end].trim_ascii()).ok()?;
    let number = number.parse::<u32>().ok()?;
    Some((i64::from(number), &inside[end + 1..]))
}

/// A number, unless it is infinite or not a number: neither can be added up or compared.
fn finite(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text.trim_ascii())
        .ok()?
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// Foreign bytes as one line of text: decoded with losses, control characters made harmless (they
/// could move the cursor of the terminal that shows them), cut to [`MESSAGE_CHARS`].
fn readable(bytes: &[u8]) -> String {
    cut(bytes, MESSAGE_CHARS)
}

/// Foreign bytes as part of a sentence.
fn quoted(bytes: &[u8]) -> String {
    let text = cut(bytes, QUOTED_CHARS);
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{text}`")
    }
}

/// The first `most` characters, the last of which says so if there were more.
fn cut(bytes: &[u8], most: usize) -> String {
    let bytes = bytes.trim_ascii();
    // A character takes four bytes at most, so that more can never be shown: a flood is not
    // decoded for nothing. One byte more than that tells that there was more.
    let enough = &bytes[..bytes.len().min(4 * most + 1)];
    let decoded = String::from_utf8_lossy(enough);
    let mut text: String = decoded.chars().map(harmless).take(most + 1).collect();
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.pop();
        text.push('…');
    }
    text
}

/// A tab or line break as a blank, any other control character as the replacement character.
fn harmless(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        other if other.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}
