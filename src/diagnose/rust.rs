//! What lies in the buffer of Rust's standard output: a line that was begun and not ended.
//!
//! The layout is the compiler's affair and changes. But what is looked for is unmistakable: within
//! the variable, which the program's table of symbols names, a vector with the capacity that the
//! standard library gives it, in memory that is not part of the program. If it is not there, nothing
//! is found.

use std::ops::RangeInclusive;

use super::memory::u64_in;
use super::{Found, Process};

/// What the mangled name of the variable contains, whichever way it is mangled.
pub(super) const SYMBOL: &str = "3std2io5stdio6STDOUT";

/// How large the variable may be.
const SIZE: usize = 96;
/// The capacity of the buffer.
const CAPACITY: u64 = 1024;
const LENGTHS: RangeInclusive<u64> = 1..=CAPACITY;

/// Looks at standard output, a variable at this address.
pub(super) fn look(process: &Process, variable: Option<u64>, found: &mut Found) {
    let variable = variable.and_then(|at| process.memory.array::<SIZE>(at));
    let Some(variable) = variable else { return };
    let word = |index: usize| u64_in(&variable, index * 8);
    let vectors = (0..SIZE / 8).filter(|index| word(*index) == Some(CAPACITY));
    for index in vectors {
        let (Some(start), Some(length)) = (word(index + 1), word(index + 2)) else {
            continue;
        };
        let mapping = process.image.mapping_at(start);
        let is_allocated =
            mapping.is_some_and(|mapping| mapping.writable) && !process.image.is_of_a_module(start);
        if is_allocated && LENGTHS.contains(&length) {
            let held = process.held(start, start.saturating_add(length));
            found.add("stdout".to_owned(), Some(1), held);
            return;
        }
    }
}
