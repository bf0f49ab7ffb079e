//! `rejoinder run`: one solution on one test of a problem, or on all; or any pair of programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::flags::{self, ContestantLimits, InteractorLimits, Manner, ProtocolName};
use super::told::{exit_status, progress, untold};
use crate::error::{Error, Result, shown};
use crate::interrupts;
use crate::report;
use crate::session;
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::inputs;
use crate::spec::language::Languages;
use crate::spec::outputs;
use crate::spec::plan::{self, CheckerPlan, ContestantPlan, InteractorPlan, Plan};
use crate::spec::problem::{Problem, Test};
use crate::spec::resolve::{resolve, source_or_program};
use crate::spec::shell::quote;
use crate::transcript::amount::counted;
use crate::verdict::Policy;

/// What the help says at its end.
const AFTER_HELP: &str = "\
Programs may be executables, scripts, or sources in C, C++, Rust, Python, Java, JavaScript or Go, \
which are compiled and cached. A TIME is such as 1.5s or 200ms, a SIZE such as 256MiB or 64KiB.

Exit status: 0 accepted or points, 1 any other verdict on the contestant, 2 a mistake in the \
command line or the problem, 3 judge-error, 4 internal-error, 128 + n interrupted by signal n.

Examples:
  rejoinder run problems/guess-number binary_search.py
  rejoinder run problems/guess-number ./mine.cpp --test 03 --transcript talk
  rejoinder run --interactor ./judge.py --input 1.in -- ./solution --fast";

/// Run a solution against its problem's interactor, or any contestant against any interactor
#[derive(Debug, Args)]
#[command(
    override_usage = "rejoinder run PROBLEM SOLUTION [OPTIONS]\n       \
        rejoinder run --interactor COMMAND --input FILE [OPTIONS] -- CONTESTANT [ARGUMENTS]",
    after_help = AFTER_HELP
)]
pub(super) struct Run {
    /// The problem's folder: with a problem.toml, or an ICPC or Polygon package
    problem: Option<PathBuf>,
    /// A solution: a file, or its name in the problem
    solution: Option<PathBuf>,
    /// Only this test of the problem (may be repeated) [default: all, up to the first that fails]
    #[arg(long = "test", value_name = "NAME")]
    tests: Vec<String>,

    /// The interactor: a program or source, with arguments, as one word
    #[arg(long, value_name = "COMMAND")]
    interactor: Option<OsString>,
    /// The test's input, for the interactor
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The test's answer, for the interactor
    #[arg(long, value_name = "FILE")]
    answer: Option<PathBuf>,
    /// How the interactor is started and says what it decided [default: testlib]
    #[arg(long, value_enum, value_name = "NAME")]
    protocol: Option<ProtocolName>,
    /// How often both programs are run if the interactor asks for it by `nextpass.in` (protocol icpc)
    #[arg(long, value_name = "NUMBER")]
    passes: Option<u32>,
    /// The contestant and its arguments
    #[arg(last = true, value_name = "CONTESTANT")]
    command: Vec<OsString>,
    /// A file or folder that the contestant may read, besides its own program (may be repeated)
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// A file or folder that the interactor may read, besides its own program and test (may be
    /// repeated)
    #[arg(long, value_name = "PATH")]
    interactor_read: Vec<PathBuf>,
    /// A table of languages that adds to the built-in one, or overrides it
    #[arg(
        long,
        value_name = "FILE",
        env = "REJOINDER_LANGUAGES",
        hide_env_values = true
    )]
    languages: Option<PathBuf>,

    /// Write the whole dialogue, with times and events, to this file (see `rejoinder show`)
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Copy what the interactor wrote (its output file or feedback folder) to this place
    #[arg(long, value_name = "PATH")]
    keep_output: Option<PathBuf>,
    /// Print one JSON object for each test instead of the report (see docs/json.md)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: ContestantLimits,
    #[command(flatten)]
    interactor_limits: InteractorLimits,
    #[command(flatten)]
    manner: Manner,
}

impl Run {
    pub(super) fn execute(&self) -> Result<u8> {
        interrupts::catch()?;
        // Without a pid namespace the daemons of a program that has ended are handed to us, and not
        // to whoever started us, who may never reap them. It only matters where that is so.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        let languages = match &self.languages {
            Some(file) => Languages::with_file(file)?,
            None => Languages::builtin(),
        };
        let cache = Cache::open()?;
        let plans = match &self.problem {
            Some(problem) => {
                let solution = self.solution_for(problem)?;
                self.of_problem(problem, solution, &languages, &cache)?
            }
            None => vec![self.of_commands(&languages, &cache)?],
        };
        self.play(&plans)
    }

    /// The solution, if the words on the command line are a problem and a solution.
    fn solution_for(&self, problem: &Path) -> Result<&Path> {
        let given = [
            ("--interactor", self.interactor.is_some()),
            ("--input", self.input.is_some()),
            ("--answer", self.answer.is_some()),
            ("a contestant after `--`", !self.command.is_empty()),
        ];
        let given = given.into_iter().find(|(_, given)| *given);
        match (&self.solution, given) {
            (Some(solution), None) => Ok(solution),
            (None, None) => Err(Error::usage(format!(
                "a problem's folder needs a solution: write `rejoinder run {0} SOLUTION`",
                quote(problem)
            ))),
            (None, Some(_)) if self.command.is_empty() => Err(Error::usage(format!(
                "{} is in the place of a problem's folder: write `--` before a contestant",
                shown(problem)
            ))),
            (_, Some((what, _))) => Err(Error::usage(format!(
                "{what} cannot be combined with a problem's folder ({}), which names its own",
                shown(problem)
            ))),
        }
    }

    /// Runs the plans in turn, up to the first that is not accepted.
    fn play(&self, plans: &[Plan]) -> Result<u8> {
        let mut status = 0;
        for (number, plan) in plans.iter().enumerate() {
            let outcome = session::run(plan)?;
            let last = number + 1 == plans.len();
            status = exit_status(&outcome);
            let print = |text: &str| super::print(text).map_err(|e| untold(e, &outcome));
            if self.json {
                print(&(report::json::render(&outcome) + "\n"))?;
            } else if last || status != 0 {
                if plans.len() > 1 {
                    print("\n")?;
                }
                let options = report::terminal::Options::default();
                print(&report::terminal::render(
                    &outcome,
                    super::width(),
                    &options,
                ))?;
            } else {
                print(&progress(&outcome))?;
            }
            if status != 0 {
                if !last && !self.json {
                    let left = plans.len() - number - 1;
                    let were = if left == 1 { "was" } else { "were" };
                    let left = counted(left as u64, "more test");
                    print(&format!("{left} {were} not run.\n"))?;
                }
                break;
            }
        }
        Ok(status)
    }

    /// The source or program that is meant: a file, or one of the problem's by its name or path.
    fn source(&self, problem: &Problem, folder: &Path, solution: &Path) -> Result<PathBuf> {
        if solution.is_file() {
            return Ok(solution.to_owned());
        }
        let found = problem.solution(&solution.to_string_lossy());
        let in_problem = folder.join(solution);
        let given = [solution, &in_problem];
        match (found, given.into_iter().find(|path| path.is_dir())) {
            (Ok(found), _) => Ok(found.path.clone()),
            (Err(error), None) => Err(error),
            // A program of several files is a folder.
            (Err(_), Some(given)) => {
                let real = given.canonicalize().ok();
                let same = |path: &Path| real.is_some() && path.canonicalize().ok() == real;
                let listed = problem.solutions.iter().find(|s| same(&s.path));
                listed.map(|found| found.path.clone()).ok_or_else(|| {
                    let given = shown(given);
                    Error::usage(format!(
                        "{given} is a folder, and not a solution: name a file in it"
                    ))
                })
            }
        }
    }

    fn of_problem(
        &self,
        folder: &Path,
        solution: &Path,
        languages: &Languages,
        cache: &Cache,
    ) -> Result<Vec<Plan>> {
        let problem = Problem::load(folder)?;
        super::warn(&problem);
        let source = self.source(&problem, folder, solution)?;
        let tests: Vec<&Test> = match self.tests.is_empty() {
            true => problem.tests.iter().collect(),
            false => self
                .tests
                .iter()
                .map(|name| problem.test(name))
                .collect::<Result<_>>()?,
        };
        if tests.len() > 1 {
            for (flag, given) in [
                ("--transcript", self.transcript.is_some()),
                ("--keep-output", self.keep_output.is_some()),
            ] {
                if given {
                    return Err(Error::usage(format!(
                        "{flag} names one file, but {} tests would be run: choose one with --test",
                        tests.len()
                    )));
                }
            }
        }
        let interactor = source_or_program(&problem.interactor, languages, cache)?;
        let contestant = source_or_program(&source, languages, cache)?;
        let checker = problem.checker.as_deref();
        let checker = checker.map(|path| source_or_program(path, languages, cache));
        let checker = checker.transpose()?;
        let tests_files = problem.tests.iter().flat_map(|test| {
            let answer = test.answer.clone();
            std::iter::once(test.input.clone()).chain(answer)
        });
        let mut sources: Vec<PathBuf> = tests_files.collect();
        sources.extend([source.clone(), problem.interactor.clone()]);
        sources.extend(problem.checker.clone());
        let files = ["problem.toml", "problem.yaml", "problem.xml"];
        sources.extend(files.map(|name| problem.folder.join(name)));
        let base = (
            problem.contestant_limits.clone(),
            problem.interactor_limits.clone(),
        );
        tests
            .into_iter()
            .map(|test| {
                self.plan(Pair {
                    title: format!("{}, test {}, {}", problem.name, test.name, contestant.shown),
                    contestant: contestant.clone(),
                    interactor: interactor.clone(),
                    limits: base.clone(),
                    protocol: self.protocol.map_or(problem.protocol, Into::into),
                    input: test.input.clone(),
                    answer: test.answer.clone(),
                    extra_args: test.interactor_args.iter().map(OsString::from).collect(),
                    passes: problem.passes,
                    checker: checker.clone(),
                    policy: problem.policy,
                    session: problem.session,
                    channel: problem.channel,
                    sources: sources.clone(),
                })
            })
            .collect()
    }

    fn of_commands(&self, languages: &Languages, cache: &Cache) -> Result<Plan> {
        if !self.tests.is_empty() {
            return Err(Error::usage(
                "--test chooses a test of a problem, but there is no problem: write `rejoinder run \
                 PROBLEM SOLUTION --test NAME`",
            ));
        }
        let (Some(interactor), Some(input), false) =
            (&self.interactor, &self.input, self.command.is_empty())
        else {
            return Err(self.incomplete());
        };
        let input = inputs::input_file("input file", input)?;
        let answer = self
            .answer
            .as_deref()
            .map(|path| inputs::input_file("answer file", path));
        let interactor_words = flags::words("--interactor", interactor)?;
        let interactor = resolve(&interactor_words, languages, cache)?;
        let contestant = resolve(&self.command, languages, cache)?;
        let first_words = interactor_words
            .first()
            .into_iter()
            .chain(self.command.first());
        let sources = first_words.map(PathBuf::from).collect();
        self.plan(Pair {
            title: format!("{} with {}", contestant.shown, interactor.shown),
            contestant,
            interactor,
            limits: flags::default_limits(),
            protocol: self.protocol.map_or_else(Default::default, Into::into),
            input,
            answer: answer.transpose()?,
            extra_args: Vec::new(),
            passes: 1,
            checker: None,
            policy: Policy::default(),
            session: None,
            channel: None,
            sources,
        })
    }

    /// What is missing of a run without a problem.
    fn incomplete(&self) -> Error {
        let wanted = [
            ("--interactor", self.interactor.is_none()),
            ("--input", self.input.is_none()),
            ("a contestant after `--`", self.command.is_empty()),
        ];
        let missing = wanted.into_iter().filter(|(_, missing)| *missing);
        let missing: Vec<&str> = missing.map(|(what, _)| what).collect();
        Error::usage(match missing.as_slice() {
            [one] => format!("{one} is missing"),
            [one, another] => format!("{one} and {another} are missing"),
            _ => "say what to run: a problem folder and a solution, or --interactor, --input and, \
                  after `--`, the contestant"
                .to_owned(),
        })
    }

    fn plan(&self, pair: Pair) -> Result<Plan> {
        let limits = self.limits.over(&pair.limits.0);
        let interactor_limits = self.interactor_limits.over(&pair.limits.1);
        let session = self
            .manner
            .session(pair.session, &limits, &interactor_limits);
        let contestant = inputs::with_reads(pair.contestant, &self.read)?;
        let interactor = inputs::with_reads(pair.interactor.with_imports(), &self.interactor_read)?;
        let mut used = pair.sources;
        used.push(pair.input.clone());
        used.extend(pair.answer.clone());
        used.extend(
            [&contestant, &interactor]
                .iter()
                .flat_map(|c| c.reads.clone()),
        );
        let transcript = self.transcript.as_deref();
        let transcript = transcript.map(|path| outputs::transcript(path, &used));
        let keep_output = self.keep_output.as_deref();
        let keep_output = keep_output.map(|path| outputs::kept(path, pair.protocol, &used));
        let (transcript, keep_output) = (transcript.transpose()?, keep_output.transpose()?);
        if transcript.is_some() && transcript == keep_output {
            return Err(Error::usage(
                "--transcript and --keep-output name the same file",
            ));
        }
        let passes = plan::passes(self.passes.unwrap_or(pair.passes), pair.protocol)
            .map_err(|why| Error::usage(format!("--passes {why}")))?;
        plan::checker(pair.checker.is_some(), pair.protocol)
            .map_err(|why| Error::usage(format!("the problem's checker {why}")))?;
        let checker = pair.checker.map(|command| CheckerPlan {
            command,
            limits: interactor_limits.clone(),
        });
        Ok(Plan {
            title: pair.title,
            contestant: ContestantPlan {
                command: contestant,
                limits,
            },
            interactor: InteractorPlan {
                command: interactor,
                limits: interactor_limits,
                protocol: pair.protocol,
                input: pair.input,
                answer: pair.answer,
                extra_args: pair.extra_args,
                passes,
                checker,
                keep_output,
            },
            channel: self.manner.channel(pair.channel),
            cpus: self.manner.place.cpu_set.clone(),
            isolation: self.manner.place.isolation(),
            require: self.manner.place.require()?,
            session,
            policy: self.manner.policy(pair.policy),
            explain: self.manner.place.explain(),
            transcript,
        })
    }
}

/// What the two ways of naming a run have in common.
struct Pair {
    title: String,
    contestant: Command,
    interactor: Command,
    limits: (crate::spec::limits::Limits, crate::spec::limits::Limits),
    protocol: crate::spec::protocol::Protocol,
    input: PathBuf,
    answer: Option<PathBuf>,
    extra_args: Vec<OsString>,
    passes: u32,
    checker: Option<Command>,
    policy: Policy,
    session: Option<std::time::Duration>,
    channel: Option<crate::spec::plan::ChannelKind>,
    /// Files of the problem and of the programs that the plan does not name.
    sources: Vec<PathBuf>,
}
