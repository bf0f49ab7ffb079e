//! Why a program failed and where it stood then, as its owner is told: by `exec` for a program
//! alone, and by `run` for either side.
//!
//! `explain/table.toml` says what must be told of the programs in `explain/`, which are compiled as
//! rejoinder compiles a source. A line that must be named has a mark in its source.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use harness::checks;
use harness::identity::{Identity, is_root};
use harness::run::{Ran, invoke};
use harness::stage::{Stage, copy_readable};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::spec::language::Languages;
use serde::Deserialize;
use serde_json::Value;

const THREADS: usize = 2;

/// Limits that no machine is too slow for, where a trial is not about them.
const PATIENT: [&str; 4] = ["--cpu 20s", "--wall 50s", "--idle 40s", "--tasks 128"];

/// The flags of a trial, and of the others those that it does not set.
fn with_patience(flags: &str) -> String {
    let sets = |patient: &&&str| {
        let name = patient.split(' ').next().unwrap_or_default();
        !flags.split(' ').any(|flag| flag == name)
    };
    let patient: Vec<&str> = PATIENT.iter().filter(sets).copied().collect();
    format!("{} {flags}", patient.join(" "))
}

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("explain: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    trial: Vec<Wanted>,
}

/// What is tried, and what must be told.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    program: String,
    way: String,
    /// A name for the trial, where the way alone is not enough.
    name: Option<String>,
    /// The mark of the line, if it is not the way.
    mark: Option<String>,
    #[serde(default)]
    flags: String,
    code: String,
    cause: Option<String>,
    #[serde(default)]
    stood: Vec<String>,
    /// False where the line may be another.
    line: Option<bool>,
    /// True if there are calls that are left out.
    #[serde(default)]
    omitted: bool,
    /// True if it is so only where a cgroup counts the memory.
    #[serde(default)]
    needs_cgroup: bool,
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain")
}

impl Wanted {
    fn shown(&self) -> String {
        let name = self.name.as_ref().unwrap_or(&self.way);
        format!("{}/{name}", self.program)
    }

    /// The compiler or interpreter that this machine does not have for this user.
    fn missing_tool(&self, identity: Identity) -> Option<String> {
        let languages = Languages::builtin();
        let language = languages.of_source(Path::new(&self.program))?;
        [&language.compilers, &language.interpreters]
            .into_iter()
            .find(|names| !names.is_empty() && names.iter().all(|n| identity.find(n).is_none()))
            .map(|names| names.join("` or `"))
    }

    /// The interpreter that lies where only root can start it. With Landlock alone, root's programs
    /// are started by other users from where they lie.
    fn private_tool(&self) -> Option<String> {
        let languages = Languages::builtin();
        let language = languages.of_source(Path::new(&self.program))?;
        let found = |identity: Identity| {
            let mut names = language.interpreters.iter();
            names.find_map(|name| identity.find(name))
        };
        let own = found(Identity::Own)?;
        let private = is_root() && found(Identity::Nobody).as_ref() != Some(&own);
        private.then(|| own.to_string_lossy().into_owned())
    }

    /// The number of the line that is marked.
    fn marked_line(&self) -> Option<u64> {
        let text = fs::read_to_string(sources().join(&self.program)).ok()?;
        let mark = self.mark.as_ref().unwrap_or(&self.way);
        let marked = |line: &str| {
            let comment = line.rsplit_once("// ").or(line.rsplit_once("/* "));
            comment.is_some_and(|(_, comment)| comment.trim_end_matches(" */") == mark)
        };
        text.lines().position(marked).map(|at| at as u64 + 1)
    }

    /// What is wrong with what was told.
    fn compare(&self, told: &Value, wrong: &mut Vec<String>) {
        if self.cause.is_none() && self.stood.is_empty() {
            if !told.is_null() {
                wrong.push(format!("there is nothing to explain, but: {told}"));
            }
            return;
        }
        let cause = told["cause"].as_str();
        if cause.is_some() != self.cause.is_some()
            || !cause
                .unwrap_or("")
                .contains(self.cause.as_deref().unwrap_or(""))
        {
            wrong.push(format!("the cause is {cause:?}, not {:?}", self.cause));
        }
        let frames = told["stack"].as_array().cloned().unwrap_or_default();
        let own: Vec<&Value> = frames.iter().filter(|frame| frame["own"] == true).collect();
        let functions: Vec<&str> = own.iter().filter_map(|f| f["function"].as_str()).collect();
        if !functions.starts_with(&self.stood.iter().map(|s| &**s).collect::<Vec<_>>()) {
            wrong.push(format!("it stood in {functions:?}, not {:?}", self.stood));
        }
        if let (Some(first), None | Some(true)) = (own.first(), self.line) {
            let line = self.marked_line();
            if line.is_none() || first["line"].as_u64() != line || first["file"] != *self.program {
                wrong.push(format!("it stood in line {line:?}, not {first}"));
            }
        }
        if told["omitted"].is_null() == self.omitted {
            wrong.push(format!("{} is omitted", told["omitted"]));
        }
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
        let folder = stage.program_folder("explain").map_err(failed)?;
        for entry in fs::read_dir(sources()).map_err(failed)? {
            copy_readable(&entry.map_err(failed)?.path(), &folder).map_err(failed)?;
        }
        Ok(Sources { stage, folder })
    }

    fn path(&self, program: &str) -> String {
        self.folder.join(program).to_string_lossy().into_owned()
    }

    /// A run with these words, and its report.
    fn report(&self, identity: Identity, words: Vec<String>) -> Result<(Ran, Value), String> {
        let home = self.stage.home(identity);
        let ran = invoke(&self.stage, identity, &home, None, |_| words)?;
        match ran.reports()?.pop() {
            Some(report) => Ok((ran, report)),
            None => Err(format!("there is no report\n{}", ran.shown())),
        }
    }

    fn judged(&self, ran: &Ran, mut wrong: Vec<String>) -> Result<(), String> {
        wrong.extend(checks::in_order(ran));
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown()))
    }

    fn exec(
        &self,
        flags: &str,
        program: &[&str],
        identity: Identity,
    ) -> Result<(Ran, Value), String> {
        let mut words = words(&format!("exec --json {} --stdin", with_patience(flags)));
        words.push(self.stage.empty_file().to_string_lossy().into_owned());
        words.push("--".to_owned());
        words.push(self.path(program[0]));
        words.extend(program[1..].iter().map(|word| (*word).to_owned()));
        self.report(identity, words)
    }

    /// A trial of the table.
    fn alone(&self, wanted: &Wanted, identity: Identity, isolation: &str) -> Result<(), String> {
        let flags = format!("--isolation {isolation} {}", wanted.flags);
        let program = [&*wanted.program, &wanted.way];
        let (ran, report) = self.exec(&flags, &program, identity)?;
        let layers = report["isolation"].as_array();
        let has_cgroup = layers.is_some_and(|layers| layers.iter().any(|l| l == "cgroup"));
        if wanted.needs_cgroup && !has_cgroup {
            return Ok(());
        }
        let mut wrong = Vec::new();
        if report["code"] != *wanted.code {
            wrong.push(format!("{} instead of {}", report["code"], wanted.code));
        }
        wanted.compare(&report["program"]["explanation"], &mut wrong);
        self.judged(&ran, wrong)
    }

    /// The same for one side of a dialogue. The other reads all the time.
    fn in_a_dialogue(&self, wanted: &Wanted, as_interactor: bool) -> Result<(), String> {
        let side = format!("{} {}", self.path(&wanted.program), wanted.way);
        let peer = format!("{} asks", self.path("ends.c"));
        let (contestant, interactor, name) = match as_interactor {
            true => (peer, side, "interactor"),
            false => (side, peer, "contestant"),
        };
        let flags = match as_interactor {
            true => wanted.flags.replace("--", "--interactor-"),
            false => wanted.flags.clone(),
        };
        let (ran, report) = self.dialogue(&flags, &contestant, &interactor)?;
        let mut wrong = Vec::new();
        // What it means that an interactor exits in some way is up to its protocol.
        if !as_interactor && report["code"] != *wanted.code {
            wrong.push(format!("{} instead of {}", report["code"], wanted.code));
        }
        wanted.compare(&report[name]["explanation"], &mut wrong);
        self.judged(&ran, wrong)
    }

    fn dialogue(
        &self,
        flags: &str,
        contestant: &str,
        interactor: &str,
    ) -> Result<(Ran, Value), String> {
        let mut all = words(&format!("run --json {} --input", with_patience(flags)));
        all.push(self.stage.empty_file().to_string_lossy().into_owned());
        all.push("--interactor".to_owned());
        all.push(interactor.to_owned());
        all.push("--".to_owned());
        all.extend(words(contestant));
        self.report(Identity::Own, all)
    }

    /// Both wait for each other; where both stand is told, and what the contestant kept is still
    /// found by giving it end of input.
    fn deadlock(&self, contestant: [&str; 3]) -> Result<(), String> {
        let [program, way, function] = contestant;
        let contestant = format!("{} {way}", self.path(program));
        let interactor = format!("{} asks", self.path("ends.c"));
        let (ran, report) = self.dialogue("", &contestant, &interactor)?;
        let mut wrong = Vec::new();
        if report["code"] != "IL" || report["diagnosis"]["kind"] != "deadlock" {
            wrong.push("it is no deadlock".to_owned());
        }
        for (side, function) in [("contestant", function), ("interactor", "ask")] {
            let stack = &report[side]["explanation"]["stack"];
            let own = |frame: &&Value| frame["own"] == true;
            let first = stack.as_array().and_then(|frames| frames.iter().find(own));
            let found = first.and_then(|frame| frame["function"].as_str());
            if found != Some(function) {
                wrong.push(format!("the {side} stood in {found:?}, not in {function}"));
            }
        }
        let held = &report["diagnosis"]["unflushed"][0];
        let kept = way == "keeps";
        if kept && (held["bytes"] != "kept to the end\n" || held["found"] != "at-the-end") {
            wrong.push(format!("what it kept is not found, but {held}"));
        }
        self.judged(&ran, wrong)
    }

    /// Whoever does not own the program is told nothing.
    fn untold(&self) -> Result<(), String> {
        let (ran, report) = self.exec("--explain no", &["ends.c", "null"], Identity::Own)?;
        let mut wrong = Vec::new();
        if report["code"] != "RE" || !report["program"]["explanation"].is_null() {
            wrong.push("it is explained".to_owned());
        }
        self.judged(&ran, wrong)
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

type Work = Box<dyn FnOnce(&Sources) -> Result<(), String> + Send>;

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let text = fs::read_to_string(sources().join("table.toml")).map_err(|e| e.to_string())?;
    let table: Table = toml::from_str(&text).map_err(|e| e.to_string())?;
    let sources = match args.list {
        true => None,
        false => Some(Arc::new(Sources::install()?)),
    };
    let mut trials = Vec::new();
    let mut add = |name: String, missing: Option<String>, work: Work| {
        if let Some(tool) = &missing {
            eprintln!("explain: {name} is ignored: `{tool}` is not to be had");
        }
        let sources = sources.clone();
        let trial = Trial::test(name, move || {
            let sources = sources.ok_or_else(|| Failed::from("there is no stage"))?;
            work(&sources).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
    };
    for wanted in &table.trial {
        for identity in Identity::possible() {
            for isolation in ["strongest", "landlock"] {
                let tried = wanted.clone();
                let missing = wanted.missing_tool(*identity);
                let private = || wanted.private_tool().filter(|_| isolation == "landlock");
                let missing = missing.or_else(private);
                add(
                    format!("alone/{}/{isolation}/{}", wanted.shown(), identity.name()),
                    missing,
                    Box::new(move |sources| sources.alone(&tried, *identity, isolation)),
                );
            }
        }
        for (side, as_interactor) in [("contestant", false), ("interactor", true)] {
            let tried = wanted.clone();
            add(
                format!("{side}/{}", wanted.shown()),
                wanted.missing_tool(Identity::Own),
                Box::new(move |sources| sources.in_a_dialogue(&tried, as_interactor)),
            );
        }
    }
    let compiler = |program: &str| {
        let of = |wanted: &&Wanted| wanted.program == program;
        table
            .trial
            .iter()
            .find(of)
            .and_then(|wanted| wanted.missing_tool(Identity::Own))
    };
    for contestant in [
        ["ends.c", "asks", "ask"],
        ["ends.c", "keeps", "ask"],
        ["ends.cpp", "asks", "answer"],
    ] {
        add(
            format!("deadlock/{}/{}", contestant[0], contestant[1]),
            compiler("ends.c").or(compiler(contestant[0])),
            Box::new(move |sources| sources.deadlock(contestant)),
        );
    }
    add(
        "untold".to_owned(),
        compiler("ends.c"),
        Box::new(Sources::untold),
    );
    Ok(trials)
}
