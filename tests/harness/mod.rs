//! What the tests that run the real `rejoinder` binary have in common.
//!
//! ```text
//! programs    sources -> programs, compiled once into the target folder
//! stage       one world-readable folder a test process: the binary, the programs, the runs
//! identity    as whom the binary is started
//! run         one judgement: command line -> supervisor -> what came back
//! supervisor  a process between the test and the binary that sees what the binary leaves behind
//! load        a machine with other work
//! traces      what a coordinator may have left on the machine
//! report      the JSON object of `--json`
//! case        tests/cases/NN-name/case.toml
//! checks      one finished judgement against its case
//! clocks      bounds in time on a machine that is not quiet
//! trial       a case on one channel as one identity: its repeats, and what they say together
//! ```

pub(crate) mod case;
pub(crate) mod checks;
pub(crate) mod clocks;
pub(crate) mod identity;
pub(crate) mod load;
pub(crate) mod programs;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod stage;
pub(crate) mod supervisor;
pub(crate) mod traces;
pub(crate) mod transcript;
pub(crate) mod trial;
