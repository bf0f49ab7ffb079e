//! rejoinder: an orchestrator for interactive programming problems.
//!
//! ```text
//! flags, problem.toml  -> spec     what the user wrote, checked into a plan; nothing later parses
//! plan                 -> session  two sandboxed participants, their channels, their limits
//! session              -> reactor  poll -> event -> handler, in one thread
//! events               -> evidence what happened; every event also goes to the transcript
//! evidence             -> verdict  a pure function
//! outcome              -> report   terminal, JSON
//! this machine         -> doctor   what it gives a sandbox, and what it lacks
//! ```
//!
//! Arrows go right only. `verdict`, `spec`, `units` and `transcript` know no process and no
//! descriptor.

#![deny(unsafe_code)]

pub mod channel;
pub mod cli;
pub mod diagnose;
pub mod doctor;
pub mod error;
pub mod evidence;
pub mod interrupts;
pub mod matrix;
pub mod outcome;
mod participant;
pub mod protocol;
pub mod reactor;
pub mod report;
pub mod runner;
pub mod sandbox;
pub mod session;
pub mod spec;
#[expect(unsafe_code, reason = "system calls that no crate wraps as needed")]
pub mod sys;
pub mod transcript;
pub mod units;
pub mod verdict;
