//! Each limit from both sides: a program that stays just within it, and one that goes over it, as
//! contestant and as interactor; and that the figures in the report are those of the program.
//!
//! Both sides are `limits/actor.c`, told by arguments what to do. The last group of trials runs a
//! few of them many times on a busy machine: the verdict may not depend on the load.
//! `REJOINDER_DETERMINISM_RUNS` sets how many times (20 by default).

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

#[path = "limits/figures.rs"]
mod figures;
#[path = "limits/scenario.rs"]
mod scenario;
#[path = "limits/table.rs"]
mod table;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use harness::identity::Identity;
use harness::load::Busy;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use scenario::{Actors, Scenario};

/// Many at once on a small machine would only measure the machine.
const THREADS: usize = 2;
/// How often a scenario that must always end alike is run.
const RUNS: u32 = 20;
/// How many of those at a time.
const SESSIONS_AT_A_TIME: u32 = 2;

/// Held for writing by the trials that keep the whole machine busy.
static MACHINE: RwLock<()> = RwLock::new(());

/// What a trial does with the programs that were installed for it.
type Run = Box<dyn FnOnce(&Actors) -> Result<(), String> + Send>;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("limits: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let missing = Actors::missing_tool()?;
    if let Some(tool) = missing {
        eprintln!("limits: ignored: `{tool}` is not to be had");
    }
    let actors = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(Actors::install()?)),
    };
    let runs = runs()?;
    let mut trials = Vec::new();
    let mut add = |name: String, run: Run| {
        let actors = actors.clone();
        let trial = Trial::test(name, move || {
            let actors = actors.ok_or_else(|| Failed::from("there is no compiler"))?;
            run(&actors).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
    };
    for identity in Identity::possible() {
        for scenario in table::scenarios() {
            let name = format!("{}/{}", scenario.name, identity.name());
            add(
                name,
                Box::new(move |actors| {
                    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
                    scenario.run(actors, *identity)
                }),
            );
        }
    }
    for scenario in table::always() {
        let name = format!("always/{}", scenario.name);
        add(
            name,
            Box::new(move |actors| {
                let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
                always(&scenario, actors, runs)
            }),
        );
    }
    Ok(trials)
}

fn runs() -> Result<u32, String> {
    match std::env::var("REJOINDER_DETERMINISM_RUNS") {
        Err(_) => Ok(RUNS),
        Ok(text) => match text.parse() {
            Ok(runs) if runs > 0 => Ok(runs),
            _ => Err(format!(
                "REJOINDER_DETERMINISM_RUNS is `{text}`; it must be a number above zero"
            )),
        },
    }
}

/// Every run on a busy machine must come out as the scenario says.
fn always(scenario: &Scenario, actors: &Actors, runs: u32) -> Result<(), String> {
    let started = AtomicU32::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while started.fetch_add(1, Ordering::Relaxed) < runs {
            if let Err(failure) = scenario.once(actors, Identity::Own) {
                failures
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(failure);
            }
        }
    };
    let busy = Busy::start();
    thread::scope(|scope| {
        for _ in 0..SESSIONS_AT_A_TIME {
            scope.spawn(work);
        }
    });
    drop(busy);
    let failures = failures
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    match failures.first() {
        None => Ok(()),
        Some(first) => Err(format!(
            "{} of {runs} runs failed, the first so:\n{first}",
            failures.len()
        )),
    }
}
