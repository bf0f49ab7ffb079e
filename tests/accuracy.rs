//! How exact CPU time is: that it is what the program's own processes are told by the kernel, and
//! how far beyond its limit a program gets before it is killed.
//!
//! Neither depends on real time, so both hold on a busy machine as on a quiet one. A single run can
//! still be unlucky, and the bounds are such that a wrong account exceeds them in every run.
//! `REJOINDER_ACCURACY_RUNS=100` kills so many programs a trial and says how far each group got.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, PoisonError, RwLock};

use harness::checks;
use harness::identity::Identity;
use harness::load::Busy;
use harness::programs::{Program, Source};
use harness::run::{Ran, invoke};
use harness::stage::Stage;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Ways to use CPU time, words for `accuracy/uses.c`.
const WAYS: [&str; 8] = [
    "one-thread",
    "four-threads",
    "system",
    "children-reaped",
    "many-short-children",
    "threads-of-a-child",
    "children-dead-and-left",
    "children-alive-and-left",
];

/// Programs that only a limit ends: a name, the command, its flags, the words for the program.
const ENDLESS: [[&str; 4]; 4] = [
    ["alone", "exec", "", "for-ever"],
    [
        "alone-in-threads",
        "exec",
        "--cpu-set all",
        "for-ever-in-threads",
    ],
    ["contestant", "run", "", "for-ever"],
    [
        "contestant-in-threads",
        "run",
        "--cpu-set all",
        "for-ever-in-threads",
    ],
];

/// Those of them that are always tried on a loaded machine too.
const LOADED: [&str; 2] = ["alone", "contestant-in-threads"];

/// The report may differ from the program's own figure by the larger of these two. The program is
/// also charged for what its process did before it was the program's, which the report leaves out.
const TOLERANCE: f64 = 0.03;
const TOLERANCE_MS: f64 = 5.0;

/// The limit of an endless program, and how far beyond it 95 of 100 may get.
const LIMIT_MS: f64 = 300.0;
const OVERRUN_MS: f64 = 10.0;
const QUANTILE: f64 = 0.95;

/// How many endless programs a trial kills, if nobody says.
const RUNS: usize = 6;

/// One of so many attempts must keep a bound.
const ATTEMPTS: usize = 3;

/// Held for writing by the trials that keep the whole machine busy.
static MACHINE: RwLock<()> = RwLock::new(());

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(1));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("accuracy: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program and where it lies.
struct Place {
    stage: Stage,
    program: Program,
}

type Work = Box<dyn FnOnce(&Place) -> Result<(), String> + Send>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy");
    let source = Source::find(&folder, "uses")?;
    let missing = source.missing_tool(Identity::Own);
    if let Some(tool) = missing {
        eprintln!("accuracy: ignored: `{tool}` is not to be had");
    }
    let place = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(Place::new(&source)?)),
    };
    let runs = runs()?;
    let mut trials = Vec::new();
    let mut add = |name: String, work: Work| {
        let place = place.clone();
        let trial = Trial::test(name, move || {
            let place = place.ok_or_else(|| Failed::from("there is no compiler"))?;
            work(&place).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
    };
    for identity in Identity::possible() {
        for way in WAYS {
            for (cpus, flags) in [("one-cpu", ""), ("all-cpus", "--cpu-set all")] {
                let name = format!("used/{way}/{cpus}/{}", identity.name());
                let work = move |place: &Place| {
                    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
                    place.used(way, flags, *identity)
                };
                add(name, Box::new(work));
            }
        }
        for [name, command, flags, does] in ENDLESS {
            // On a loaded machine each takes seconds: all of them only if somebody asked.
            let own = *identity == Identity::Own;
            let loads = |loaded: &bool| !loaded || (own && (runs.1 || LOADED.contains(&name)));
            for loaded in [false, true].into_iter().filter(loads) {
                let machine = if loaded { "loaded" } else { "as-it-is" };
                let name = format!("killed/{name}/{machine}/{}", identity.name());
                let of = name.clone();
                let work = move |place: &Place| {
                    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
                    let _busy = loaded.then(Busy::start);
                    place.killed(&of, command, flags, does, *identity, runs)
                };
                add(name, Box::new(work));
            }
        }
    }
    Ok(trials)
}

/// How many programs to kill, and whether somebody asked.
fn runs() -> Result<(usize, bool), String> {
    match std::env::var("REJOINDER_ACCURACY_RUNS") {
        Err(_) => Ok((RUNS, false)),
        Ok(text) => match text.parse() {
            Ok(runs) if runs > 0 => Ok((runs, true)),
            _ => Err(format!(
                "REJOINDER_ACCURACY_RUNS is `{text}`; it must be a number above zero"
            )),
        },
    }
}

impl Place {
    fn new(source: &Source) -> Result<Place, String> {
        let stage = Stage::new()?;
        let folder = stage.program_folder("accuracy");
        let folder = folder.map_err(|error| error.to_string())?;
        Ok(Place {
            program: source.install(&folder)?,
            stage,
        })
    }

    /// Runs the program and gives the report; `command` is `exec` or `run`.
    fn ran(
        &self,
        command: &str,
        flags: &str,
        does: &str,
        identity: Identity,
    ) -> Result<(Ran, Value), String> {
        let arguments = |_: &Path| {
            let words = format!("{command} --json --wall 50s --idle 40s {flags}");
            let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            if command == "run" {
                let hears = shell_words::join(self.program.with_args(&["hear"]).argv);
                let empty = self.stage.empty_file().to_string_lossy().into_owned();
                words.extend([
                    "--interactor".to_owned(),
                    hears,
                    "--input".to_owned(),
                    empty,
                ]);
            }
            words.push("--".to_owned());
            words.extend(self.program.with_args(&[does]).argv);
            words
        };
        let home = self.stage.home(identity);
        let ran = invoke(&self.stage, identity, &home, None, arguments)?;
        let wrong = checks::in_order(&ran);
        let report = ran.reports()?.pop();
        match report.filter(|_| wrong.is_empty()) {
            Some(report) => {
                self.stage.discard(&ran.folder);
                Ok((ran, report))
            }
            None => Err(format!("wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())),
        }
    }

    /// The report says what the program's processes say.
    fn used(&self, way: &str, flags: &str, identity: Identity) -> Result<(), String> {
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            let (ran, report) = self.ran("exec", &format!("--cpu 20s {flags}"), way, identity)?;
            if report["verdict"] != "ok" {
                return Err(format!("it did not end well\n{}", ran.shown()));
            }
            let lines = report["stdout"]["head"]
                .as_str()
                .unwrap_or_default()
                .lines();
            let figures = lines.filter_map(|line| line.strip_prefix("used ")?.parse::<f64>().ok());
            let said = figures.sum::<f64>() / 1000.0;
            let reported = number(&report, "/program/cpu_ms");
            let parts = number(&report, "/program/user_ms") + number(&report, "/program/system_ms");
            if said < 100.0 {
                return Err(format!("the program says only {said} ms\n{}", ran.shown()));
            }
            let tolerance = (said * TOLERANCE).max(TOLERANCE_MS);
            if (reported - said).abs() <= tolerance && (parts - reported).abs() <= 0.01 {
                return Ok(());
            }
            last = format!(
                "{reported} ms are reported, {parts} ms in parts, where the program used {said} \
                 ms\n{}",
                ran.shown()
            );
        }
        Err(format!("in {ATTEMPTS} runs; in the last one\n{last}"))
    }

    /// Of programs that compute for ever, nearly all are killed near the limit.
    fn killed(
        &self,
        name: &str,
        command: &str,
        flags: &str,
        does: &str,
        identity: Identity,
        (runs, asked): (usize, bool),
    ) -> Result<(), String> {
        let side = match command {
            "run" => "/contestant",
            _ => "/program",
        };
        let flags = format!("--cpu {LIMIT_MS}ms {flags}");
        let once = || {
            let (ran, report) = self.ran(command, &flags, does, identity)?;
            if report["verdict"] != "time-limit" {
                return Err(format!("it is not over its CPU limit\n{}", ran.shown()));
            }
            Ok(number(&report, &format!("{side}/cpu_ms")) - LIMIT_MS)
        };
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            let mut over = (0..runs)
                .map(|_| once())
                .collect::<Result<Vec<f64>, String>>()?;
            over.sort_by(f64::total_cmp);
            let at = |part: f64| over[((over.len() - 1) as f64 * part) as usize];
            last = format!(
                "ms beyond the limit in {runs} runs: {:.2} at least, {:.2} in the middle, {:.2} \
                 in 95 of 100, {:.2} at most",
                over[0],
                at(0.5),
                at(QUANTILE),
                over[over.len() - 1]
            );
            if asked {
                eprintln!("accuracy: {name}: {last}");
            }
            if over[0] <= 0.0 {
                return Err(format!("it was killed below its limit: {last}"));
            }
            if at(QUANTILE) <= OVERRUN_MS {
                return Ok(());
            }
        }
        Err(format!("{ATTEMPTS} times too late; the last time, {last}"))
    }
}

/// A figure of the report; NaN, which keeps no bound, if it is not there.
fn number(report: &Value, path: &str) -> f64 {
    let value = report.pointer(path);
    value.and_then(Value::as_f64).unwrap_or(f64::NAN)
}
