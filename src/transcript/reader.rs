//! Reads a transcript back, line by line, in memory that depends on the longest line only.
//!
//! A transcript whose last line breaks off (the coordinator was killed while it wrote) is read up
//! to there; [`Reader::truncated`] then says so. Any other line that is not a record is the file's
//! fault and gets a sentence that begins with `FILE:LINE: `. No input makes this module panic.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result, reason, unreadable};
use crate::transcript::escape;
use crate::transcript::event::Event;
use crate::transcript::format::{Data, Header, Record, Source, VERSION};

/// The longest line that is read, in bytes. No session writes one: it bounds our memory when a
/// file is no transcript at all.
const LONGEST_LINE: u64 = 1 << 30;

/// The records of a transcript, in order. After a bad line it goes on with the next one.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    header: Header,
    truncated: bool,
}

impl Reader<Box<dyn BufRead>> {
    /// Opens a transcript and reads its header; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or does not begin with the header of a version that is
    /// known.
    pub fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Reader::new(Box::new(std::io::stdin().lock()), "standard input");
        }
        let unreadable = |error| unreadable("transcript", path, &error);
        let file = File::open(path).map_err(unreadable)?;
        if path.is_dir() {
            return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
        }
        Reader::new(
            Box::new(BufReader::with_capacity(1 << 16, file)),
            &path.to_string_lossy(),
        )
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header of a transcript that messages call `name`.
    ///
    /// # Errors
    /// As for [`open`](Reader::open).
    pub fn new(input: R, name: &str) -> Result<Self> {
        let mut lines = Lines::new(input, name);
        let header = match lines.next()? {
            Line::End => {
                return Err(lines.fault("the file is empty; a transcript begins with a header"));
            }
            Line::Whole => header(&lines.buffer),
            Line::Last => header(&lines.buffer).map_err(|text| match lines.buffer.first() {
                Some(b'{') => "the file breaks off within its header".to_owned(),
                _ => text,
            }),
        };
        let header = header.map_err(|text| lines.fault(&text))?;
        let truncated = false;
        Ok(Reader {
            lines,
            header,
            truncated,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// True once the end was reached and the last line broke off.
    pub fn truncated(&self) -> bool {
        self.truncated
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let kind = match self.lines.next() {
                Ok(kind) => kind,
                Err(error) => return Some(Err(error)),
            };
            if kind == Line::End {
                return None;
            }
            let line = self.lines.buffer.trim_ascii();
            if line.is_empty() {
                continue;
            }
            return match (record(line), kind) {
                (Ok(record), _) => Some(Ok(record)),
                (Err(_), Line::Last) => {
                    self.truncated = true;
                    None
                }
                (Err(text), _) => Some(Err(self.lines.fault(&text))),
            };
        }
    }
}

/// The lines of a file, one at a time in one buffer.
#[derive(Debug)]
struct Lines<R> {
    input: R,
    /// What messages call the file.
    name: String,
    /// The number of the line in the buffer, from 1.
    number: u64,
    buffer: Vec<u8>,
    /// True after the end and after an error, from which there is no going on.
    ended: bool,
}

/// What [`Lines::next`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A line with its end.
    Whole,
    /// The last line, which has no end.
    Last,
    /// No more lines.
    End,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R, name: &str) -> Self {
        Lines {
            input,
            name: escape::text(name.as_bytes()),
            number: 0,
            buffer: Vec::new(),
            ended: false,
        }
    }

    fn next(&mut self) -> Result<Line> {
        self.buffer.clear();
        self.number += 1;
        if self.ended {
            return Ok(Line::End);
        }
        let mut limited = self.input.by_ref().take(LONGEST_LINE);
        match limited.read_until(b'\n', &mut self.buffer) {
            Err(error) => {
                self.ended = true;
                Err(self.fault(&format!("cannot be read: {}", reason(&error))))
            }
            Ok(0) => {
                self.ended = true;
                Ok(Line::End)
            }
            Ok(_) if self.buffer.ends_with(b"\n") => Ok(Line::Whole),
            Ok(count) if count as u64 == LONGEST_LINE => {
                self.ended = true;
                self.buffer = Vec::new();
                Err(self.fault("the line is longer than 1 GiB; this is no transcript"))
            }
            Ok(_) => {
                self.ended = true;
                Ok(Line::Last)
            }
        }
    }

    fn fault(&self, text: &str) -> Error {
        Error::usage(format!("{}:{}: {text}", self.name, self.number))
    }
}

/// Reads the first line; the error reads after `FILE:LINE: `.
fn header(line: &[u8]) -> std::result::Result<Header, String> {
    const NONE: &str = "this is no transcript: it does not begin with a header";
    let value: Value = json(line).map_err(|_| NONE.to_owned())?;
    let version = value.get("version").ok_or_else(|| NONE.to_owned())?;
    if version.as_u64() != Some(VERSION) {
        return Err(format!(
            "the transcript has version {}; this program reads version {VERSION}",
            shortened(version)
        ));
    }
    serde_json::from_value(value).map_err(|error| {
        let text = escape::text(error.to_string().as_bytes());
        format!("the header is incomplete: {text}")
    })
}

/// Reads one record; the error reads after `FILE:LINE: `.
fn record(line: &[u8]) -> std::result::Result<Record, String> {
    let value: Value = json(line)?;
    let parts = match value {
        Value::Array(parts) => <[Value; 3]>::try_from(parts).map_err(|parts| {
            format!(
                "a record has three parts, [seconds, source, data]; this one has {}",
                parts.len()
            )
        })?,
        other => {
            return Err(format!(
                "a record is an array [seconds, source, data], not {}",
                shortened(&other)
            ));
        }
    };
    let [at, source, data] = parts;
    let at = (at.as_f64())
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| {
            format!(
                "the time is {}; it must be a number of seconds from 0",
                shortened(&at)
            )
        })?;
    let source = source.as_str().and_then(Source::from_name).ok_or_else(|| {
        let known = Source::ALL.map(Source::name).join(", ");
        format!(
            "the source is {}; the sources are {known}",
            shortened(&source)
        )
    })?;
    let data = match (source, data) {
        (Source::Event, event) => Data::Event(self::event(event)?),
        (_, Value::String(text)) => Data::Bytes(text.into_bytes()),
        (_, other) => Data::Bytes(base64(&other)?),
    };
    Ok(Record { at, source, data })
}

fn event(value: Value) -> std::result::Result<Event, String> {
    if value.get("kind").and_then(Value::as_str).is_none() {
        return Err(format!(
            "the data of an event is an object with a kind, not {}",
            shortened(&value)
        ));
    }
    // Kinds that are not known end in `Event::Other`, so that later ones can be read.
    serde_json::from_value(value).map_err(|error| escape::text(error.to_string().as_bytes()))
}

fn base64(value: &Value) -> std::result::Result<Vec<u8>, String> {
    let text = (value.as_object())
        .filter(|object| object.len() == 1)
        .and_then(|object| object.get("base64"))
        .and_then(Value::as_str)
        .ok_or_else(|| {
            format!(
                "the data is a string or {{\"base64\": \"...\"}}, not {}",
                shortened(value)
            )
        })?;
    (STANDARD.decode(text)).map_err(|error| format!("the data is not base64: {error}"))
}

/// Parses JSON; the error says where in the line, since the number of the line is ours to say.
fn json<T: DeserializeOwned>(line: &[u8]) -> std::result::Result<T, String> {
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        let text = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(text, _)| text);
        let text = escape::text(text.as_bytes());
        format!("the line is not JSON: {text} (column {})", error.column())
    })
}

/// A value as messages quote it: its first characters.
fn shortened(value: &Value) -> String {
    const MOST: usize = 40;
    let text = value.to_string();
    let mut rows = escape::wrap(escape::glyphs(text.as_bytes()), MOST);
    let more = if rows.len() > 1 { "..." } else { "" };
    let first: String = rows
        .swap_remove(0)
        .into_iter()
        .map(|glyph| glyph.text)
        .collect();
    format!("`{first}{more}`")
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
