//! `rejoinder run`: one solution on one test of a problem, or on all; or any pair of programs.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Args;

use super::flags::{self, ContestantLimits, InteractorLimits, Manner, ProtocolName};
use crate::error::{Error, Result, shown};
use crate::interrupts;
use crate::outcome::Outcome;
use crate::report;
use crate::session;
use crate::spec::build::build;
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::language::Languages;
use crate::spec::plan::{ContestantPlan, InteractorPlan, Plan};
use crate::spec::problem::{Problem, Test};
use crate::spec::resolve::{resolve, resolve_file};
use crate::verdict::{Policy, Verdict};

/// Run a solution against its problem's interactor, or any contestant against any interactor
///
///   rejoinder run PROBLEM SOLUTION [--test NAME]
///
///   rejoinder run --interactor COMMAND --input FILE [--answer FILE] -- CONTESTANT [ARGUMENTS]
///
/// Programs may be executables, scripts, or sources in C, C++, Rust, Python, Java, JavaScript or
/// Go, which are compiled and cached. Exit status: 0 accepted or points, 1 any other verdict on
/// the contestant, 2 a mistake in the command line or the problem, 3 judge-error, 4
/// internal-error, 128 + n when interrupted by signal n.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(super) struct Run {
    /// The problem's folder (with a problem.toml)
    #[arg(conflicts_with = "command", requires = "solution")]
    problem: Option<PathBuf>,
    /// A solution: a file, or its name in problem.toml
    solution: Option<PathBuf>,
    /// Only this test of the problem (may be repeated) [default: all, up to the first that fails]
    #[arg(long = "test", value_name = "NAME", requires = "problem")]
    tests: Vec<String>,

    /// The interactor: a program or source, with arguments, as one word
    #[arg(long, value_name = "COMMAND")]
    interactor: Option<String>,
    /// The test's input, for the interactor
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The test's answer, for the interactor
    #[arg(long, value_name = "FILE", requires = "input")]
    answer: Option<PathBuf>,
    /// How the interactor is started and says what it decided [default: testlib]
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// The contestant and its arguments
    #[arg(last = true, value_name = "CONTESTANT")]
    command: Vec<OsString>,
    /// A file or folder that the contestant may read, besides its own program (may be repeated)
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// A file or folder that the interactor may read, besides its own program and test
    #[arg(long, value_name = "PATH")]
    interactor_read: Vec<PathBuf>,
    /// A table of languages that adds to the built-in one, or overrides it
    #[arg(long, value_name = "FILE", env = "REJOINDER_LANGUAGES")]
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
        let plans = match (&self.problem, &self.solution) {
            (Some(problem), Some(solution)) => {
                self.of_problem(problem, solution, &languages, &cache)?
            }
            _ => vec![self.of_commands(&languages, &cache)?],
        };
        self.play(&plans)
    }

    /// Runs the plans in turn, up to the first that is not accepted.
    fn play(&self, plans: &[Plan]) -> Result<u8> {
        let mut status = 0;
        for (number, plan) in plans.iter().enumerate() {
            let outcome = session::run(plan)?;
            let last = number + 1 == plans.len();
            status = exit_status(&outcome);
            if self.json {
                super::print(&(report::json::render(&outcome) + "\n"))?;
            } else if last || status != 0 {
                if plans.len() > 1 {
                    super::print("\n")?;
                }
                let options = report::terminal::Options::default();
                super::print(&report::terminal::render(
                    &outcome,
                    super::width(),
                    &options,
                ))?;
            } else {
                super::print(&progress(&outcome))?;
            }
            if status != 0 {
                if !last && !self.json {
                    let left = plans.len() - number - 1;
                    super::print(&format!("{left} more tests were not run.\n"))?;
                }
                break;
            }
        }
        Ok(status)
    }

    fn of_problem(
        &self,
        folder: &Path,
        solution: &Path,
        languages: &Languages,
        cache: &Cache,
    ) -> Result<Vec<Plan>> {
        for (flag, given) in [
            ("--interactor", self.interactor.is_some()),
            ("--input", self.input.is_some()),
        ] {
            if given {
                return Err(Error::usage(format!(
                    "{flag} cannot be combined with a problem folder, which names its own"
                )));
            }
        }
        let problem = Problem::load(folder)?;
        let source = match solution.is_file() {
            true => solution.to_owned(),
            false => problem.solution(&solution.to_string_lossy())?.path.clone(),
        };
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
        let interactor = one_file(&problem.interactor, languages, cache)?;
        let contestant = one_file(&source, languages, cache)?;
        let extra: Vec<OsString> = problem.interactor_args.iter().map(OsString::from).collect();
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
                    extra_args: extra.clone(),
                    policy: problem.policy,
                    session: problem.session,
                    channel: problem.channel,
                })
            })
            .collect()
    }

    fn of_commands(&self, languages: &Languages, cache: &Cache) -> Result<Plan> {
        let (Some(interactor), Some(input)) = (&self.interactor, &self.input) else {
            return Err(Error::usage(
                "say what to run: a problem folder and a solution, or --interactor, --input and, \
                 after `--`, the contestant",
            ));
        };
        let input = flags::input_file("input file", input)?;
        let answer = self
            .answer
            .as_deref()
            .map(|path| flags::input_file("answer file", path));
        let interactor = resolve(&flags::words("--interactor", interactor)?, languages, cache)?;
        let contestant = resolve(&self.command, languages, cache)?;
        self.plan(Pair {
            title: format!("{} with {}", contestant.shown, interactor.shown),
            contestant,
            interactor,
            limits: flags::default_limits(),
            protocol: self.protocol.map_or_else(Default::default, Into::into),
            input,
            answer: answer.transpose()?,
            extra_args: Vec::new(),
            policy: Policy::default(),
            session: None,
            channel: None,
        })
    }

    fn plan(&self, pair: Pair) -> Result<Plan> {
        let limits = self.limits.over(&pair.limits.0);
        let interactor_limits = self.interactor_limits.over(&pair.limits.1);
        let session = self
            .manner
            .session(pair.session, &limits, &interactor_limits);
        Ok(Plan {
            title: pair.title,
            contestant: ContestantPlan {
                command: with_reads(pair.contestant, &self.read)?,
                limits,
            },
            interactor: InteractorPlan {
                command: with_reads(pair.interactor, &self.interactor_read)?,
                limits: interactor_limits,
                protocol: pair.protocol,
                input: pair.input,
                answer: pair.answer,
                extra_args: pair.extra_args,
                keep_output: self.keep_output.clone(),
            },
            channel: self.manner.channel(pair.channel),
            cpus: self.manner.cpu_set.clone(),
            isolation: self.manner.isolation(),
            session,
            policy: self.manner.policy(pair.policy),
            transcript: self
                .transcript
                .as_deref()
                .map(transcript_file)
                .transpose()?,
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
    policy: Policy,
    session: Option<std::time::Duration>,
    channel: Option<crate::spec::plan::ChannelKind>,
}

/// A source, built, or a program as it is.
fn one_file(path: &Path, languages: &Languages, cache: &Cache) -> Result<Command> {
    match languages.of_source(path) {
        Some(_) => build(path, languages, cache),
        None => resolve_file(path, &[], languages, cache),
    }
}

fn with_reads(mut command: Command, more: &[PathBuf]) -> Result<Command> {
    for path in more {
        let real = path.canonicalize();
        let real = real.map_err(|e| crate::error::unreadable("file or folder", path, &e))?;
        command.reads.push(real);
    }
    Ok(command)
}

/// A transcript is written while the programs run, so it must not be able to hold them up.
fn transcript_file(path: &Path) -> Result<PathBuf> {
    if std::fs::metadata(path).is_ok_and(|m| m.file_type().is_fifo()) {
        return Err(Error::usage(format!(
            "cannot write the transcript to {}: a named pipe would block the run",
            shown(path)
        )));
    }
    Ok(path.to_owned())
}

fn exit_status(outcome: &Outcome) -> u8 {
    match outcome.interrupted {
        Some(signal) => 128u8.saturating_add(signal as u8),
        None => outcome.judgement.verdict.exit_status(),
    }
}

/// One line for a test that is not the last.
fn progress(outcome: &Outcome) -> String {
    let good = matches!(
        outcome.judgement.verdict,
        Verdict::Accepted | Verdict::Points
    );
    let colour = if good {
        AnsiColor::Green
    } else {
        AnsiColor::Red
    };
    let style = match std::io::stdout().is_terminal() {
        true => colour.on_default(),
        false => Style::new(),
    };
    let contestant = &outcome.contestant;
    format!(
        "{style}{:2}{style:#}  {}  ({} messages, {} of CPU time)\n",
        outcome.judgement.verdict.letters(),
        outcome.title,
        contestant.messages,
        crate::units::show_duration(contestant.cpu),
    )
}
