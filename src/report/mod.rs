//! A session's outcome, or that of a program alone ([`alone`]), for a person ([`terminal`]) or a
//! program ([`json`]).

pub mod alone;
mod diagnosis;
mod explanation;
pub(crate) mod html;
pub mod json;
pub(crate) mod junit;
pub(crate) mod matrix;
mod page;
pub mod terminal;
mod usage;

#[cfg(test)]
mod samples;
#[cfg(test)]
pub(crate) mod schema;
