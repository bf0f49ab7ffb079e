//! A transcript as a person or another tool wants to see it.

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::error::{Context as _, Result};
use crate::evidence::Role;
use crate::transcript::chart;
use crate::transcript::dialogue::{Brevity, Dialogue};
use crate::transcript::escape;
use crate::transcript::event::Event;
use crate::transcript::format::{Data, Record, Source};
use crate::transcript::reader::Reader;
use crate::transcript::timeline::Timeline;

/// The dialogue side by side, with times and events, for a terminal of so many columns, and below
/// it a picture of who held the turn. It is styled: `out` should be an `anstream` stream.
///
/// # Errors
/// A bad line of the transcript, or a failure of `out` ([`crate::error::Error::System`]); what
/// came before it has been written.
pub fn dialogue<R: BufRead>(
    reader: &mut Reader<R>,
    width: usize,
    brevity: Brevity,
    out: &mut impl Write,
) -> Result<()> {
    let mut text = title(reader, width);
    let mut turns = Turns::default();
    let mut dialogue = Dialogue::new(width, brevity);
    dialogue.heading(&mut text);
    let mut last = None;
    for record in reader.by_ref() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                dialogue.finish(&mut text);
                write(out, text.as_bytes())?;
                return Err(error);
            }
        };
        last = Some(record.at);
        turns.hold(&record);
        match record.data {
            Data::Bytes(bytes) => dialogue.bytes(record.at, record.source, &bytes, 0, &mut text),
            Data::Event(event) => dialogue.note(last, &event.to_string(), &mut text),
        }
        write(out, text.as_bytes())?;
        text.clear();
    }
    dialogue.finish(&mut text);
    if reader.truncated() {
        dialogue.note(last, "the transcript breaks off here", &mut text);
    }
    let picture = turns.picture(width);
    if !picture.is_empty() {
        text.push('\n');
        text.push_str(&picture);
    }
    write(out, text.as_bytes())
}

/// The picture of who held the turn alone, for dialogues that are too long to be read. It is styled
/// as in [`dialogue`].
///
/// # Errors
/// As for [`dialogue`].
pub fn turns<R: BufRead>(reader: &mut Reader<R>, width: usize, out: &mut impl Write) -> Result<()> {
    let mut text = title(reader, width);
    let mut turns = Turns::default();
    for record in reader {
        turns.hold(&record?);
    }
    match turns.picture(width) {
        picture if picture.is_empty() => text.push_str("no message was seen\n"),
        picture => text.push_str(&picture),
    }
    write(out, text.as_bytes())
}

fn title<R: BufRead>(reader: &Reader<R>, width: usize) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = String::new();
    for line in escape::fill(&reader.header().title, width) {
        text.push_str(&format!("{bold}{line}{bold:#}\n"));
    }
    text.push('\n');
    text
}

/// The turns of the last pass, from the records one after the other.
#[derive(Default)]
pub(crate) struct Turns {
    timeline: Timeline,
    /// When the pass began, and the last record.
    begin: Duration,
    last: Duration,
}

impl Turns {
    /// What a record says about who holds the turn, as the session that wrote it saw it.
    pub(crate) fn hold(&mut self, record: &Record) {
        self.last = record.at;
        let at = record.at.saturating_sub(self.begin);
        match (&record.data, record.source) {
            (Data::Bytes(bytes), _) if bytes.is_empty() => {}
            (Data::Bytes(bytes), Source::Contestant) => {
                self.timeline.message(at, Role::Contestant, bytes);
            }
            (Data::Bytes(bytes), Source::Interactor) => {
                self.timeline.message(at, Role::Interactor, bytes);
            }
            (Data::Event(Event::End { role, .. }), _) => self.timeline.ended(at, *role),
            (Data::Event(Event::Pass { .. }), _) => {
                self.timeline = Timeline::default();
                self.begin = record.at;
            }
            _ => {}
        }
    }

    /// True if there was a pass before the one that the turns are of.
    pub(crate) fn are_of_a_later_pass(&self) -> bool {
        self.begin > Duration::ZERO
    }

    /// The account, once all records were held. Its times are since the pass began.
    pub(crate) fn finish(mut self) -> Timeline {
        self.timeline.finish(self.last.saturating_sub(self.begin));
        self.timeline
    }

    fn picture(self, width: usize) -> String {
        chart::draw(&self.finish(), width)
    }
}

/// The exact bytes that one side wrote to its standard output, as far as they were delivered.
///
/// # Errors
/// As for [`dialogue`].
pub fn raw<R: BufRead>(reader: &mut Reader<R>, side: Role, out: &mut impl Write) -> Result<()> {
    for record in reader {
        let record = record?;
        if let Data::Bytes(bytes) = record.data
            && record.source == Source::stdout_of(side)
        {
            write(out, &bytes)?;
        }
    }
    Ok(())
}

/// The dialogue as a sample of an ICPC problem package (`.interaction`): `<` begins a line from
/// the interactor to the contestant, `>` one from the contestant to the interactor. A line stands
/// where it became whole. A line `---` stands between two passes. The bytes are exact: this is a file, not a text for a terminal.
///
/// # Errors
/// As for [`dialogue`].
pub fn interaction<R: BufRead>(reader: &mut Reader<R>, out: &mut impl Write) -> Result<()> {
    // Beginnings of lines, the side that began first in front.
    let mut partial: Vec<(Source, Vec<u8>)> = Vec::new();
    for record in reader {
        let record = record?;
        let source = record.source;
        if let Data::Event(Event::Pass { .. }) = record.data {
            for (_, line) in partial.drain(..) {
                write(out, &[&line[..], b"\n"].concat())?;
            }
            write(out, b"---\n")?;
            continue;
        }
        let (Data::Bytes(bytes), Source::Contestant | Source::Interactor) = (record.data, source)
        else {
            continue;
        };
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let place = partial.iter().position(|(of, _)| *of == source);
            let place = place.unwrap_or_else(|| {
                partial.push((source, marker(source).to_vec()));
                partial.len() - 1
            });
            partial[place].1.extend_from_slice(part);
            if part.ends_with(b"\n") {
                write(out, &partial.remove(place).1)?;
            }
        }
    }
    for (_, mut line) in partial {
        line.push(b'\n');
        write(out, &line)?;
    }
    Ok(())
}

fn marker(source: Source) -> &'static [u8] {
    if source == Source::Interactor {
        b"<"
    } else {
        b">"
    }
}

fn write(out: &mut impl Write, bytes: &[u8]) -> Result<()> {
    out.write_all(bytes)
        .context(|| "write the transcript's view".to_owned())
}

#[cfg(test)]
#[path = "views_tests.rs"]
mod tests;
