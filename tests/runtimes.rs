//! Ordinary programs of each runtime, as they are: in the sandbox they must do what they do
//! outside it.
//!
//! `runtimes/table.toml` says which runtimes there are, what their programs do and what must come
//! of it. Every trial is run as each identity that this process can take on, and once more with
//! Landlock alone. What is not installed here is ignored, and named.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "runtimes/table.rs"]
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};

use harness::checks;
use harness::identity::{Identity, is_root};
use harness::programs::{Program, Source};
use harness::run::{Ran, invoke};
use harness::stage::{Stage, copy_readable};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use table::{Runtime, Wanted};

/// More at once than there are CPUs on a small machine would only wait for each other.
const THREADS: usize = 2;

/// No trial here is about time, and machines are slow and busy.
const PATIENT: &str = "--cpu 30s --wall 50s --idle 40s --tasks 128";

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("runtimes: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A runtime whose program is put in place when it is first needed.
struct Place {
    runtime: Runtime,
    installed: OnceLock<Result<Program, String>>,
}

/// Where everything lies.
struct Theatre {
    stage: Stage,
    interactor: Program,
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let interactor = Source::find(&table::folder(), "asks")?;
    let no_interactor = interactor.missing_tool(Identity::Own);
    let theatre = match args.list || no_interactor.is_some() {
        true => None,
        false => Some(Arc::new(Theatre::new(&interactor)?)),
    };
    let mut trials = Vec::new();
    for (runtime, behaviours) in table::all()? {
        let place = Arc::new(Place {
            runtime,
            installed: OnceLock::new(),
        });
        for identity in Identity::possible() {
            for isolation in ["strongest", "landlock"] {
                let name = format!("{}/{isolation}/{}", place.runtime.name, identity.name());
                let missing = no_interactor
                    .map(|tool| format!("`{tool}` is not installed"))
                    .or_else(|| missing(&place.runtime, *identity, isolation));
                if let Some(why) = &missing {
                    eprintln!("runtimes: {name} is ignored: {why}");
                }
                for (behaviour, wanted) in behaviours.clone() {
                    let (place, theatre) = (Arc::clone(&place), theatre.clone());
                    let trial = Trial::test(format!("{name}/{behaviour}"), move || {
                        let theatre = theatre.ok_or_else(|| Failed::from("there is no stage"))?;
                        theatre
                            .play(&place, *identity, isolation, &behaviour, &wanted)
                            .map_err(Failed::from)
                    });
                    trials.push(trial.with_ignored_flag(missing.is_some()));
                }
            }
        }
    }
    Ok(trials)
}

/// Why it cannot be tried here, if so.
fn missing(runtime: &Runtime, identity: Identity, isolation: &str) -> Option<String> {
    let landlock = isolation == "landlock";
    if let Some(why) = runtime.no_landlock.as_ref().filter(|_| landlock) {
        return Some(why.clone());
    }
    // What the tests build, they build for everybody.
    let identity = match runtime.build {
        Some(_) => Identity::Own,
        None => identity,
    };
    let absent = |tool: &&String| identity.find(tool).is_none();
    if let Some(tool) = runtime.tools.iter().find(absent) {
        return Some(format!("`{tool}` is not to be had for this user"));
    }
    // With Landlock, root's programs are started by other users from where they lie.
    let private = |tool: &&String| Identity::Nobody.find(tool) != identity.find(tool);
    let shared = runtime.build.is_none() && landlock && is_root();
    let private = runtime.tools.iter().find(private).filter(|_| shared)?;
    Some(format!("`{private}` lies where only root can start it"))
}

impl Place {
    /// The words that start its program.
    fn install(&self, stage: &Stage) -> Result<Program, String> {
        let runtime = &self.runtime;
        let failed = |error: std::io::Error| format!("cannot install {}: {error}", runtime.name);
        let folder = stage.program_folder(&runtime.name).map_err(failed)?;
        let source = table::folder().join(&runtime.source);
        let source = copy_readable(&source, &folder).map_err(failed)?;
        let program = match &runtime.build {
            Some(words) => built(words, &source, &folder.join("everyday"))?,
            None => source,
        };
        let mut argv = runtime.start.clone();
        argv.push(program.to_string_lossy().into_owned());
        Ok(Program { argv })
    }
}

/// Makes a program of a source by that command.
fn built(words: &[String], source: &Path, output: &Path) -> Result<PathBuf, String> {
    let place = |word: &String| match word.as_str() {
        "{source}" => source.as_os_str().to_owned(),
        "{output}" => output.as_os_str().to_owned(),
        other => other.into(),
    };
    let words: Vec<_> = words.iter().map(place).collect();
    let (compiler, args) = words.split_first().ok_or("`build` is empty")?;
    let made = Command::new(compiler).args(args).output();
    let made = made.map_err(|error| format!("{}: {error}", compiler.display()))?;
    match made.status.success() {
        true => Ok(output.to_owned()),
        false => Err(String::from_utf8_lossy(&made.stderr).into_owned()),
    }
}

impl Theatre {
    fn new(interactor: &Source) -> Result<Theatre, String> {
        let stage = Stage::new()?;
        let folder = stage.program_folder("interactor");
        let folder = folder.map_err(|error| error.to_string())?;
        Ok(Theatre {
            interactor: interactor.install(&folder)?,
            stage,
        })
    }

    /// Runs one program once.
    fn play(
        &self,
        place: &Place,
        identity: Identity,
        isolation: &str,
        behaviour: &str,
        wanted: &Wanted,
    ) -> Result<(), String> {
        let program = place.installed.get_or_init(|| place.install(&self.stage));
        let program = program.as_ref().map_err(Clone::clone)?;
        let program = program.with_args(&[behaviour]);
        let dialogue = wanted.dialogue == Some(true);
        let arguments = |_: &Path| {
            let command = match dialogue {
                true => "run",
                false => "exec",
            };
            let limits = wanted.limits.as_deref().unwrap_or_default();
            let words = format!("{command} --json --isolation {isolation} {PATIENT} {limits}");
            let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            let empty = self.stage.empty_file().to_string_lossy().into_owned();
            if dialogue {
                let interactor = shell_words::join(&self.interactor.argv);
                words.extend(["--interactor".to_owned(), interactor]);
                words.extend(["--input".to_owned(), empty]);
            } else {
                words.extend(["--stdin".to_owned(), empty]);
            }
            words.push("--".to_owned());
            words.extend(program.argv);
            words
        };
        let home = self.stage.home(identity);
        let ran = invoke(&self.stage, identity, &home, None, arguments)?;
        let wrong = judged(&ran, &place.runtime.refused, isolation, wanted)?;
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown()))
    }
}

/// What is wrong with a run.
fn judged(
    ran: &Ran,
    may_be_refused: &BTreeMap<String, String>,
    isolation: &str,
    wanted: &Wanted,
) -> Result<Vec<String>, String> {
    let mut wrong = checks::in_order(ran);
    let Some(report) = ran.reports()?.pop() else {
        wrong.push("there is no report".to_owned());
        return Ok(wrong);
    };
    let text = |path: &str| report.pointer(path).and_then(Value::as_str).unwrap_or("");
    let side = match wanted.dialogue {
        Some(true) => "/contestant",
        _ => "/program",
    };

    let verdict = text("/verdict");
    let right = wanted.verdict.as_deref().unwrap_or_default();
    if verdict != right {
        wrong.push(format!("the verdict is {verdict} instead of {right}"));
    }
    let status = i32::from(!matches!(right, "ok" | "accepted"));
    if ran.supervised.code != Some(status) {
        wrong.push(format!("the exit status for {right} is {status}"));
    }
    let stderr = text(&format!("{side}/stderr/head"));
    for (what, found, part) in [
        ("reason", text("/reason"), &wanted.says),
        ("standard error", stderr, &wanted.stderr),
    ] {
        let part = part.as_deref().unwrap_or_default();
        if !found.contains(part) {
            wrong.push(format!("the {what} has no `{part}`: {found}"));
        }
    }
    let stdout = text("/stdout/head");
    if let Some(right) = wanted.stdout.as_deref().filter(|right| *right != stdout) {
        wrong.push(format!("the output is {stdout:?} instead of {right:?}"));
    }

    let memory = report.pointer(&format!("{side}/memory_kib"));
    let memory = memory.and_then(Value::as_f64).unwrap_or(f64::NAN) / 1024.0;
    let [least, most] = wanted.memory_mib.unwrap_or([0.0, f64::INFINITY]);
    if !(least..=most).contains(&memory) {
        wrong.push(format!(
            "{memory} MiB of memory, not from {least} to {most}"
        ));
    }
    let refused = report.pointer(&format!("{side}/refused"));
    let refused = refused.and_then(Value::as_array).ok_or("no `refused`")?;
    for call in refused.iter().filter_map(|entry| entry["call"].as_str()) {
        if !may_be_refused.contains_key(call) {
            wrong.push(format!("`{call}` was refused to an honest program"));
        }
    }
    let layers = report["isolation"].as_array();
    let layer = |name| layers.is_some_and(|layers| layers.iter().any(|layer| layer == name));
    if isolation == "landlock" && !layer("landlock") {
        wrong.push("Landlock was asked for and is not active".to_owned());
    }
    Ok(wrong)
}
