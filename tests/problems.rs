//! The sample problem, as its `problem.toml` has it: every solution gets the verdict that is
//! expected of it, whichever of the interactors to copy from it meets.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use harness::checks;
use harness::identity::Identity;
use harness::run::{Ran, invoke};
use harness::stage::Stage;
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::spec::language::Languages;
use rejoinder::spec::limits::Limits;
use rejoinder::spec::problem::{Problem, Solution, Test};
use rejoinder::verdict::Verdict;
use serde_json::Value;

const THREADS: usize = 2;

/// The tests that a bad solution meets: it fails on each, so that not all are needed.
const FOR_BAD_ONES: [&str; 3] = ["01", "03", "07"];

/// The interactors that are given on the command line; the problem names the one in Rust.
const OTHERS: [&str; 2] = ["guess.cpp", "guess.py"];

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("problems: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One solution against one interactor.
struct Meeting {
    problem: Arc<Problem>,
    solution: Solution,
    /// `None` is the one that the problem names.
    interactor: Option<PathBuf>,
    /// The tests, and whether one run goes through all of them.
    tests: Vec<Test>,
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let problem = Problem::load(&root.join("problems/guess-number"));
    let problem = Arc::new(problem.map_err(|error| error.to_string())?);
    let stage = match args.list {
        true => None,
        false => Some(Arc::new(Stage::new()?)),
    };
    let others = OTHERS.map(|name| Some(root.join("interactors").join(name)));
    let mut trials = Vec::new();
    for solution in &problem.solutions {
        for interactor in [None].into_iter().chain(others.clone()) {
            let file = interactor.as_ref().unwrap_or(&problem.interactor);
            let name = format!(
                "{}/{}",
                solution.name,
                file.file_name().unwrap_or_default().display()
            );
            let missing = missing_tool(&solution.path).or(missing_tool(file));
            if let Some(tool) = &missing {
                eprintln!("problems: {name} is ignored: `{tool}` is not to be had");
            }
            let good = solution.expected == [Verdict::Accepted];
            let tests = problem.tests.iter();
            let tests = tests.filter(|test| good || FOR_BAD_ONES.contains(&test.name.as_str()));
            let meeting = Meeting {
                problem: Arc::clone(&problem),
                solution: solution.clone(),
                tests: tests.cloned().collect(),
                interactor,
            };
            let stage = stage.clone();
            let trial = Trial::test(name, move || {
                let stage = stage.ok_or_else(|| Failed::from("there is no stage"))?;
                meeting.run(&stage).map_err(Failed::from)
            });
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
    }
    Ok(trials)
}

/// The compiler or interpreter that a source needs and this machine does not have.
fn missing_tool(source: &Path) -> Option<String> {
    let languages = Languages::builtin();
    let language = languages.of_source(source)?;
    [&language.compilers, &language.interpreters]
        .into_iter()
        .find(|names| !names.is_empty() && names.iter().all(|n| Identity::Own.find(n).is_none()))
        .map(|names| names.join("` or `"))
}

impl Meeting {
    fn run(&self, stage: &Stage) -> Result<(), String> {
        match (&self.interactor, self.solution.expected.as_slice()) {
            // All tests in one go.
            (None, [Verdict::Accepted]) => self.one_run(stage, &self.tests),
            _ => self
                .tests
                .iter()
                .try_for_each(|test| self.one_run(stage, std::slice::from_ref(test))),
        }
    }

    fn one_run(&self, stage: &Stage, tests: &[Test]) -> Result<(), String> {
        let arguments = |_: &Path| self.arguments(tests);
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let ran = invoke(stage, Identity::Own, here, None, arguments)?;
        let mut wrong = checks::in_order(&ran);
        match ran.reports() {
            Ok(reports) => wrong.extend(self.wrong(&ran, tests, &reports)),
            Err(error) => wrong.push(error),
        }
        match wrong.is_empty() {
            true => {
                stage.discard(&ran.folder);
                Ok(())
            }
            false => Err(format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())),
        }
    }

    fn wrong(&self, ran: &Ran, tests: &[Test], reports: &[Value]) -> Vec<String> {
        let mut wrong = Vec::new();
        if reports.len() != tests.len() {
            wrong.push(format!(
                "{} reports for {} tests",
                reports.len(),
                tests.len()
            ));
        }
        let expected: Vec<&str> = self.solution.expected.iter().map(|v| v.name()).collect();
        for (test, report) in tests.iter().zip(reports) {
            let verdict = report["verdict"].as_str().unwrap_or_default();
            if !expected.contains(&verdict) {
                let expected = expected.join(" or ");
                wrong.push(format!(
                    "the verdict on test {} is {verdict}, not {expected}",
                    test.name
                ));
            }
        }
        let status = if expected == ["accepted"] { 0 } else { 1 };
        if ran.supervised.code != Some(status) {
            wrong.push(format!("the exit status is not {status}"));
        }
        wrong
    }

    fn arguments(&self, tests: &[Test]) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut arguments = vec!["run".to_owned(), "--json".to_owned()];
        let Some(interactor) = &self.interactor else {
            for test in tests {
                arguments.extend(["--test".to_owned(), test.name.clone()]);
            }
            arguments.extend([text(&self.problem.folder), self.solution.name.clone()]);
            return arguments;
        };
        arguments.extend(["--interactor".to_owned(), text(interactor)]);
        for test in tests {
            arguments.extend(["--input".to_owned(), text(&test.input)]);
        }
        arguments.extend(flags("", &self.problem.contestant_limits));
        arguments.extend(flags("interactor-", &self.problem.interactor_limits));
        arguments.extend(["--".to_owned(), text(&self.solution.path)]);
        arguments
    }
}

/// The limits of the problem as flags.
fn flags(prefix: &str, limits: &Limits) -> Vec<String> {
    let time = |time: Duration| format!("{}ms", time.as_millis());
    [
        ("cpu", time(limits.cpu)),
        ("wall", time(limits.wall)),
        ("idle", time(limits.idle)),
        ("memory", format!("{}B", limits.memory)),
        ("output", format!("{}B", limits.output)),
        ("tasks", limits.tasks.to_string()),
    ]
    .into_iter()
    .flat_map(|(name, value)| [format!("--{prefix}{name}"), value])
    .collect()
}
