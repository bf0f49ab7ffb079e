//! What lies in the buffers of C++'s standard streams, in libstdc++.
//!
//! As long as a program has not called `sync_with_stdio(false)`, these streams have no buffers of
//! their own and write through `stdout`. Afterwards they have, and nothing but the stream objects
//! leads to them: an object's virtual table says where its `std::ios` part lies, that part points to
//! the stream's buffer, and the buffer's class is known by the name in its type information. libc++
//! always writes through `stdout`.

use std::collections::BTreeSet;

use super::memory::u64_in;
use super::stdio::{self, Held};
use super::{Found, Process};

/// A standard stream: its symbol, its name, the descriptor that it is made for.
pub(super) struct Stream {
    pub(super) symbol: &'static str,
    name: &'static str,
    descriptor: i32,
}

const fn stream(symbol: &'static str, name: &'static str, descriptor: i32) -> Stream {
    Stream {
        symbol,
        name,
        descriptor,
    }
}

/// The standard streams that are for output.
pub(super) const STREAMS: [Stream; 6] = [
    stream("_ZSt4cout", "std::cout", 1),
    stream("_ZSt5wcout", "std::wcout", 1),
    stream("_ZSt4clog", "std::clog", 2),
    stream("_ZSt5wclog", "std::wclog", 2),
    stream("_ZSt4cerr", "std::cerr", 2),
    stream("_ZSt5wcerr", "std::wcerr", 2),
];

/// The buffers that write to a file: their classes, and whether they hold wide characters.
pub(super) const CLASSES: [(&[u8], bool); 4] = [
    (b"N9__gnu_cxx13stdio_filebufIcSt11char_traitsIcEEE", false),
    (b"N9__gnu_cxx13stdio_filebufIwSt11char_traitsIwEEE", true),
    (b"St13basic_filebufIcSt11char_traitsIcEE", false),
    (b"St13basic_filebufIwSt11char_traitsIwEE", true),
];

/// Before a virtual table: how far it is from the object to its virtual base class.
const VIRTUAL_BASE: u64 = 24;
/// Before a virtual table: the type information. In that: the class's name.
const TYPE: u64 = 8;
const TYPE_NAME: u64 = 8;
/// How far away a virtual base class may be: it lies behind one pointer.
const NEAR: u64 = 64;

/// In `std::basic_ios`: the buffer.
const IOS_BUFFER: u64 = 232;
/// In `std::basic_streambuf`: where the room for writing begins, and how far it is filled.
const PUT_BASE: usize = 32;
const PUT_POINTER: usize = 40;
/// In `std::basic_filebuf`: the C stream that has its descriptor.
const FILE: usize = 104;
const FILEBUF: usize = 112;

/// Looks at all standard streams. `symbols` are the addresses of those of [`STREAMS`].
pub(super) fn look(process: &Process, symbols: &[Option<u64>], found: &mut Found) {
    let mut seen = BTreeSet::new();
    for (stream, address) in STREAMS.iter().zip(symbols) {
        let buffer = address.and_then(|address| buffer_of(process, address));
        // A program may have two streams share a buffer.
        if let Some(buffer) = buffer.filter(|buffer| seen.insert(*buffer))
            && let Some((descriptor, held)) = look_into(process, buffer)
        {
            let descriptor = descriptor.unwrap_or(stream.descriptor);
            found.add(stream.name.to_owned(), Some(descriptor), held);
        }
    }
}

/// Looks at a buffer of which no stream is known.
pub(super) fn look_at_buffer(process: &Process, buffer: u64, found: &mut Found) {
    let Some((Some(descriptor), held)) = look_into(process, buffer) else {
        return;
    };
    let name = match descriptor {
        1 => "std::cout".to_owned(),
        2 => "std::clog".to_owned(),
        other => format!("file descriptor {other}"),
    };
    found.add(name, Some(descriptor), held);
}

/// The buffer of a stream object.
fn buffer_of(process: &Process, stream: u64) -> Option<u64> {
    let memory = process.memory;
    let table = memory.pointer(stream)?;
    let base = memory.u64(table.checked_sub(VIRTUAL_BASE)?)?;
    if base > NEAR {
        return None;
    }
    memory.pointer(stream.checked_add(base)?.checked_add(IOS_BUFFER)?)
}

/// The descriptor of a buffer and what it holds, if it is one that writes to a file.
fn look_into(process: &Process, buffer: u64) -> Option<(Option<i32>, Held)> {
    let memory = process.memory;
    let object: [u8; FILEBUF] = memory.array(buffer)?;
    let (base, end) = (u64_in(&object, PUT_BASE)?, u64_in(&object, PUT_POINTER)?);
    if end <= base {
        return None;
    }
    let table = u64_in(&object, 0)?;
    let class = memory.pointer(table.checked_sub(TYPE)?)?;
    let name = memory.pointer(class.checked_add(TYPE_NAME)?)?;
    let name = memory.string(name, 64)?;
    let (_, is_wide) = CLASSES.iter().find(|(class, _)| *class == name)?;
    let held = match is_wide {
        true => process.held_wide(base, end),
        false => process.held(base, end),
    };
    let file = u64_in(&object, FILE)?;
    Some((stdio::descriptor_of(memory, file), held))
}
