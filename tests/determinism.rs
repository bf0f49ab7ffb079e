//! The same programs get the same verdict in every run, on a machine that is busy.
//!
//! A contestant that says something and crashes in the same instant is where judges that go by
//! which process ended first give now one verdict, now the other. Here each such contestant runs
//! many times, two at a time, while one thread for each CPU does nothing but compute, so that the
//! scheduler tries all orders. `REJOINDER_DETERMINISM_RUNS` sets how many times (200 by default).

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use harness::checks;
use harness::identity::Identity;
use harness::load::Busy;
use harness::programs::{Program, Source};
use harness::report::Code;
use harness::run::{Channel, Judgement, Limits};
use harness::stage::Stage;
use harness::supervisor;
use harness::trial::histogram;
use libtest_mimic::{Arguments, Failed, Trial};

const RUNS: u32 = 200;
const SESSIONS_AT_A_TIME: u32 = 2;

/// What the contestant says, how it ends, and the only verdict for it.
const SCENARIOS: [(&str, &str, Code); 7] = [
    ("wrong", "exit", Code::WrongAnswer),
    ("wrong", "abort", Code::WrongAnswer),
    ("wrong", "null", Code::WrongAnswer),
    ("right", "exit", Code::RuntimeError),
    ("nothing", "exit", Code::RuntimeError),
    ("nothing", "abort", Code::RuntimeError),
    ("nothing", "null", Code::RuntimeError),
];

struct Programs {
    stage: Stage,
    contestant: Program,
    interactor: Program,
    runs: u32,
}

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    // Each trial keeps the whole machine busy by itself.
    args.test_threads = args.test_threads.or(Some(1));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("determinism: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/determinism");
    let contestant = Source::find(&folder, "contestant")?;
    let interactor = Source::find(&folder, "interactor")?;
    let missing = contestant.missing_tool(Identity::Own);
    if let Some(tool) = missing {
        eprintln!("determinism: ignored: `{tool}` is not to be had");
    }
    let programs = if args.list || missing.is_some() {
        None
    } else {
        let stage = Stage::new()?;
        let folder = stage
            .program_folder("determinism")
            .map_err(|error| error.to_string())?;
        Some(Arc::new(Programs {
            contestant: contestant.install(&folder)?,
            interactor: interactor.install(&folder)?,
            runs: runs()?,
            stage,
        }))
    };
    let mut trials = Vec::new();
    for channel in Channel::ALL {
        for (says, ends, wanted) in SCENARIOS {
            let programs = programs.clone();
            let name = format!("{says}-then-{ends}/{}", channel.name());
            let trial = Trial::test(name, move || {
                let programs = programs.ok_or_else(|| Failed::from("there is no compiler"))?;
                always(&programs, channel, says, ends, wanted).map_err(Failed::from)
            });
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
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

/// Every run must give the wanted verdict; the error shows how often each was given.
fn always(
    programs: &Programs,
    channel: Channel,
    says: &str,
    ends: &str,
    wanted: Code,
) -> Result<(), String> {
    let cwd = programs
        .stage
        .program_folder("determinism")
        .map_err(|error| error.to_string())?;
    let judgement = Judgement {
        contestant: programs.contestant.with_args(&[says, ends]),
        interactor: programs.interactor.clone(),
        input: programs.stage.empty_file(),
        answer: None,
        cwd,
        channel,
        identity: Identity::Own,
        limits: Limits::contestant(),
        interactor_limits: Limits::interactor(),
        cpu_set: None,
        isolation: None,
        json: true,
        transcript: false,
        keep_output: false,
        kill: None,
    };
    let started = AtomicU32::new(0);
    let verdicts = Mutex::new(Vec::new());
    let failures = Mutex::new(Vec::new());
    let work = || {
        while started.fetch_add(1, Ordering::Relaxed) < programs.runs {
            let (code, failure) = once(&judgement, &programs.stage, wanted);
            verdicts
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(code);
            if let Some(failure) = failure {
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
    let verdicts = verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let failures = failures
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let Some(first) = failures.first() else {
        return Ok(());
    };
    Err(format!(
        "the verdict is {wanted} in every run, but these were given: {:?}; {} of {} runs failed, \
         the first so:\n{first}",
        histogram(verdicts.iter().copied()),
        failures.len(),
        verdicts.len(),
    ))
}

fn once(judgement: &Judgement, stage: &Stage, wanted: Code) -> (Option<Code>, Option<String>) {
    let ran = match judgement.run(stage) {
        Ok(ran) => ran,
        Err(error) => return (None, Some(error)),
    };
    let (report, wrong) = checks::sound(&ran);
    let code = report.map(|report| report.code);
    if code == Some(wanted) && wrong.is_empty() {
        stage.discard(&ran.folder);
        return (code, None);
    }
    (code, Some(format!("{}\n{}", wrong.join("\n"), ran.shown())))
}
