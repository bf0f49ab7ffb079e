//! Why nothing moves: what a program that waits holds in its memory.

mod dynamic;
mod image;
mod memory;
mod program_file;
