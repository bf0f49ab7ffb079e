//! Why nothing moves: what a program that waits holds in its memory.

mod binary;
pub mod cause;
mod dynamic;
mod frame_table;
mod image;
pub mod last_words;
mod lines;
mod memory;
mod names;
mod program_file;
pub mod stack;
mod steps;
mod symbols;
mod unwind;
