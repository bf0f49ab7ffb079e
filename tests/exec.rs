//! `rejoinder exec` from outside: what it captures by each method, its limits, its standard
//! streams, how it is started and ends, and the limit on address space.
//!
//! The programs are in `exec/`: `writer.c` writes in every way that a program can, `space.c` takes
//! address space, `hostile.c` does to its standard streams what a contestant should not.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

#[path = "exec/capture.rs"]
mod capture;
#[path = "exec/ends.rs"]
mod ends;
#[path = "exec/limits.rs"]
mod limits;
#[path = "exec/space.rs"]
mod space;
#[path = "exec/start.rs"]
mod start;
#[path = "exec/streams.rs"]
mod streams;
#[path = "exec/world.rs"]
mod world;

use std::process::ExitCode;
use std::sync::Arc;

use harness::identity::Identity;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use world::World;

/// Many at once on a small machine would only measure the machine.
const THREADS: usize = 2;

/// What a trial does; an error says what was wrong.
pub(crate) type Test = fn(&World, Identity) -> Result<(), String>;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("exec: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let missing = World::missing_tool()?;
    if let Some(tool) = missing {
        eprintln!("exec: ignored: `{tool}` is not to be had");
    }
    let world = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(World::install()?)),
    };
    let mut trials = Vec::new();
    let tables = [
        ("capture", capture::TESTS),
        ("limits", limits::TESTS),
        ("streams", streams::TESTS),
        ("ends", ends::TESTS),
        ("space", space::TESTS),
        ("start", start::TESTS),
    ];
    for identity in Identity::possible() {
        for (table, tests) in tables {
            for (name, test) in tests {
                let world = world.clone();
                let trial = Trial::test(format!("{table}/{name}/{}", identity.name()), move || {
                    let world = world.ok_or_else(|| Failed::from("there is no compiler"))?;
                    test(&world, *identity).map_err(Failed::from)
                });
                trials.push(trial.with_ignored_flag(missing.is_some()));
            }
        }
    }
    Ok(trials)
}
