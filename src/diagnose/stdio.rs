//! What lies in the buffers of C's standard output library.
//!
//! glibc links all its streams in a list that begins at `_IO_list_all`; each is a `FILE` with a
//! magic number, from which it is recognised. musl has no such list for its standard streams; there
//! `stdout` and `stderr` are looked at. The layouts have been part of the libraries' binary
//! interface (glibc) or unchanged (musl) for decades.

use std::collections::BTreeSet;
use std::ops::Range;

use super::memory::{Memory, u32_in, u64_in};
use super::{Found, Process};

/// How many streams are looked at.
const STREAMS: usize = 256;
/// How many characters of a wide stream are converted, to know how many bytes they are.
const WIDE: u64 = 1 << 16;

/// The variables of C libraries from which streams are found.
pub(super) const SYMBOLS: [&str; 5] = [
    "_IO_list_all",
    "_IO_2_1_stdout_",
    "_IO_2_1_stderr_",
    "stdout",
    "stderr",
];

/// Looks at all streams that can be found. `symbols` are the addresses of [`SYMBOLS`].
pub(super) fn look(process: &Process, symbols: &[Option<u64>], found: &mut Found) {
    let &[list, out, err, stdout, stderr] = symbols else {
        return;
    };
    if list.is_none() && out.is_none() {
        for (name, variable) in [("stdout", stdout), ("stderr", stderr)] {
            let stream = variable.and_then(|at| process.memory.pointer(at));
            if let Some(stream) = stream {
                musl(process, name, stream, found);
            }
        }
        return;
    }
    let name = |file: u64| match file {
        file if Some(file) == out => Some("stdout"),
        file if Some(file) == err => Some("stderr"),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    let mut next = list.and_then(|list| process.memory.pointer(list));
    while let Some(file) = next {
        if seen.len() == STREAMS || !seen.insert(file) {
            break;
        }
        next = glibc(process, name(file), file, found);
    }
    // They are there even if the list has been damaged.
    for file in [out, err].into_iter().flatten() {
        if !seen.contains(&file) {
            glibc(process, name(file), file, found);
        }
    }
}

/// `struct _IO_FILE` of glibc.
mod glibc_file {
    pub(super) const SIZE: usize = 216;
    pub(super) const MAGIC: u32 = 0xfbad_0000;
    pub(super) const WRITE_BASE: usize = 32;
    pub(super) const WRITE_PTR: usize = 40;
    pub(super) const BUF_BASE: usize = 56;
    pub(super) const BUF_END: usize = 64;
    pub(super) const CHAIN: usize = 104;
    pub(super) const FILENO: usize = 112;
    pub(super) const LOCK: u64 = 136;
    pub(super) const WIDE_DATA: usize = 160;
    pub(super) const MODE: usize = 192;
    /// Behind it: the table of its functions.
    pub(super) const METHODS: u64 = 216;
    /// Of `struct _IO_wide_data`: where the pending characters begin; where they end follows.
    pub(super) const WIDE_WRITE_BASE: u64 = 24;
    /// There, after the end of the room for writing.
    pub(super) const WIDE_BUF_BASE: u64 = 48;
}

/// Whether these 4 bytes begin a stream of glibc.
fn is_glibc_stream(file: &[u8]) -> bool {
    u32_in(file, 0).is_some_and(|flags| flags & 0xffff_0000 == glibc_file::MAGIC)
}

/// Whether a word may begin a stream of glibc.
pub(super) fn has_magic(word: u64) -> bool {
    is_glibc_stream(&word.to_le_bytes())
}

/// Whether this is glibc's stream of standard output or error, which is a variable of this module
/// and points to others.
pub(super) fn is_standard_file(memory: &Memory, stream: u64, module: &Range<u64>) -> bool {
    use glibc_file::*;
    let points = |at: u64| {
        let field = stream.checked_add(at).and_then(|at| memory.pointer(at));
        field.is_some_and(|pointer| module.contains(&pointer))
    };
    let descriptor = descriptor_of(memory, stream);
    matches!(descriptor, Some(1 | 2)) && points(LOCK) && points(WIDE_DATA as u64) && points(METHODS)
}

/// Looks at glibc's stream of standard output or error.
pub(super) fn look_at_file(process: &Process, stream: u64, found: &mut Found) {
    let name = match descriptor_of(process.memory, stream) {
        Some(1) => "stdout",
        _ => "stderr",
    };
    glibc(process, Some(name), stream, found);
}

/// The descriptor of a stream of glibc, if this is one.
pub(super) fn descriptor_of(memory: &Memory, stream: u64) -> Option<i32> {
    let file: [u8; glibc_file::SIZE] = memory.array(stream)?;
    let descriptor = u32_in(&file, glibc_file::FILENO)?.cast_signed();
    (is_glibc_stream(&file) && descriptor >= 0).then_some(descriptor)
}

/// Looks at one stream of glibc; the next one of the list.
fn glibc(process: &Process, name: Option<&str>, stream: u64, found: &mut Found) -> Option<u64> {
    use glibc_file::*;
    let file: [u8; SIZE] = process.memory.array(stream)?;
    if !is_glibc_stream(&file) {
        return None;
    }
    let next = u64_in(&file, CHAIN).filter(|next| *next != 0);
    let descriptor = u32_in(&file, FILENO)?.cast_signed();
    // Streams that belong to no descriptor hand their bytes to a function of the program.
    if descriptor < 0 {
        return next;
    }
    let [base, end, room, room_end] =
        [WRITE_BASE, WRITE_PTR, BUF_BASE, BUF_END].map(|at| u64_in(&file, at));
    let (base, end) = (base?, end?);
    let mut held = Held::default();
    if room? <= base && end <= room_end? {
        held = process.held(base, end);
    }
    if u32_in(&file, MODE)?.cast_signed() > 0 {
        let wide = wide_data(process, u64_in(&file, WIDE_DATA)?);
        held.add(wide.unwrap_or_default());
    }
    let name = match name {
        Some(name) => name.to_owned(),
        None => format!("file descriptor {descriptor}"),
    };
    found.add(name, Some(descriptor), held);
    next
}

/// The characters that a wide stream of glibc holds.
fn wide_data(process: &Process, at: u64) -> Option<Held> {
    use glibc_file::*;
    let data: [u8; 64] = process.memory.array(at)?;
    let word = |at: u64| u64_in(&data, at as usize);
    let (base, end) = (word(WIDE_WRITE_BASE)?, word(WIDE_WRITE_BASE + 8)?);
    let (room, room_end) = (word(WIDE_BUF_BASE)?, word(WIDE_BUF_BASE + 8)?);
    (room <= base && end <= room_end).then(|| process.held_wide(base, end))
}

/// `struct _IO_FILE` of musl.
mod musl_file {
    pub(super) const SIZE: usize = 184;
    pub(super) const WRITE_POS: usize = 40;
    pub(super) const ZERO_1: usize = 48;
    pub(super) const WRITE_BASE: usize = 56;
    pub(super) const BUF: usize = 88;
    pub(super) const BUF_SIZE: usize = 96;
    pub(super) const FD: usize = 120;
    pub(super) const ZERO_2: usize = 176;
    /// The flags that there are.
    pub(super) const FLAGS: u32 = 0x3ff;
}

/// Looks at one stream of musl.
fn musl(process: &Process, name: &str, stream: u64, found: &mut Found) -> Option<()> {
    use musl_file::*;
    let file: [u8; SIZE] = process.memory.array(stream)?;
    let descriptor = u32_in(&file, FD)?.cast_signed();
    let is_stream = u32_in(&file, 0)? & !FLAGS == 0
        && u64_in(&file, ZERO_1)? == 0
        && u64_in(&file, ZERO_2)? == 0
        && descriptor >= 0;
    let (base, end) = (u64_in(&file, WRITE_BASE)?, u64_in(&file, WRITE_POS)?);
    let room = u64_in(&file, BUF)?;
    let room_end = room.checked_add(u64_in(&file, BUF_SIZE)?)?;
    if is_stream && room <= base && end <= room_end {
        found.add(name.to_owned(), Some(descriptor), process.held(base, end));
    }
    Some(())
}

/// Bytes that a buffer holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// The first of them.
    pub(super) bytes: Vec<u8>,
    /// How many there are.
    pub(super) total: u64,
}

impl Held {
    /// Appends what comes after them.
    pub(super) fn add(&mut self, more: Held) {
        if self.bytes.len() as u64 == self.total {
            self.bytes.extend(more.bytes);
        }
        self.total = self.total.saturating_add(more.total);
    }
}

impl Process<'_> {
    /// What lies between two addresses, of which the first may be null; nothing if that cannot be.
    pub(super) fn held(&self, base: u64, end: u64) -> Held {
        if base == 0 || end <= base || !self.image.covers(&(base..end)) {
            return Held::default();
        }
        let total = end - base;
        let length = total.min(super::KEPT as u64) as usize;
        let bytes = self.memory.prefix(base, length);
        match bytes.len() == length {
            true => Held { bytes, total },
            false => Held::default(),
        }
    }

    /// What lies between two addresses as characters of four bytes each, as bytes of UTF-8. Of very
    /// many, those that were not looked at count as one byte each.
    pub(super) fn held_wide(&self, base: u64, end: u64) -> Held {
        if base == 0 || end <= base || !self.image.covers(&(base..end)) {
            return Held::default();
        }
        let count = (end - base) / 4;
        let looked_at = count.min(WIDE);
        let Some(characters) = self.memory.bytes(base, looked_at * 4) else {
            return Held::default();
        };
        let text: String = characters
            .chunks_exact(4)
            .map(|bytes| {
                let code = u32_in(bytes, 0).and_then(char::from_u32);
                code.unwrap_or(char::REPLACEMENT_CHARACTER)
            })
            .collect();
        let mut bytes = text.into_bytes();
        let total = bytes.len() as u64 + (count - looked_at);
        bytes.truncate(super::KEPT);
        Held { bytes, total }
    }
}
