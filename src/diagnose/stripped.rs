//! Streams of programs that are linked statically and stripped: no symbol leads to them, so the
//! program's variables are searched for what looks like a stream, in every respect that is known.
//!
//! A `FILE` of glibc has a magic number and points into the program. A buffer of libstdc++ begins
//! with the address of its class's virtual table; that is found from the class's name, which lies in
//! the program as text, by two steps back: type information points to the name, and the word before
//! a virtual table points to the type information.

use std::ops::Range;

use super::image::Module;
use super::iostream::{self, CLASSES};
use super::memory::u64_in;
use super::{Found, Process, stdio};

/// How many bytes of a mapping with constants, and of one with variables, are searched.
const CONSTANTS: u64 = 2 << 20;
const VARIABLES: u64 = 1 << 20;
/// How many streams, or places that lead to one, are followed.
const FOLLOWED: usize = 16;

/// Searches the variables of the main program.
pub(super) fn look(process: &Process, found: &mut Found) {
    // Libraries that were loaded would have had their symbols.
    let [program] = &process.image.modules[..] else {
        return;
    };
    let variables = Words::of(process, program, true, VARIABLES);
    let constants = Words::of(process, program, false, CONSTANTS);
    buffers(process, &variables, &constants, found);
    let files = variables.addresses(|at, word| {
        let is_file = |at| stdio::is_standard_file(process.memory, at, &program.range);
        stdio::has_magic(word) && is_file(at)
    });
    for file in files {
        stdio::look_at_file(process, file, found);
    }
}

/// Looks at the buffers of C++ streams.
fn buffers(process: &Process, variables: &Words, constants: &Words, found: &mut Found) {
    let begins = CLASSES.map(|(class, _)| u64_in(class, 0).unwrap_or_default());
    let names = constants.addresses(|at, word| {
        begins.contains(&word)
            && CLASSES.iter().any(|(class, _)| {
                let name = process.memory.string(at, class.len() + 1);
                name.is_some_and(|name| name == *class)
            })
    });
    // Most programs in C end here.
    if names.is_empty() {
        return;
    }
    let types = constants.addresses(|_, word| names.contains(&word));
    let types: Vec<u64> = types.iter().map(|at| at.saturating_sub(8)).collect();
    let tables = constants.addresses(|_, word| types.contains(&word));
    let tables: Vec<u64> = tables.iter().map(|at| at.saturating_add(8)).collect();
    for buffer in variables.addresses(|_, word| tables.contains(&word)) {
        iostream::look_at_buffer(process, buffer, found);
    }
}

/// Words of a program, as they were read, with their addresses.
struct Words(Vec<(u64, Vec<u8>)>);

impl Words {
    /// Those of the mappings of the program that can be written, or of those that cannot: of each
    /// the last ones, up to `cap` bytes, because a linker puts libraries behind the program.
    fn of(process: &Process, program: &Module, writable: bool, cap: u64) -> Words {
        let mut pieces = Vec::new();
        for mapping in &process.image.mappings {
            let Range { start, end } = mapping.range;
            let end = end.min(program.range.end) & !7;
            let is_of_program = start >= program.range.start && start < end;
            // Code holds no constants.
            if is_of_program && mapping.writable == writable && !mapping.executable {
                let start = start.max(end.saturating_sub(cap));
                let length = (end - start) as usize;
                pieces.push((start, process.memory.prefix(start, length)));
            }
        }
        Words(pieces)
    }

    /// The addresses of the first words that are wanted.
    fn addresses(&self, is_wanted: impl Fn(u64, u64) -> bool) -> Vec<u64> {
        let mut wanted = Vec::new();
        for (start, bytes) in &self.0 {
            let mut at = *start;
            for word in bytes.chunks_exact(8) {
                let word = u64_in(word, 0).unwrap_or_default();
                if is_wanted(at, word) {
                    wanted.push(at);
                    if wanted.len() == FOLLOWED {
                        return wanted;
                    }
                }
                at += 8;
            }
        }
        wanted
    }
}
