//! What a language's runtime or the C library said before it ended the program, in one sentence.
//!
//! A pure function on what was kept of standard error. Anyone can print such lines, so what it says is
//! what the program *said*: it explains an ending that is known otherwise, and decides nothing.

use super::names::short;

/// How much is looked at, of the end. It is as much as is kept of a standard error, because an
/// endless recursion of Java's prints its error first and a thousand frames then.
const LOOKED_AT: usize = 64 << 10;
/// How long a sentence may be.
const LONGEST: usize = 300;

/// Makes a sentence of the lines, if they are those of its language.
type Reader = fn(&[&str]) -> Option<String>;

/// The reason that the last lines of standard error give; `None` if none is recognised.
pub fn last_words(stderr: &[u8]) -> Option<String> {
    let tail = &stderr[stderr.len().saturating_sub(LOOKED_AT)..];
    let text = String::from_utf8_lossy(tail);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // Last come those whose lines could be part of another's.
    let readers: [Reader; 9] = [
        rust, python, java, node, go, terminate, assertion, c_library, overflow,
    ];
    let sentence = readers.iter().find_map(|reader| reader(&lines))?;
    let mut clean: String = sentence.chars().filter(|c| !c.is_control()).collect();
    if let Some((at, _)) = clean.char_indices().nth(LONGEST) {
        clean.truncate(at);
        clean.push_str("...");
    }
    Some(clean)
}

/// The last line that has `mark`, its index, and what stands before and after the mark.
fn last<'a>(lines: &[&'a str], mark: &str) -> Option<(usize, &'a str, &'a str)> {
    let found = lines.iter().enumerate().rev();
    found
        .filter_map(|(at, line)| {
            line.split_once(mark)
                .map(|(before, after)| (at, before, after))
        })
        .next()
}

/// `thread 'main' (17) panicked at src/a.rs:2:29:`, and the message in the next line; in versions
/// before 1.73 the message came first, in quotes.
fn rust(lines: &[&str]) -> Option<String> {
    let (at, before, after) = last(lines, " panicked at ")?;
    if !before.starts_with("thread '") {
        return None;
    }
    if let Some(rest) = after.strip_prefix('\'') {
        let (message, place) = rest.rsplit_once("', ")?;
        return Some(format!("panic: {message}, at {}", rust_place(place)));
    }
    let place = rust_place(after.strip_suffix(':')?);
    match lines.get(at + 1).filter(|line| !line.starts_with("note: ")) {
        Some(message) => Some(format!("panic: {message}, at {place}")),
        None => Some(format!("panic at {place}")),
    }
}

/// File and line without folders and column.
fn rust_place(place: &str) -> &str {
    let end = place.rfind(':').filter(|end| place[..*end].contains(':'));
    short(&place[..end.unwrap_or(place.len())])
}

/// The last line of a traceback, and its innermost frame that is not of the installed library.
fn python(lines: &[&str]) -> Option<String> {
    let start = lines
        .iter()
        .rposition(|line| *line == "Traceback (most recent call last):");
    let frame = |line: &str| {
        let rest = line.strip_prefix("  File \"")?;
        let (path, rest) = rest.split_once("\", line ")?;
        let (number, function) = match rest.split_once(", in ") {
            Some((number, function)) => (number, Some(function)),
            None => (rest, None),
        };
        let own =
            !path.starts_with('<') && !path.contains("/lib/python") && !path.contains("/pypy");
        number.parse::<u32>().ok()?;
        let place = format!("{}:{number}", short(path));
        Some((
            own,
            place,
            function
                .filter(|name| *name != "<module>")
                .map(str::to_owned),
        ))
    };
    let start = match start {
        Some(start) => start + 1,
        // A source that cannot be parsed has no traceback around it.
        None => lines.iter().rposition(|line| frame(line).is_some())?,
    };
    let rest = &lines[start..];
    let error = rest
        .iter()
        .find(|line| !line.is_empty() && !line.starts_with(' '))?;
    let is_error = start == 0
        || error
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_');
    let frames: Vec<_> = rest.iter().filter_map(|line| frame(line)).collect();
    if frames.is_empty() || !is_error {
        return None;
    }
    let own = frames.iter().rev().find(|(own, _, _)| *own);
    let (_, place, function) = own.or(frames.last())?;
    Some(match function {
        Some(function) => format!("{error}, in `{function}` at {place}"),
        None => format!("{error}, at {place}"),
    })
}

/// `Exception in thread "main" java.lang.Error: message`, and the first frame that is not of the
/// runtime.
fn java(lines: &[&str]) -> Option<String> {
    let (at, before, after) = last(lines, "Exception in thread \"")?;
    let (_, error) = after.split_once("\" ")?;
    if !before.is_empty() {
        return None;
    }
    let error = error.strip_prefix("java.lang.").unwrap_or(error);
    let frames = lines[at + 1..].iter().map(|line| line.trim_start());
    let frame = frames.filter_map(|line| {
        let (function, place) = line.strip_prefix("at ")?.split_once('(')?;
        let place = place.strip_suffix(')')?;
        (!function.contains('/') && place.contains(':')).then_some((function, place))
    });
    Some(match frame.take(1).next() {
        Some((function, place)) => format!("{error}, in `{function}` at {place}"),
        None => error.to_owned(),
    })
}

/// `TypeError: message` above lines that begin with `    at `, and `Node.js v20` at the end.
fn node(lines: &[&str]) -> Option<String> {
    let end = lines
        .iter()
        .rposition(|line| line.starts_with("Node.js v"))?;
    let lines = &lines[..end];
    let frame = |line: &str| {
        let rest = line.strip_prefix("    at ")?;
        let (function, place) = match rest
            .strip_suffix(')')
            .and_then(|rest| rest.rsplit_once(" ("))
        {
            Some((function, place)) => (Some(function), place),
            None => (None, rest),
        };
        let own = place.starts_with('/') || place.starts_with("file:");
        let function = function.filter(|name| *name != "Object.<anonymous>");
        own.then(|| (function.map(str::to_owned), rust_place(place).to_owned()))
    };
    let first = lines.iter().position(|line| line.starts_with("    at "));
    let Some(first) = first.filter(|first| *first > 0) else {
        // What was thrown is no error; it stands below the mark under the source.
        let mark = lines.iter().rposition(|line| line.trim() == "^")?;
        let thrown = lines.get(mark + 1).filter(|line| !line.is_empty())?;
        let place = lines
            .iter()
            .find(|line| line.starts_with('/') || line.starts_with("file:"));
        return Some(match place {
            Some(place) => format!("uncaught exception: {thrown}, at {}", short(place)),
            None => format!("uncaught exception: {thrown}"),
        });
    };
    let blank = lines[..first].iter().rposition(|line| line.is_empty());
    let error = lines.get(blank.map_or(first - 1, |blank| blank + 1))?;
    Some(match lines[first..].iter().find_map(|line| frame(line)) {
        Some((Some(function), place)) => format!("{error}, in `{function}` at {place}"),
        Some((None, place)) => format!("{error}, at {place}"),
        None => (*error).to_owned(),
    })
}

/// `panic: message` or `fatal error: message`, and the first frame of a goroutine that is not of
/// the runtime.
fn go(lines: &[&str]) -> Option<String> {
    let starts = |line: &&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let at = lines.iter().position(starts)?;
    let goroutine = lines[at..]
        .iter()
        .position(|line| line.starts_with("goroutine "))?
        + at;
    let frames = lines[goroutine + 1..]
        .windows(2)
        .map(|pair| (pair[0], pair[1]));
    let frame = frames.filter_map(|(function, place)| {
        let place = place.strip_prefix('\t')?;
        // A call that was made a part of another has no offset.
        let path = place.split_once(" +0x").map_or(place, |(path, _)| path);
        let is_runtime = function.starts_with("runtime.") || function.starts_with("panic(");
        let function = &function[..function.rfind('(')?];
        (!is_runtime).then(|| {
            (
                function.strip_prefix("main.").unwrap_or(function),
                short(path),
            )
        })
    });
    let error = lines[at].strip_prefix("fatal error: ").unwrap_or(lines[at]);
    let error = error.replace("panic: runtime error: ", "panic: ");
    Some(match frame.take(1).next() {
        Some((function, place)) => format!("{error}, in `{function}` at {place}"),
        None => error,
    })
}

/// `terminate called after throwing an instance of 'E'`, and `  what():  message` below.
fn terminate(lines: &[&str]) -> Option<String> {
    let (at, _, after) = last(lines, "terminate called ")?;
    let Some(class) = after.strip_prefix("after throwing an instance of ") else {
        let known = after.starts_with("without an active exception");
        return known.then(|| "terminate called without an active exception".to_owned());
    };
    let class = class.trim_matches('\'');
    let what = lines
        .get(at + 1)
        .and_then(|line| line.strip_prefix("  what():  "));
    let what = what.filter(|what| *what != class && !what.is_empty());
    Some(match what {
        Some(what) => format!("uncaught exception {class}: {what}"),
        None => format!("uncaught exception {class}"),
    })
}

/// `a: a.c:5: main: Assertion `x > 0' failed.`, by the C library or the C++ library.
fn assertion(lines: &[&str]) -> Option<String> {
    let (_, before, after) = last(lines, ": Assertion ")?;
    let claim = after.strip_suffix(" failed.")?.trim_matches(['`', '\'']);
    let mut parts = before.split(':').map(str::trim);
    let place = parts.by_ref().find_map(|part| {
        part.rsplit(' ')
            .next()
            .filter(|name| name.contains('.') && !name.starts_with('.'))
    });
    let line = parts.next().filter(|line| line.parse::<u32>().is_ok());
    Some(match (place, line) {
        (Some(file), Some(line)) => format!("assertion `{claim}` failed at {}:{line}", short(file)),
        _ => format!("assertion `{claim}` failed"),
    })
}

/// What the C library says when it finds its own data destroyed.
fn c_library(lines: &[&str]) -> Option<String> {
    const SAID: [&str; 12] = [
        "free(): ",
        "malloc(): ",
        "malloc_consolidate(): ",
        "realloc(): ",
        "munmap_chunk(): ",
        "corrupted size vs. prev_size",
        "corrupted double-linked list",
        "double free or corruption",
        "break adjusted to free malloc space",
        "tcache_thread_shutdown(): ",
        "invalid fastbin entry",
        "unaligned fastbin chunk",
    ];
    let mut lines = lines.iter().rev();
    lines.find_map(|line| {
        if let Some(rest) = line.strip_prefix("*** ") {
            let (what, _) = rest.split_once(" ***")?;
            let known = ["stack smashing detected", "buffer overflow detected"].contains(&what);
            return known
                .then(|| format!("{what}: something wrote beyond the end of a local variable"));
        }
        let known = SAID.iter().any(|said| line.starts_with(said));
        known.then(|| format!("{line}: the heap was damaged, or freed wrongly"))
    })
}

/// `thread 'main' (17) has overflowed its stack`.
fn overflow(lines: &[&str]) -> Option<String> {
    last(lines, " has overflowed its stack").map(|_| "stack overflow".to_owned())
}

#[cfg(test)]
#[path = "last_words_tests.rs"]
mod tests;
