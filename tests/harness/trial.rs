//! A case on one channel as one identity: its repeats, and what they say together.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use super::case::{Case, Variant};
use super::checks;
use super::clocks::{ATTEMPTS, Bounds, Taken};
use super::identity::{Identity, is_root};
use super::programs::{Program, Source};
use super::report::Code;
use super::run::{Channel, Judgement, Limits, Ran};
use super::stage::{Stage, copy_readable};
use super::supervisor::{Blow, Kill};

/// Taken for reading by every trial, and for writing by those that need the machine alone.
static MACHINE: RwLock<()> = RwLock::new(());

/// A case with what is prepared once for all its trials.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) case: Case,
    contestant: Source,
    interactor: Source,
    installed: OnceLock<Result<Installed, String>>,
    /// The names of processes and files that a case leaves its traces in are the case's own, so
    /// two trials of one case may not run at the same time.
    traces: Mutex<()>,
}

#[derive(Debug)]
struct Installed {
    folder: PathBuf,
    contestant: Program,
    interactor: Program,
    input: Option<PathBuf>,
    answer: Option<PathBuf>,
}

/// One finished run of a trial.
struct Finished {
    code: Option<Code>,
    taken: Taken,
    /// It had to be killed. One such run is enough: the others would each wait as long.
    hung: bool,
    /// What was wrong, with everything that a person needs to see; empty if nothing was.
    failure: String,
}

impl Prepared {
    /// Finds the programs of a case.
    pub(crate) fn new(case: Case) -> Result<Prepared, String> {
        Ok(Prepared {
            contestant: Source::find(&case.folder, "contestant")?,
            interactor: Source::find(&case.folder, "interactor")?,
            installed: OnceLock::new(),
            traces: Mutex::new(()),
            case,
        })
    }

    /// The command without which the case cannot be run by that user.
    pub(crate) fn missing_tool(&self, identity: Identity) -> Option<&'static str> {
        self.contestant
            .missing_tool(identity)
            .or(self.interactor.missing_tool(identity))
    }

    fn install(&self, stage: &Stage) -> Result<Installed, String> {
        let failed = |error: std::io::Error| format!("cannot install {}: {error}", self.case.name);
        let folder = stage.program_folder(&self.case.name).map_err(failed)?;
        let file = |name: &str| -> Result<Option<PathBuf>, String> {
            let file = self.case.folder.join(name);
            file.is_file()
                .then(|| copy_readable(&file, &folder).map_err(failed))
                .transpose()
        };
        Ok(Installed {
            input: file("input.txt")?,
            answer: file("answer.txt")?,
            contestant: self.contestant.install(&folder)?,
            interactor: self.interactor.install(&folder)?,
            folder,
        })
    }

    /// Runs the whole trial. The error is everything that is wrong with it.
    pub(crate) fn run(
        &self,
        variant: Option<&Variant>,
        channel: Channel,
        identity: Identity,
        stage: &Stage,
    ) -> Result<(), String> {
        let _traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner);
        let _alone;
        let _shared;
        if self.case.exclusive {
            _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        } else {
            _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        }
        let installed = self
            .installed
            .get_or_init(|| self.install(stage))
            .as_ref()
            .map_err(Clone::clone)?;
        for file in &self.case.after.absent {
            // Left by a run outside the sandbox; it would be blamed on this one.
            let _ = fs::remove_file(file);
        }
        let judgement = self.judgement(variant, channel, identity, installed, stage);
        let says = variant.map_or(self.case.contestant_says.as_deref(), |variant| {
            variant.contestant_says.as_deref()
        });
        let once = || self.once(says, &judgement, stage);
        let mut finished = repeated(self.repeats(channel, identity), self.case.parallel, once)?;
        let bounds = Bounds::of(&self.case);
        // Not for ever: on a busy machine no run may be one that counts.
        for _ in 1..ATTEMPTS {
            if finished.iter().all(|run| !run.hung) && bounds.want_another(&taken(&finished)) {
                finished.push(once()?);
            }
        }
        let mut wrong = self.together(&finished);
        if self.case.transcript {
            wrong.extend(for_people(&judgement, stage)?);
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(self.explained(&wrong))
        }
    }

    fn judgement(
        &self,
        variant: Option<&Variant>,
        channel: Channel,
        identity: Identity,
        installed: &Installed,
        stage: &Stage,
    ) -> Judgement {
        let case = &self.case;
        let limits = case.limits.or(&Limits::contestant());
        Judgement {
            contestant: installed.contestant.clone(),
            interactor: installed.interactor.clone(),
            input: installed
                .input
                .clone()
                .unwrap_or_else(|| stage.empty_file()),
            answer: installed.answer.clone(),
            cwd: installed.folder.clone(),
            channel,
            identity,
            limits: variant.map_or(limits.clone(), |variant| variant.limits.or(&limits)),
            interactor_limits: case.interactor_limits.or(&Limits::interactor()),
            cpu_set: case.cpu_set.clone(),
            isolation: None,
            json: true,
            transcript: case.transcript || case.contestant_says.is_some(),
            keep_output: case.after.output.is_some(),
            kill: case.kill_coordinator_after_ms.map(|after_ms| Kill {
                after: Duration::from_millis(after_ms),
                once_running: case.after.no_process.clone(),
                signals: vec![Blow::KILL],
                group: false,
            }),
        }
    }

    /// Full repeats where the program is at home; a tenth, but three at least, elsewhere.
    fn repeats(&self, channel: Channel, identity: Identity) -> u32 {
        let all = self.case.repeat;
        let at_home = channel == Channel::Tmpfs && identity == Identity::Own;
        if at_home {
            all
        } else {
            all.min((all / 10).max(3))
        }
    }

    fn once(
        &self,
        says: Option<&str>,
        judgement: &Judgement,
        stage: &Stage,
    ) -> Result<Finished, String> {
        let ran = judgement.run(stage)?;
        let (code, wrong) = if judgement.kill.is_some() {
            (None, checks::killed(&self.case, &ran))
        } else {
            checks::judged(&self.case, says, judgement, &ran, stage)
        };
        let failure = described(&wrong, &ran);
        if wrong.is_empty() {
            stage.discard(&ran.folder);
        }
        Ok(Finished {
            code,
            taken: Taken {
                wall_ms: ran.supervised.wall_ms,
                cpu_ms: ran.supervised.cpu_ms,
                others_cpu_ms: ran.supervised.others_cpu_ms,
            },
            hung: ran.supervised.timed_out,
            failure,
        })
    }

    /// What all runs say together.
    fn together(&self, finished: &[Finished]) -> Vec<String> {
        let mut wrong: Vec<String> = Vec::new();
        let failed = finished
            .iter()
            .filter(|run| !run.failure.is_empty())
            .count();
        if let Some(first) = finished.iter().find(|run| !run.failure.is_empty()) {
            wrong.push(format!(
                "{failed} of {} runs failed. {}",
                finished.len(),
                first.failure
            ));
        }
        let histogram = histogram(finished.iter().map(|run| run.code));
        if histogram.len() > 1 {
            wrong.push(format!("not every run had the same verdict: {histogram:?}"));
        }
        wrong.extend(Bounds::of(&self.case).exceeded(&taken(finished)));
        wrong
    }

    fn explained(&self, wrong: &[String]) -> String {
        let case = &self.case;
        format!(
            "{}\n\n{}: {}\nRight: {}\nWhy: {}\nSeen in: {}",
            wrong.join("\n"),
            case.category,
            case.symptom,
            case.right,
            case.why,
            case.source.join(", "),
        )
    }
}

fn taken(finished: &[Finished]) -> Vec<Taken> {
    finished.iter().map(|run| run.taken).collect()
}

/// Runs so often, so many at a time.
fn repeated(
    times: u32,
    parallel: u32,
    once: impl Fn() -> Result<Finished, String> + Sync,
) -> Result<Vec<Finished>, String> {
    let started = AtomicU32::new(0);
    let finished = Mutex::new(Vec::new());
    let work = || {
        while started.fetch_add(1, Ordering::Relaxed) < times {
            let run = once();
            if run.as_ref().map_or(true, |run| run.hung) {
                started.store(times, Ordering::Relaxed);
            }
            finished
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(run);
        }
    };
    thread::scope(|scope| {
        for _ in 0..parallel {
            scope.spawn(work);
        }
    });
    finished
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_iter()
        .collect()
}

/// The report for people is text too, whatever the programs print.
fn for_people(judgement: &Judgement, stage: &Stage) -> Result<Option<String>, String> {
    let ran = Judgement {
        json: false,
        ..judgement.clone()
    }
    .run(stage)?;
    let mut wrong = Vec::new();
    if ran.supervised.code != Some(0) {
        wrong.push("the report for people came with another exit status".to_owned());
    }
    for (name, bytes) in [("output", &ran.stdout), ("error", &ran.stderr)] {
        if let Err(error) = std::str::from_utf8(bytes) {
            wrong.push(format!("standard {name} is not UTF-8: {error}"));
        }
    }
    if ran.stdout.is_empty() && ran.stderr.is_empty() {
        wrong.push("there is no report for people".to_owned());
    }
    Ok((!wrong.is_empty()).then(|| described(&wrong, &ran)))
}

fn described(wrong: &[String], ran: &Ran) -> String {
    if wrong.is_empty() {
        return String::new();
    }
    format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())
}

/// How often each verdict was given.
pub(crate) fn histogram(codes: impl Iterator<Item = Option<Code>>) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for code in codes {
        let name = code.map_or_else(|| "no verdict".to_owned(), |code| code.to_string());
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// The name of a trial.
pub(crate) fn name(
    case: &Case,
    variant: Option<&Variant>,
    channel: Channel,
    identity: Identity,
) -> String {
    let variant = variant
        .map(|variant| format!("-{}", variant.name))
        .unwrap_or_default();
    format!(
        "{}{variant}/{}/{}",
        case.name,
        channel.name(),
        identity.name()
    )
}

/// The order in which trials are started: all cases on one channel, then on the next, so that
/// two trials of one case, which wait for each other, are far apart.
pub(crate) fn passes() -> Vec<(Channel, Identity)> {
    debug_assert!(Identity::possible().len() == 1 || is_root());
    Channel::ALL
        .into_iter()
        .flat_map(|channel| {
            Identity::possible()
                .iter()
                .map(move |identity| (channel, *identity))
        })
        .collect()
}
