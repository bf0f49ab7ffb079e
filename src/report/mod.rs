//! A session's outcome, for a person ([`terminal`]) or a program ([`json`]).

pub mod json;
pub mod terminal;
mod usage;

#[cfg(test)]
mod samples;
