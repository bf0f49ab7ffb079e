//! Attacks on the sandbox and on the coordinator, run through the real binary.
//!
//! `tests/programs/` holds hostile and odd contestants and interactors; each says at its beginning
//! what must be true afterwards, and `trials.toml` there says which are run against each other and
//! what must come of it. Every trial is run as each identity that this process can take on, and
//! where the table says so once more with Landlock alone. Trials that attack the coordinator from
//! outside are in `sandbox/coordinator.rs`.

#[path = "sandbox/coordinator.rs"]
mod coordinator;
#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "sandbox/home.rs"]
mod home;
#[path = "sandbox/programs.rs"]
mod programs;
#[path = "sandbox/table.rs"]
mod table;

use std::process::ExitCode;
use std::sync::Arc;

use harness::identity::Identity;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use programs::Programs;

/// Bounds on real time mean little if more runs at once than there are CPUs on a small machine.
const THREADS: usize = 2;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("sandbox: {error}");
            ExitCode::FAILURE
        }
    }
}

type Work = Box<dyn Fn(&Programs, Identity) -> Result<(), String> + Send + Sync>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let programs = match args.list {
        true => None,
        false => Some(Arc::new(Programs::new(vec![programs::sources(
            "programs",
        )])?)),
    };
    let all: Vec<(String, Arc<Work>)> = table::all(
        &programs::sources("programs").join("trials.toml"),
        home::surround,
    )?
    .into_iter()
    .chain(coordinator::all())
    .map(|(name, work)| (name, Arc::new(work)))
    .collect();
    let mut trials = Vec::new();
    for identity in Identity::possible() {
        for (name, work) in &all {
            let (work, programs) = (Arc::clone(work), programs.clone());
            trials.push(Trial::test(
                format!("{name}/{}", identity.name()),
                move || {
                    let programs = programs.ok_or_else(|| Failed::from("there is no stage"))?;
                    work(&programs, *identity).map_err(Failed::from)
                },
            ));
        }
    }
    Ok(trials)
}
