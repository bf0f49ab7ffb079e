//! The one log of a session: both directions, both standard errors, and what happened, in order.
//!
//! A transcript is a text file of JSON lines in the way of asciicast: first a header object, then
//! one array `[seconds, source, data]` a record. `data` is a string where the bytes are UTF-8 and
//! `{"base64": "..."}` where they are not, so that nothing is ever lost; for the source `event` it
//! is an object with a `kind`. Nothing in this module knows a process or a descriptor.

pub mod amount;
pub mod chart;
pub mod dialogue;
pub mod escape;
pub mod event;
pub mod figure;
pub mod format;
pub mod reader;
pub mod timeline;
pub mod views;
pub mod writer;

#[cfg(test)]
pub(crate) mod samples;
