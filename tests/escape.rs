//! Attempts to break out of the sandbox, to look in where nothing is to be seen, to wear the machine
//! out, and to lose the tracer. `escape/README.md` lists them all.
//!
//! An attempt is a program of `escape/` and a statement of what must be true afterwards. Whether it
//! is true is found out outside the sandbox (`escape/yard.rs`), not asked of the program: files are
//! as they were, a process of the same user heard nothing and was not touched, no secret is in what
//! the program printed, nothing of the run is left. `escape/fuzz.rs` makes and ends tasks at random,
//! from seeds.

#[path = "escape/fuzz.rs"]
mod fuzz;
#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "sandbox/programs.rs"]
mod programs;
#[path = "sandbox/table.rs"]
mod table;
#[path = "escape/witness.rs"]
mod witness;
#[path = "escape/yard.rs"]
mod yard;

use std::process::ExitCode;
use std::sync::Arc;

use harness::identity::Identity;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use programs::Programs;

/// More at once would only wait for each other on a small machine.
const THREADS: usize = 2;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("escape: {error}");
            ExitCode::FAILURE
        }
    }
}

type Work = Box<dyn Fn(&Programs, Identity) -> Result<(), String> + Send + Sync>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let sources = ["escape", "programs"].map(programs::sources);
    let programs = match args.list {
        true => None,
        false => Some(Arc::new(Programs::new(sources.into())?)),
    };
    let table = programs::sources("escape").join("attempts.toml");
    let all: Vec<(String, Arc<Work>)> = table::all(&table, yard::surround)?
        .into_iter()
        .chain(fuzz::all()?)
        .map(|(name, work)| (name, Arc::new(work)))
        .collect();
    let mut trials = Vec::new();
    for identity in Identity::possible() {
        for (name, work) in &all {
            let (work, programs) = (Arc::clone(work), programs.clone());
            let name = format!("{name}/{}", identity.name());
            trials.push(Trial::test(name, move || {
                let programs = programs.ok_or_else(|| Failed::from("there is no stage"))?;
                work(&programs, *identity).map_err(Failed::from)
            }));
        }
    }
    Ok(trials)
}
