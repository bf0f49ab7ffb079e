//! Who waits for whom: every way of waiting for input is recognised as such, in every language, on
//! either side and on every channel; and nothing that only looks like it is.
//!
//! Each way in `waiting/trials.toml` is tried so:
//!
//! - `deadlock`: the other side waits as well. That must be found long before the idle limit, and
//!   the account of both sides must say that they asked.
//! - `answered`: its twin, which is answered after a while. It must be accepted.
//! - `polling`: as `deadlock`, for those of which only the idle limit can tell.
//! - `waking`: it speaks before the other side does. It must be accepted.
//! - `waking-late`: as `waking`, but the whole wait is longer than it may be idle.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use harness::checks;
use harness::identity::Identity;
use harness::run::{Channel, Ran, invoke};
use harness::stage::{Stage, copy_readable};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::spec::language::Languages;
use serde::Deserialize;
use serde_json::Value;

const THREADS: usize = 2;

/// The idle limit of both. A deadlock that is found by it alone counts as not found.
const IDLE_MS: u32 = 8000;
/// That of those that only the limit can tell.
const SHORT_IDLE_MS: u32 = 1000;

/// A deadlock must have been found after this time. It is far more than it takes, and far less than
/// the limit, so that no machine is too slow and no timeout is taken for a proof.
const FOUND_MS: f64 = 3000.0;

/// How long the twins wait for their answer: longer than it takes to find a deadlock.
const ANSWER_MS: &str = "500";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    asking: BTreeMap<String, Vec<String>>,
    polling: BTreeMap<String, Vec<String>>,
    waking: BTreeMap<String, Vec<String>>,
    waking_late: BTreeMap<String, Vec<String>>,
}

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("waiting: {error}");
            ExitCode::FAILURE
        }
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/waiting")
}

/// A program that waits in some way.
#[derive(Clone)]
struct Way {
    file: String,
    way: String,
}

impl Way {
    fn all(table: &BTreeMap<String, Vec<String>>) -> impl Iterator<Item = Way> {
        table.iter().flat_map(|(file, ways)| {
            ways.iter().map(|way| Way {
                file: file.clone(),
                way: way.clone(),
            })
        })
    }

    fn name(&self) -> String {
        format!("{}/{}", self.file, self.way)
    }

    fn words(&self, folder: &Path) -> Vec<String> {
        let source = folder.join(&self.file).to_string_lossy().into_owned();
        vec![source, self.way.clone()]
    }

    /// The compiler or interpreter that this machine does not have.
    fn missing_tool(&self) -> Option<String> {
        let languages = Languages::builtin();
        let language = languages.of_source(Path::new(&self.file))?;
        [&language.compilers, &language.interpreters]
            .into_iter()
            .find(|names| {
                !names.is_empty() && names.iter().all(|n| Identity::Own.find(n).is_none())
            })
            .map(|names| names.join("` or `"))
    }
}

/// The stage, and the sources on it.
struct Sources {
    stage: Stage,
    folder: PathBuf,
}

impl Sources {
    fn install() -> Result<Sources, String> {
        let stage = Stage::new()?;
        let failed = |e: std::io::Error| format!("cannot copy the programs: {e}");
        let folder = stage.program_folder("waiting").map_err(failed)?;
        for entry in fs::read_dir(sources()).map_err(failed)? {
            copy_readable(&entry.map_err(failed)?.path(), &folder).map_err(failed)?;
        }
        Ok(Sources { stage, folder })
    }

    fn run(
        &self,
        channel: Channel,
        contestant: &[String],
        interactor: &[String],
        idle_ms: u32,
    ) -> Result<(Ran, Value), String> {
        let input = self.stage.empty_file().to_string_lossy().into_owned();
        let ran = invoke(&self.stage, Identity::Own, &self.folder, None, |_| {
            let mut words: Vec<String> = ["run", "--json", "--channel", channel.name()]
                .map(str::to_owned)
                .into();
            for (flag, value) in [
                ("--interactor", shell_words::join(interactor)),
                ("--input", input),
                ("--cpu", "10s".to_owned()),
                ("--idle", format!("{idle_ms}ms")),
                ("--interactor-idle", format!("{idle_ms}ms")),
                ("--memory", "1GiB".to_owned()),
                ("--tasks", "200".to_owned()),
                ("--interactor-tasks", "200".to_owned()),
            ] {
                words.extend([flag.to_owned(), value]);
            }
            words.push("--".to_owned());
            words.extend(contestant.iter().cloned());
            words
        })?;
        let mut reports = ran.reports()?;
        match reports.pop() {
            Some(report) if reports.is_empty() => Ok((ran, report)),
            _ => Err(format!("there is not one report\n{}", ran.shown())),
        }
    }

    fn judged(&self, ran: &Ran, wrong: &[String]) -> Result<(), String> {
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("- {}\n{}", wrong.join("\n- "), ran.shown()))
    }

    /// Both wait for each other.
    fn deadlock(
        &self,
        channel: Channel,
        way: &Way,
        as_interactor: bool,
        idle_ms: u32,
    ) -> Result<(), String> {
        let way = way.words(&self.folder);
        let other = self.asks(&["read"]);
        let (contestant, interactor) = match as_interactor {
            true => (&other, &way),
            false => (&way, &other),
        };
        let (ran, report) = self.run(channel, contestant, interactor, idle_ms)?;
        let mut wrong = checks::in_order(&ran);
        if report["code"] != "IL" || report["diagnosis"]["kind"] != "deadlock" {
            wrong.push("it is no deadlock".to_owned());
        }
        let waited = report["diagnosis"]["waited_ms"].as_f64();
        if waited.is_none_or(|waited| waited > FOUND_MS) {
            wrong.push(format!("it was found after {waited:?} ms"));
        }
        for side in ["contestant", "interactor"] {
            let words = report["diagnosis"]["waits"][side].as_str();
            if !words.is_some_and(|words| words.contains("standard input")) {
                wrong.push(format!("the {side} waits in {words:?}"));
            }
            adds_up(&report[side], &mut wrong);
        }
        self.judged(&ran, &wrong)
    }

    /// The other side speaks at last.
    fn answered(&self, channel: Channel, way: &Way) -> Result<(), String> {
        let interactor = self.asks(&["late", ANSWER_MS]);
        let (ran, report) = self.run(channel, &way.words(&self.folder), &interactor, IDLE_MS)?;
        self.accepted(&ran, &report)
    }

    /// It speaks before the other side does.
    fn wakes(&self, channel: Channel, way: &Way, idle_ms: u32) -> Result<(), String> {
        let interactor = self.asks(&["line"]);
        let (ran, report) = self.run(channel, &way.words(&self.folder), &interactor, idle_ms)?;
        self.accepted(&ran, &report)
    }

    fn accepted(&self, ran: &Ran, report: &Value) -> Result<(), String> {
        let mut wrong = checks::in_order(ran);
        if report["code"] != "AC" || !report["diagnosis"].is_null() {
            wrong.push("it was not accepted".to_owned());
        }
        for side in ["contestant", "interactor"] {
            adds_up(&report[side], &mut wrong);
        }
        self.judged(ran, &wrong)
    }

    fn asks(&self, args: &[&str]) -> Vec<String> {
        let mut words = vec![self.folder.join("asks.c").to_string_lossy().into_owned()];
        words.extend(args.iter().map(|arg| (*arg).to_owned()));
        words
    }
}

/// The states of a side make up its lifetime, and its turns are what is not asking.
fn adds_up(side: &Value, wrong: &mut Vec<String>) {
    let states = &side["states_ms"];
    let of = |name: &str| states[name].as_f64().unwrap_or(f64::NAN);
    let acting = of("computing") + of("idle") + of("stopped");
    let (wall, turn) = (&side["wall_ms"], &side["turn_ms"]);
    let near = |sum: f64, whole: &Value| {
        let whole = whole.as_f64().unwrap_or(f64::NAN);
        (sum - whole).abs() <= whole / 100.0 + 0.01
    };
    if !near(acting + of("asking"), wall) || !near(acting, turn) {
        wrong.push(format!("{states} does not add up to {wall} and {turn}"));
    }
}

type Work = Box<dyn FnOnce(&Sources) -> Result<(), String> + Send>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let file = sources().join("trials.toml");
    let text = fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let table: Table = toml::from_str(&text).map_err(|e| e.to_string())?;
    let sources = match args.list {
        true => None,
        false => Some(Arc::new(Sources::install()?)),
    };
    let mut trials = Vec::new();
    let mut add = |name: String, way: &Way, work: Work| {
        let missing = way.missing_tool();
        if let Some(tool) = &missing {
            eprintln!("waiting: {name} is ignored: `{tool}` is not to be had");
        }
        let sources = sources.clone();
        let trial = Trial::test(name, move || {
            let sources = sources.ok_or_else(|| Failed::from("there is no stage"))?;
            work(&sources).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
    };
    for channel in Channel::ALL {
        for (kind, table, idle_ms) in [
            ("deadlock", &table.asking, IDLE_MS),
            ("polling", &table.polling, SHORT_IDLE_MS),
        ] {
            for way in Way::all(table) {
                for (side, as_interactor) in [("contestant", false), ("interactor", true)] {
                    let tried = way.clone();
                    add(
                        format!("{kind}/{side}/{}/{}", way.name(), channel.name()),
                        &way,
                        Box::new(move |sources| {
                            sources.deadlock(channel, &tried, as_interactor, idle_ms)
                        }),
                    );
                }
            }
        }
        for way in Way::all(&table.asking).chain(Way::all(&table.polling)) {
            let of = |kind: &str| format!("{kind}/{}/{}", way.name(), channel.name());
            let tried = way.clone();
            add(
                of("answered"),
                &way,
                Box::new(move |sources| sources.answered(channel, &tried)),
            );
        }
        for (kind, table, idle_ms) in [
            ("waking", &table.waking, IDLE_MS),
            ("waking-late", &table.waking_late, SHORT_IDLE_MS),
        ] {
            for way in Way::all(table) {
                let tried = way.clone();
                add(
                    format!("{kind}/{}/{}", way.name(), channel.name()),
                    &way,
                    Box::new(move |sources| sources.wakes(channel, &tried, idle_ms)),
                );
            }
        }
    }
    Ok(trials)
}
