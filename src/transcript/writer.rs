//! Writes a transcript while the session runs.
//!
//! The session writes two records a round trip, so a record of bytes costs no allocation and no
//! serializer: it is escaped straight into one block buffer, which goes to the file when it is
//! full. A write error does not stop the session: the first one is kept, everything after it is
//! dropped, and the file is cut back to its last whole line, so that it stays a valid transcript of
//! the beginning.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::transcript::event::Event;
use crate::transcript::format::{Header, Source};

/// The size of the block buffer.
const BLOCK: usize = 256 << 10;

/// The most bytes of a record that are escaped at a time; the buffer holds them in any case.
const PIECE: usize = BLOCK / 8;

/// The most bytes that one byte of a record can become (`\u001f`).
const LONGEST_ESCAPE: usize = 6;

/// Room for `[seconds, "contestant-stderr", {"base64": "` and the end of the line.
const FRAME: usize = 96;

/// Where a transcript can be written to: something that takes bytes and can be cut back.
pub trait Target: Write {
    /// Cuts the target to its first `length` bytes; there is nothing to be done where it cannot.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Target for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl Target for Vec<u8> {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(())
    }
}

impl<T: Target> Target for &mut T {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        (**self).cut(length)
    }
}

/// A transcript that is being written. What is still in its buffer is written when it is dropped,
/// but only [`finish`](Writer::finish) says whether that worked.
#[derive(Debug)]
pub struct Writer<T: Target = File> {
    target: T,
    buffer: Vec<u8>,
    /// Bytes that the target has taken.
    written: u64,
    /// The length of the target up to the end of its last whole line.
    whole: u64,
    /// The first error; nothing is written after it.
    failed: Option<io::Error>,
}

impl Writer<File> {
    /// Creates the file, or empties it, and writes the header.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path, header: &Header) -> io::Result<Self> {
        Ok(Writer::new(File::create(path)?, header))
    }
}

impl<T: Target> Writer<T> {
    /// Begins a transcript in an empty target.
    pub fn new(target: T, header: &Header) -> Self {
        let mut writer = Writer {
            target,
            buffer: Vec::with_capacity(BLOCK),
            written: 0,
            whole: 0,
            failed: None,
        };
        let text = serde_json::to_string(header);
        writer.json(text);
        writer.append(b"\n");
        writer
    }

    /// Records bytes of one of the four streams, seen at `at` since the start of the session. A
    /// record that is not UTF-8 by itself is written as base64, so a character may be split over
    /// two records.
    pub fn bytes(&mut self, at: Duration, source: Source, bytes: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        self.reserve(FRAME);
        self.open(at, source);
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.buffer.push(b'"');
                let mut rest = text;
                while !rest.is_empty() {
                    let piece;
                    (piece, rest) = rest.split_at(boundary(rest));
                    self.reserve(LONGEST_ESCAPE * piece.len() + FRAME);
                    escape(piece, &mut self.buffer);
                }
                self.buffer.extend_from_slice(b"\"]\n");
            }
            Err(_) => {
                self.buffer.extend_from_slice(b"{\"base64\": \"");
                // Pieces of a multiple of three bytes leave no padding but at the end.
                for piece in bytes.chunks(PIECE / 3 * 3) {
                    let length = piece.len().div_ceil(3) * 4;
                    self.reserve(length + FRAME);
                    let start = self.buffer.len();
                    self.buffer.resize(start + length, b'=');
                    // The slice has exactly the length of the encoding: this cannot fail.
                    let _ = STANDARD.encode_slice(piece, &mut self.buffer[start..]);
                }
                self.buffer.extend_from_slice(b"\"}]\n");
            }
        }
    }

    /// Records something that happened at `at` since the start of the session.
    pub fn event(&mut self, at: Duration, event: &Event) {
        if self.failed.is_some() {
            return;
        }
        let text = serde_json::to_string(event);
        self.reserve(FRAME);
        self.open(at, Source::Event);
        self.json(text);
        self.append(b"]\n");
    }

    /// Writes out what is in the buffer, for a reader that follows the session.
    pub fn flush(&mut self) {
        let mut sent = 0;
        while sent < self.buffer.len() && self.failed.is_none() {
            match self.target.write(&self.buffer[sent..]) {
                Ok(0) => self.failed = Some(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    let part = &self.buffer[sent..sent + count];
                    if let Some(newline) = part.iter().rposition(|byte| *byte == b'\n') {
                        self.whole = self.written + newline as u64 + 1;
                    }
                    self.written += count as u64;
                    sent += count;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
        self.buffer.clear();
        if self.failed.is_some() && self.whole < self.written {
            // Not everything that can be written to can be cut (a pipe cannot); a reader then
            // meets a line that breaks off, which it tolerates.
            let _ = self.target.cut(self.whole);
            self.written = self.whole;
        }
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// The first error of any write; the file then ends with the last line that was whole.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        match self.failed.take() {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Begins a record: `[seconds, "source", `.
    fn open(&mut self, at: Duration, source: Source) {
        self.buffer.push(b'[');
        decimal(at.as_secs(), 1, &mut self.buffer);
        self.buffer.push(b'.');
        decimal(u64::from(at.subsec_micros()), 6, &mut self.buffer);
        self.buffer.extend_from_slice(b", \"");
        self.buffer.extend_from_slice(source.name().as_bytes());
        self.buffer.extend_from_slice(b"\", ");
    }

    /// Appends what a serializer made; its failure is kept like one of the file.
    fn json(&mut self, text: serde_json::Result<String>) {
        match text {
            Ok(text) => {
                let mut rest = text.as_str();
                // The serializer leaves control characters above ASCII in strings as they are.
                while let Some(place) = rest.find(|c: char| c.is_control()) {
                    let (before, after) = rest.split_at(place);
                    self.append(before.as_bytes());
                    let mut after = after.chars();
                    if let Some(c) = after.next() {
                        self.append(format!("\\u{:04x}", u32::from(c)).as_bytes());
                    }
                    rest = after.as_str();
                }
                self.append(rest.as_bytes());
            }
            Err(error) => self.failed = self.failed.take().or(Some(error.into())),
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PIECE) {
            self.reserve(piece.len());
            self.buffer.extend_from_slice(piece);
        }
    }

    /// Makes room for so many bytes, at most [`BLOCK`].
    fn reserve(&mut self, count: usize) {
        if self.buffer.len() + count > BLOCK {
            self.flush();
        }
    }
}

impl<T: Target> Drop for Writer<T> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// The length of the first piece of a text: [`PIECE`], or a little less to keep characters whole.
fn boundary(text: &str) -> usize {
    let mut length = text.len().min(PIECE);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    length
}

/// Appends a number with at least so many digits.
fn decimal(mut number: u64, least: usize, buffer: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while number > 0 {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    buffer.extend_from_slice(&digits[first.min(digits.len() - least)..]);
}

/// What begins an escape: quotes, backslashes and control characters, also those above ASCII
/// (`0xc2` begins them), so that a transcript on a terminal cannot steer it.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        special[byte] = true;
        byte += 1;
    }
    special[b'"' as usize] = true;
    special[b'\\' as usize] = true;
    special[0x7f] = true;
    special[0xc2] = true;
    special
};

/// Appends text as the inside of a JSON string.
fn escape(text: &str, buffer: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut place = 0;
    while place < bytes.len() {
        let byte = bytes[place];
        place += 1;
        if !SPECIAL[usize::from(byte)] {
            continue;
        }
        let mut code = byte;
        let mut begin = place - 1;
        if byte == 0xc2 {
            // Valid UTF-8: a second byte follows, and it is the character's number.
            code = bytes[place];
            place += 1;
            if code > 0x9f {
                continue;
            }
            begin = place - 2;
        }
        buffer.extend_from_slice(&bytes[copied..begin]);
        copied = place;
        match code {
            b'\n' => buffer.extend_from_slice(b"\\n"),
            b'\r' => buffer.extend_from_slice(b"\\r"),
            b'\t' => buffer.extend_from_slice(b"\\t"),
            b'"' => buffer.extend_from_slice(b"\\\""),
            b'\\' => buffer.extend_from_slice(b"\\\\"),
            _ => {
                let hex = |nibble: u8| b"0123456789abcdef"[usize::from(nibble)];
                buffer.extend_from_slice(&[
                    b'\\',
                    b'u',
                    b'0',
                    b'0',
                    hex(code >> 4),
                    hex(code & 15),
                ]);
            }
        }
    }
    buffer.extend_from_slice(&bytes[copied..]);
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
