//! The sample problems: `rejoinder test` finds nothing to complain about in any of them, as root and
//! as an unprivileged user.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use harness::checks;
use harness::identity::Identity;
use harness::run::invoke_within;
use harness::stage::{Stage, set_mode};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::spec::language::Languages;
use rejoinder::spec::problem::Problem;

const THREADS: usize = 2;

/// The longest time for one problem, on a machine that has others to run as well.
const PATIENCE: Duration = Duration::from_secs(600);

/// The folders of the repository that are copied to where every user can read them. Those of the
/// problems use the others.
const SHOWN: [&str; 2] = ["problems", "interactors"];

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("samples: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stage = match args.list {
        true => None,
        false => Some(Arc::new(set_up(root)?)),
    };
    let mut trials = Vec::new();
    for folder in folders(&root.join("problems")).map_err(|error| error.to_string())? {
        let problem = Problem::load(&folder).map_err(|error| error.to_string())?;
        let name = folder.file_name().unwrap_or_default().to_owned();
        for identity in Identity::possible() {
            let trial_name = format!("{}/{}", name.display(), identity.name());
            let interactor = missing_tool(&problem.interactor, *identity);
            let solutions: BTreeSet<String> = (problem.solutions.iter())
                .filter_map(|solution| missing_tool(&solution.path, *identity))
                .collect();
            if let Some(tool) = &interactor {
                eprintln!("samples: {trial_name} is ignored: `{tool}` is not to be had");
            } else if !solutions.is_empty() {
                let tools: Vec<&str> = solutions.iter().map(String::as_str).collect();
                let tools = tools.join("`, `");
                eprintln!("samples: {trial_name} leaves out solutions: no `{tools}` is to be had");
            }
            let (stage, name) = (stage.clone(), name.clone());
            let trial = Trial::test(trial_name, move || {
                let stage = stage.ok_or_else(|| Failed::from("there is no stage"))?;
                let mut words = vec!["test", "-j1"];
                if !solutions.is_empty() {
                    words.push("--allow-missing");
                }
                passes(&stage, *identity, &words, Path::new(&name)).map_err(Failed::from)
            });
            trials.push(trial.with_ignored_flag(interactor.is_some()));
        }
    }
    Ok(trials)
}

/// Runs the command on a problem and looks at how it ends.
fn passes(stage: &Stage, identity: Identity, words: &[&str], problem: &Path) -> Result<(), String> {
    let here = stage
        .program_folder("problems")
        .map_err(|e| e.to_string())?;
    let ran = invoke_within(PATIENCE, stage, identity, &here, None, |_| {
        let words = words.iter().map(|word| (*word).to_owned());
        words
            .chain([problem.to_string_lossy().into_owned()])
            .collect()
    })?;
    let mut wrong = checks::in_order(&ran);
    if ran.supervised.code != Some(0) {
        wrong.push("the exit status is not 0".to_owned());
    }
    match wrong.is_empty() {
        true => {
            stage.discard(&ran.folder);
            Ok(())
        }
        false => Err(format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())),
    }
}

/// The stage, with the problems and what they use.
fn set_up(root: &Path) -> Result<Stage, String> {
    let stage = Stage::new()?;
    let copied = SHOWN.iter().try_for_each(|name| {
        let to = stage.program_folder(name)?;
        copy(&root.join(name), &to)
    });
    copied.map_err(|error| format!("cannot copy the problems: {error}"))?;
    Ok(stage)
}

/// Copies what is in a folder so that every user can read it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&copied)?;
            set_mode(&copied, 0o755)?;
            copy(&entry.path(), &copied)?;
        } else {
            fs::copy(entry.path(), &copied)?;
            set_mode(&copied, 0o644)?;
        }
    }
    Ok(())
}

/// The folders in a folder, in order. At least one: without problems, nothing is tested.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    match folders.is_empty() {
        true => Err(io::Error::other(format!("{} is empty", folder.display()))),
        false => Ok(folders),
    }
}

/// The compiler or interpreter that a source needs and this user does not have.
fn missing_tool(source: &Path, identity: Identity) -> Option<String> {
    let languages = Languages::builtin();
    let language = languages.of_source(source)?;
    [&language.compilers, &language.interpreters]
        .into_iter()
        .find(|names| !names.is_empty() && names.iter().all(|n| identity.find(n).is_none()))
        .map(|names| names.join("` or `"))
}
