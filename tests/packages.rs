//! Packages of other formats: each is listed as it should be, and `rejoinder test` and `run` find
//! nothing to complain about, as root and as an unprivileged user; broken ones get a sentence with
//! the place.

#[path = "packages/broken.rs"]
mod broken;
#[path = "packages/edit.rs"]
mod edit;
#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use edit::copy;
use harness::checks;
use harness::identity::Identity;
use harness::run::invoke_within;
use harness::stage::Stage;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};

const THREADS: usize = 2;

/// The longest time for one package, on a machine that has others to run as well.
const PATIENCE: Duration = Duration::from_secs(600);

/// The packages, the tools that their programs need, and a solution with a test that it passes.
const PACKAGES: [(&str, &[&str], [&str; 2]); 4] = [
    (
        "legacy",
        &["gcc", "g++", "python3"],
        ["several", "secret/large/01"],
    ),
    ("newest", &["python3"], ["search", "secret/group2/1-hard"]),
    ("scored", &["python3"], ["double", "secret/drei für dich"]),
    ("polygon", &["gcc", "g++", "python3"], ["search.c", "03"]),
];

/// Where they lie.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packages");

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("packages: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let stage = match args.list {
        true => None,
        false => Some(Arc::new(set_up()?)),
    };
    let mut trials = broken::trials();
    for (name, tools, [solution, test]) in PACKAGES {
        for identity in Identity::possible() {
            let lacks = |tool: &&&str| identity.find(tool).is_none();
            let missing = tools.iter().find(lacks);
            if let Some(tool) = missing {
                let who = identity.name();
                eprintln!("packages: {name}/{who} is ignored: `{tool}` is not to be had");
            }
            let list = format!("{name}.list");
            let kinds: [(&str, Vec<&str>, Option<String>); 3] = [
                ("lists", vec!["test", "--list", name], Some(list)),
                ("passes", vec!["test", "-j1", name], None),
                ("runs", vec!["run", name, solution, "--test", test], None),
            ];
            for (kind, words, printed) in kinds {
                let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                let stage = stage.clone();
                let trial = Trial::test(format!("{name}/{kind}/{}", identity.name()), move || {
                    let stage = stage.ok_or_else(|| Failed::from("there is no stage"))?;
                    succeeds(&stage, *identity, words, printed.as_deref()).map_err(Failed::from)
                });
                trials.push(trial.with_ignored_flag(missing.is_some()));
            }
        }
    }
    Ok(trials)
}

/// Runs a command among the packages, and looks at how it ends and, if so, at what it prints.
fn succeeds(
    stage: &Stage,
    identity: Identity,
    words: Vec<String>,
    printed: Option<&str>,
) -> Result<(), String> {
    let here = stage.program_folder("packages");
    let here = here.map_err(|error| error.to_string())?;
    let ran = invoke_within(PATIENCE, stage, identity, &here, None, |_| words)?;
    let mut wrong = checks::in_order(&ran);
    if ran.supervised.code != Some(0) {
        wrong.push("the exit status is not 0".to_owned());
    }
    if let Some(file) = printed {
        let path = Path::new(FOLDER).join(file);
        if std::env::var_os("REJOINDER_TEST_UPDATE").is_some() {
            fs::write(&path, &ran.stdout).map_err(|error| error.to_string())?;
        }
        let expected = fs::read(&path).map_err(|error| error.to_string())?;
        if expected != ran.stdout {
            wrong.push(format!("what is printed is not what is in {file}"));
        }
    }
    match wrong.is_empty() {
        true => {
            stage.discard(&ran.folder);
            Ok(())
        }
        false => Err(format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())),
    }
}

/// The stage, with the packages where every user can read them.
fn set_up() -> Result<Stage, String> {
    let stage = Stage::new()?;
    let copied = stage.program_folder("packages").and_then(|to| {
        PACKAGES
            .iter()
            .try_for_each(|(name, ..)| copy(&Path::new(FOLDER).join(name), &to.join(name)))
    });
    copied.map_err(|error| format!("cannot copy the packages: {error}"))?;
    Ok(stage)
}
