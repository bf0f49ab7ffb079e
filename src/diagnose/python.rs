//! What Python's `sys.stdout` holds: text that is yet to be encoded, and bytes that are yet to be
//! written.
//!
//! CPython's structures change from version to version, so few offsets are relied on: those of every
//! object's header, of a dictionary's keys, of strings, bytes and lists, which are the same from
//! Python 3.7 to 3.13. All else is recognised by what it must be: the dictionary of the module `sys`
//! is one that the interpreter's state points to and that has the key `stdout` or `__stdout__`; the
//! value follows its key; it is a `TextIOWrapper`, by the name of its type; among its fields, one
//! points to a `BufferedWriter`, and pending text is followed by how much it is. If a future version
//! has another layout, nothing is found.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::memory::{u32_in, u64_in};
use super::stdio::Held;
use super::{Found, Process};

/// The variables of the interpreter from which everything is found: its state, and the types by
/// whose addresses objects are told.
pub(super) const SYMBOLS: [&str; 5] = [
    "_PyRuntime",
    "PyDict_Type",
    "PyUnicode_Type",
    "PyBytes_Type",
    "PyList_Type",
];

/// How many bytes of the runtime's state are searched.
const RUNTIME: usize = 1 << 20;
/// How many of its first words may point to the interpreter's state, before Python 3.11, and how
/// many bytes of that are searched.
const FIRST_WORDS: usize = 64;
const STATE: usize = 4096;
/// How many objects are looked at to find the dictionary.
const OBJECTS: usize = 1024;
/// How many entries the dictionary of `sys` may have.
const ENTRIES: RangeInclusive<u64> = 30..=512;
/// How many bytes of its keys are searched.
const KEYS: usize = 16 << 10;
/// The streams that are looked at.
const NAMES: [&str; 2] = ["sys.stdout", "sys.__stdout__"];
/// How large a stream's object may be.
const STREAM: RangeInclusive<u64> = 32..=512;
/// How many pieces of pending text are gathered, and how much is read of one at first.
const PIECES: usize = 2048;
const SHORT: usize = 96;

/// `PyObject`, and what follows it in the objects that are looked at.
mod object {
    pub(super) const TYPE: u64 = 8;
    /// How many elements or bytes it has.
    pub(super) const SIZE: usize = 16;
    /// Of a type: its name and the size of its objects.
    pub(super) const TYPE_NAME: u64 = 24;
    pub(super) const TYPE_BASIC_SIZE: u64 = 32;
    /// Of a dictionary.
    pub(super) const DICT_KEYS: usize = 32;
    /// Of bytes.
    pub(super) const BYTES: u64 = 32;
    /// Of a list.
    pub(super) const LIST_ITEMS: usize = 24;
    /// Of a string of ASCII characters: before Python 3.12, and since.
    pub(super) const TEXTS: [u64; 2] = [48, 40];
    /// Of a `FileIO`.
    pub(super) const DESCRIPTOR: usize = 16;
}

/// The fields of a `BufferedWriter`, in words from the address of its buffer on.
mod buffered {
    pub(super) const POS: usize = 1;
    pub(super) const READ_END: usize = 3;
    pub(super) const WRITE_POS: usize = 4;
    pub(super) const WRITE_END: usize = 5;
}

/// Looks at the standard output of a program that is or has a Python interpreter. `symbols` are the
/// addresses of [`SYMBOLS`].
pub(super) fn look(process: &Process, symbols: &[Option<u64>], found: &mut Found) {
    let &[
        Some(runtime),
        Some(dict),
        Some(text),
        Some(bytes),
        Some(list),
    ] = symbols
    else {
        return;
    };
    let python = Python {
        process,
        dict,
        text,
        bytes,
        list,
    };
    let state = process.memory.prefix(runtime, RUNTIME);
    let streams = python.standard_outputs(&state).or_else(|| {
        let first = words(&state).take(FIRST_WORDS);
        let mut interpreters = first.filter(|word| python.is_allocated(*word));
        interpreters.find_map(|at| python.standard_outputs(&process.memory.prefix(at, STATE)))
    });
    for stream in streams.unwrap_or_default() {
        if let Some((descriptor, held)) = python.held(stream) {
            found.add(stream.name.to_owned(), Some(descriptor), held);
        }
    }
}

/// A `TextIOWrapper` that the dictionary of `sys` has.
#[derive(Debug, Clone, Copy)]
struct Stream {
    name: &'static str,
    at: u64,
    /// Where the characters of a string lie in this version.
    text_at: u64,
}

/// The words of what was read.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).filter_map(|word| u64_in(word, 0))
}

/// An interpreter that is looked into, with the addresses of some of its types.
struct Python<'a> {
    process: &'a Process<'a>,
    dict: u64,
    text: u64,
    bytes: u64,
    list: u64,
}

impl Python<'_> {
    /// True if there can be an object at this address.
    fn is_object(&self, at: u64) -> bool {
        let mapping = self.process.image.mapping_at(at);
        at.is_multiple_of(8) && mapping.is_some_and(|mapping| mapping.writable)
    }

    /// True if there can be one there that was made while the program ran.
    fn is_allocated(&self, at: u64) -> bool {
        self.is_object(at) && !self.process.image.is_of_a_module(at)
    }

    fn type_of(&self, at: u64) -> Option<u64> {
        let field = at.checked_add(object::TYPE).filter(|_| self.is_object(at));
        self.process.memory.pointer(field?)
    }

    /// The size of an object, if its type has this name.
    fn size_of(&self, at: u64, name: &str) -> Option<usize> {
        let memory = self.process.memory;
        let kind = self.type_of(at)?;
        let name_at = memory.pointer(kind.checked_add(object::TYPE_NAME)?)?;
        let is_it = memory.string(name_at, name.len() + 1)? == name.as_bytes();
        let size = memory.u64(kind.checked_add(object::TYPE_BASIC_SIZE)?)?;
        (is_it && STREAM.contains(&size)).then_some(size as usize)
    }

    /// Finds `sys.stdout`, and what it was at the start, from a state that points to the dictionary
    /// of `sys`.
    fn standard_outputs(&self, state: &[u8]) -> Option<Vec<Stream>> {
        let mut seen = BTreeSet::new();
        words(state)
            .filter(|word| self.is_allocated(*word) && seen.insert(*word))
            .take(OBJECTS)
            .filter(|object| self.type_of(*object) == Some(self.dict))
            .find_map(|dict| {
                let streams = self.streams_of(dict)?;
                (!streams.is_empty()).then_some(streams)
            })
    }

    /// The streams of a dictionary, if it can be that of `sys`.
    fn streams_of(&self, dict: u64) -> Option<Vec<Stream>> {
        let memory = self.process.memory;
        let header: [u8; 40] = memory.array(dict)?;
        if !ENTRIES.contains(&u64_in(&header, object::SIZE)?) {
            return None;
        }
        let keys = memory.prefix(u64_in(&header, object::DICT_KEYS)?, KEYS);
        let pairs = words(&keys).zip(words(&keys).skip(1));
        let mut streams: Vec<Stream> = Vec::new();
        for (key, at) in pairs {
            let known = self.is_object(key) && self.is_object(at);
            let named = NAMES.iter().filter(|_| known).find_map(|name| {
                let key_name = name.strip_prefix("sys.").unwrap_or(name);
                Some((*name, self.is_text(key, key_name)?))
            });
            if let Some((name, text_at)) = named
                && self.size_of(at, "_io.TextIOWrapper").is_some()
            {
                streams.push(Stream { name, at, text_at });
            }
        }
        // As a rule they are the same, and have the name that their author knows.
        streams.sort_by_key(|stream| stream.name != NAMES[0]);
        streams.dedup_by_key(|stream| stream.at);
        Some(streams)
    }

    /// Where the characters of a string lie, if they are these.
    fn is_text(&self, at: u64, wanted: &str) -> Option<u64> {
        let object = self.process.memory.prefix(at, 64);
        let is_text = u64_in(&object, object::TYPE as usize)? == self.text;
        if !is_text || u64_in(&object, object::SIZE)? != wanted.len() as u64 {
            return None;
        }
        let is_at = |offset: &u64| {
            let rest = object.get(*offset as usize..);
            let rest = rest.and_then(|rest| rest.strip_prefix(wanted.as_bytes()));
            rest.is_some_and(|rest| rest.first() == Some(&0))
        };
        object::TEXTS.into_iter().find(is_at)
    }

    /// What a `TextIOWrapper` holds, and the descriptor to which it writes: first the bytes of the
    /// writer below, then its own.
    fn held(&self, stream: Stream) -> Option<(i32, Held)> {
        let size = self.size_of(stream.at, "_io.TextIOWrapper")?;
        let fields = self.process.memory.bytes(stream.at, size as u64)?;
        let writers = words(&fields).filter_map(|at| {
            let size = self.size_of(at, "_io.BufferedWriter")?;
            self.process.memory.bytes(at, size as u64)
        });
        let writer = writers.take(1).next()?;
        let mut files = words(&writer).filter(|at| self.size_of(*at, "_io.FileIO").is_some());
        let file = self.process.memory.prefix(files.next()?, 32);
        let descriptor = u32_in(&file, object::DESCRIPTOR)?.cast_signed();
        let mut held = self.of_writer(&writer).unwrap_or_default();
        if let Some(pending) = self.pending(&fields, stream.text_at) {
            held.add(pending);
        }
        Some((descriptor, held))
    }

    /// What lies in the buffer of a `BufferedWriter`.
    fn of_writer(&self, writer: &[u8]) -> Option<Held> {
        let fields: Vec<u64> = words(writer).collect();
        // It has read nothing, and stands at the end of what was written last.
        let mut buffers = fields.windows(buffered::WRITE_END + 1).filter(|fields| {
            let (from, to) = (fields[buffered::WRITE_POS], fields[buffered::WRITE_END]);
            from < to
                && to == fields[buffered::POS]
                && matches!(fields[buffered::READ_END], 0 | u64::MAX)
        });
        let fields = buffers.find(|fields| self.is_allocated(fields[0]))?;
        let end = fields[0].checked_add(fields[buffered::WRITE_END])?;
        let begin = fields[0].checked_add(fields[buffered::WRITE_POS])?;
        Some(self.process.held(begin, end))
    }

    /// Text that a `TextIOWrapper` has not handed on: a string, bytes or a list of them, followed by
    /// how many bytes they are.
    fn pending(&self, fields: &[u8], text_at: u64) -> Option<Held> {
        let pairs = words(fields).zip(words(fields).skip(1));
        let mut pairs = pairs.filter(|(object, total)| *total > 0 && self.is_object(*object));
        pairs.find_map(|(object, total)| {
            let pieces = self.pieces(object)?;
            let mut held = Held::default();
            for piece in pieces.iter().take(PIECES) {
                held.add(self.piece(*piece, text_at)?);
            }
            let is_all = pieces.len() <= PIECES;
            let fits = held.total == total || !is_all && held.total < total;
            fits.then_some(Held { total, ..held })
        })
    }

    /// The elements of a list, or the object itself.
    fn pieces(&self, at: u64) -> Option<Vec<u64>> {
        if self.type_of(at)? != self.list {
            return Some(vec![at]);
        }
        let header: [u8; 32] = self.process.memory.array(at)?;
        let count = u64_in(&header, object::SIZE)?;
        let items = u64_in(&header, object::LIST_ITEMS)?;
        let items = self.process.memory.bytes(items, count.checked_mul(8)?)?;
        Some(words(&items).collect())
    }

    /// The bytes of a string of ASCII characters, or of bytes.
    fn piece(&self, at: u64, text_at: u64) -> Option<Held> {
        // Most are short, and one read is enough.
        let object = self.process.memory.prefix(at, SHORT);
        let offset = match u64_in(&object, object::TYPE as usize)? {
            kind if kind == self.text => text_at,
            kind if kind == self.bytes => object::BYTES,
            _ => return None,
        };
        let total = u64_in(&object, object::SIZE)?;
        let rest = object.get(offset as usize..)?;
        if let Some(bytes) = usize::try_from(total).ok().and_then(|n| rest.get(..n)) {
            return Some(Held {
                bytes: bytes.to_vec(),
                total,
            });
        }
        let start = at.checked_add(offset)?;
        let held = self.process.held(start, start.checked_add(total)?);
        (held.total == total).then_some(held)
    }
}
