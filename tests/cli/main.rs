//! Bad input gets a sentence: what is wrong, where, and what to do. Never a panic, a hang or a lost
//! result.
//!
//! ```text
//! program     runs the real binary in a folder of its own, with a time-out
//! arguments   the command line by itself, and the help
//! programs    what is no contestant and no interactor; sources that do not compile
//! files       inputs, transcripts, kept output, names
//! problems    problem folders
//! passes      several passes of one run
//! streams     standard streams that are closed, full or left
//! machine     what a machine or its user may lack
//! checker     a checker after the interactor
//! doctor      what a machine has and lacks, by the command that says it; required layers
//! show        transcripts that are none
//! testing     all solutions of a problem
//! making      new problems
//! page        the page of `rejoinder test --html`, also in a browser
//! judging     jobs
//! ```
//!
//! As root, tests about an ordinary user run the binary as nobody; what a machine does not offer is
//! skipped by name.

mod arguments;
mod checker;
mod doctor;
mod files;
mod judging;
mod machine;
mod making;
mod page;
mod passes;
mod problems;
mod program;
mod programs;
mod show;
mod streams;
mod testing;
