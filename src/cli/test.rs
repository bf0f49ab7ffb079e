//! `rejoinder test`: all solutions of a problem on all its tests, against what is expected of them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::flags::Manner;
use super::listing;
use super::matrix_output::{Output, Target};
use crate::error::{Context, Error, Result, shown, unreadable};
use crate::interrupts;
use crate::matrix::cells::cells;
use crate::matrix::prepare::{Made, make_all};
use crate::matrix::record::{self, Frame, FrameSolution, NotRun, Record, read_lines};
use crate::matrix::workers::{self, Answer, News};
use crate::matrix::{Cell, Partition, Summary};
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::expectation::permitted;
use crate::spec::job::Job;
use crate::spec::language::Languages;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::nearest::listed;
use crate::spec::pattern::matches_name;
use crate::spec::plan::{CheckerPlan, ContestantPlan, InteractorPlan, Plan};
use crate::spec::problem::{Problem, Solution, Test as ProblemTest};
use crate::spec::resolve::source_or_program;

/// What the help says at its end.
const AFTER_HELP: &str = "\
A GLOB is a name in which `*` stands for any letters and `?` for one. What is expected of a solution \
is in the problem: a good one is accepted on every test, a bad one fails on at least one, and \
only in the way that is expected.

Exit status: 0 if every solution does what is expected of it, 1 if one does not, 2 a mistake in \
the command line or the problem, 4 internal-error, 128 + n interrupted by signal n.

Examples:
  rejoinder test problems/guess-number
  rejoinder test problems/guess-number -j 4 --solution '*.py' --test '0*'
  rejoinder test problems/guess-number --partition 1/2 --json > part-1
  rejoinder test --merge part-1 part-2";

/// Run all solutions of a problem on all its tests, and see whether each behaves as it should
#[derive(Debug, Args)]
#[command(
    override_usage = "rejoinder test PROBLEM [OPTIONS]\n       rejoinder test --merge FILE...",
    after_help = AFTER_HELP
)]
pub(super) struct Test {
    /// The problem's folder: with a problem.toml, or an ICPC or Polygon package
    problem: Option<PathBuf>,
    /// Sessions at a time, each on a CPU of its own [default: as many as there are CPUs]
    #[arg(short, long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    jobs: Option<u32>,
    /// Only solutions of such a name (may be repeated)
    #[arg(long = "solution", value_name = "GLOB")]
    solutions: Vec<String>,
    /// Only tests of such a name (may be repeated)
    #[arg(long = "test", value_name = "GLOB")]
    tests: Vec<String>,
    /// Run everything so often; a verdict that changes is a surprise
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count, allow_hyphen_values = true)]
    repeat: u32,
    /// Run everything again and again, up to the first surprise
    #[arg(long, conflicts_with_all = ["repeat", "partition"])]
    until_failure: bool,
    /// End at the first surprise
    #[arg(long)]
    fail_fast: bool,
    /// Only this share of the sessions, such as `1/3`; see --merge
    #[arg(long, value_name = "I/N")]
    partition: Option<Partition>,
    /// Put the results of partitions together, from their --json
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["problem", "jobs", "solutions", "tests", "repeat", "until_failure", "fail_fast", "partition"])]
    merge: Vec<PathBuf>,
    /// Give contestants so many times their time limits
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor, allow_hyphen_values = true)]
    time_factor: Option<f64>,
    /// Leave out solutions in languages that are not installed
    #[arg(long)]
    allow_missing: bool,
    /// Print what was found in the problem, and run nothing
    #[arg(long)]
    list: bool,
    /// Keep all transcripts in this folder [default: those of surprises, in the cache]
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
    /// A table of languages that adds to the built-in one, or overrides it
    #[arg(
        long,
        value_name = "FILE",
        env = "REJOINDER_LANGUAGES",
        hide_env_values = true
    )]
    languages: Option<PathBuf>,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    manner: Manner,
}

fn parse_count(text: &str) -> std::result::Result<u32, String> {
    match text.parse::<u32>() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err(format!(
            "`{text}` is no such number: write a whole number from 1 on"
        )),
    }
}

fn parse_factor(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (0.001..=1000.0).contains(&factor) => Ok(factor),
        _ => Err(format!(
            "`{text}` is no such factor: write a number such as `2` or `1.5`"
        )),
    }
}

impl Test {
    pub(super) fn execute(&self) -> Result<u8> {
        interrupts::catch()?;
        let Some(folder) = &self.problem else {
            return match self.merge.as_slice() {
                [] => Err(Error::usage(
                    "there is no problem to test: write `rejoinder test PROBLEM`",
                )),
                files => self.put_together(files),
            };
        };
        let languages = match &self.languages {
            Some(file) => Languages::with_file(file)?,
            None => Languages::builtin(),
        };
        let problem = Problem::load(folder)?;
        let solutions = chosen("solution", &problem.solutions, &self.solutions, |s| &s.name)?;
        let tests = chosen("test", &problem.tests, &self.tests, |test| &test.name)?;
        if self.list {
            let list = match self.target.json {
                true => listing::json(&problem, &solutions, &tests),
                false => listing::text(&problem, &solutions, &tests),
            };
            return super::print(&list).map(|()| 0);
        }
        super::warn(&problem);
        if solutions.is_empty() {
            return Err(Error::usage(format!(
                "the problem `{}` has no solutions to test: {}",
                problem.name,
                problem.without_solutions()
            )));
        }
        let cache = Cache::open()?;
        Matrix {
            flags: self,
            require: self.manner.place.require()?,
            problem: &problem,
            solutions,
            tests,
            languages: &languages,
            cache: &cache,
        }
        .run()
    }

    /// How many sessions run at a time.
    fn at_once(&self) -> usize {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or(cpus, |jobs| jobs as usize)
    }

    /// Sums up what partitions have recorded.
    fn put_together(&self, files: &[PathBuf]) -> Result<u8> {
        let mut whole: Option<Frame> = None;
        let mut records = Vec::new();
        for path in files {
            let text = std::fs::read(path).map_err(|e| unreadable("results", path, &e))?;
            let (frame, part) = read_lines(&text)
                .map_err(|what| Error::usage(format!("the results {}: {what}", shown(path))))?;
            match &mut whole {
                None => whole = Some(frame),
                Some(whole) if whole.is_of_the_same(&frame) => whole.add(frame),
                Some(_) => {
                    return Err(Error::usage(format!(
                        "the results {} are of other solutions or tests than those in {}",
                        shown(path),
                        shown(&files[0])
                    )));
                }
            }
            records.extend(part);
        }
        let mut output = Output::begin(&self.target, &whole.unwrap_or_default(), 0)?;
        for record in records {
            output.ended(record)?;
        }
        output.finish().map(|summary| status(&summary))
    }
}

/// 0 if everything is as expected.
fn status(summary: &Summary) -> u8 {
    u8::from(!summary.holds())
}

/// Those of a list whose names one of the patterns means, or all if there is no pattern.
fn chosen<'a, T>(
    what: &str,
    all: &'a [T],
    patterns: &[String],
    name: impl Fn(&T) -> &String,
) -> Result<Vec<&'a T>> {
    for pattern in patterns {
        if !all.iter().any(|one| matches_name(pattern, name(one))) {
            let names = all.iter().take(20).map(|one| name(one).as_str());
            return Err(Error::usage(format!(
                "no {what} is called `{pattern}`: there are {}",
                listed(names)
            )));
        }
    }
    let wanted =
        |one: &&T| patterns.is_empty() || patterns.iter().any(|p| matches_name(p, name(one)));
    Ok(all.iter().filter(wanted).collect())
}

/// What is to be run, and with what.
struct Matrix<'a> {
    flags: &'a Test,
    require: Vec<Layer>,
    problem: &'a Problem,
    solutions: Vec<&'a Solution>,
    tests: Vec<&'a ProblemTest>,
    languages: &'a Languages,
    cache: &'a Cache,
}

/// The programs of the jury.
struct Jury {
    interactor: Command,
    checker: Option<Command>,
}

impl Matrix<'_> {
    /// Makes programs of the jury's sources.
    fn jury(&self) -> Result<Jury> {
        let made = |path: &Path| source_or_program(path, self.languages, self.cache);
        Ok(Jury {
            interactor: made(&self.problem.interactor)?.with_imports(),
            checker: self.problem.checker.as_deref().map(made).transpose()?,
        })
    }

    fn run(&self) -> Result<u8> {
        let flags = self.flags;
        let jury = self.jury()?;
        let sources: Vec<&Path> = self.solutions.iter().map(|s| s.path.as_path()).collect();
        let made = make_all(&sources, flags.at_once(), self.languages, self.cache)?;
        let frame = self.frame(&made);
        let rounds = if flags.until_failure {
            u32::MAX
        } else {
            flags.repeat
        };
        let partition = flags.partition.unwrap_or_default();
        let all = |repeat| {
            let all = cells(self.solutions.len(), self.tests.len(), repeat, partition);
            let runs = |cell: &Cell| matches!(made[cell.solution], Made::Program(_));
            all.into_iter().filter(runs).collect::<Vec<_>>()
        };
        let folder = self.transcripts()?;
        let count = if flags.until_failure {
            0
        } else {
            all(rounds).len()
        };
        let mut output = Output::begin(&flags.target, &frame, count)?;
        let run = |cells: &[Cell], output: &mut Output| {
            workers::run(
                cells,
                flags.at_once(),
                |cell| match &made[cell.solution] {
                    Made::Program(program) => {
                        Job::of(&self.plan(cell, program, &jury, folder.as_deref()))
                    }
                    Made::Failed(why) | Made::Missing(why) => Err(Error::usage(why)),
                },
                |news| self.told(news, folder.as_deref(), output),
            )
        };
        let mut result = Ok(());
        if flags.until_failure {
            let once = all(1);
            let mut rounds = (1..=u32::MAX).take_while(|_| !once.is_empty());
            while result.is_ok() && !output.has_surprises() {
                let Some(repeat) = rounds.next() else { break };
                let round: Vec<Cell> = once.iter().map(|cell| Cell { repeat, ..*cell }).collect();
                result = run(&round, &mut output);
            }
        } else {
            result = run(&all(flags.repeat), &mut output);
        }
        // What is done is told, whatever ended the rest.
        if output.is_empty() && result.is_err() {
            return result.map(|()| 0);
        }
        let summary = output.finish()?;
        result.map(|()| status(&summary))
    }

    /// What the results are of.
    fn frame(&self, made: &[Made]) -> Frame {
        let solutions = self.solutions.iter().zip(made);
        Frame {
            version: record::VERSION,
            problem: self.problem.name.clone(),
            tests: self.tests.iter().map(|test| test.name.clone()).collect(),
            repeats: if self.flags.until_failure {
                0
            } else {
                self.flags.repeat
            },
            solutions: solutions
                .map(|(solution, made)| FrameSolution {
                    name: solution.name.clone(),
                    expected: solution.expected.clone(),
                    rules: solution.rules.clone(),
                    not_run: match made {
                        Made::Program(_) => None,
                        Made::Failed(why) => Some(NotRun {
                            why: why.clone(),
                            allowed: false,
                        }),
                        Made::Missing(why) => Some(NotRun {
                            why: why.clone(),
                            allowed: self.flags.allow_missing,
                        }),
                    },
                })
                .collect(),
        }
    }

    /// Where transcripts are written: where they were asked for, or in the cache.
    fn transcripts(&self) -> Result<Option<PathBuf>> {
        let folder = match &self.flags.transcripts {
            Some(folder) => folder.clone(),
            None if self.cache.is_temporary() => return Ok(None),
            None => {
                let name = file_name(&self.problem.name);
                self.cache.folder().join("transcripts").join(name)
            }
        };
        let make = || format!("make the folder {} for transcripts", shown(&folder));
        std::fs::create_dir_all(&folder).context(make)?;
        // Whoever carries a session out may stand elsewhere.
        std::path::absolute(&folder).context(make).map(Some)
    }

    fn transcript(&self, cell: Cell, folder: &Path) -> PathBuf {
        let solution = file_name(&self.solutions[cell.solution].name);
        let test = file_name(&self.tests[cell.test].name);
        let repeat = match cell.repeat {
            1 => String::new(),
            repeat => format!(".{repeat}"),
        };
        folder.join(format!("{solution}.{test}{repeat}.transcript"))
    }

    fn plan(
        &self,
        cell: Cell,
        contestant: &Command,
        jury: &Jury,
        transcripts: Option<&Path>,
    ) -> Plan {
        let (problem, manner) = (self.problem, &self.flags.manner);
        let test = self.tests[cell.test];
        let limits = self.contestant_limits();
        Plan {
            title: format!(
                "{}, test {}, {}",
                problem.name, test.name, self.solutions[cell.solution].name
            ),
            session: manner.session(problem.session, &limits, &problem.interactor_limits),
            contestant: ContestantPlan {
                command: contestant.clone(),
                limits,
            },
            interactor: InteractorPlan {
                command: jury.interactor.clone(),
                limits: problem.interactor_limits.clone(),
                protocol: problem.protocol,
                input: test.input.clone(),
                answer: test.answer.clone(),
                extra_args: test.interactor_args.iter().map(Into::into).collect(),
                passes: problem.passes,
                checker: jury.checker.as_ref().map(|command| CheckerPlan {
                    command: command.clone(),
                    limits: problem.interactor_limits.clone(),
                }),
                keep_output: None,
            },
            channel: manner.channel(problem.channel),
            cpus: manner.place.cpu_set.clone(),
            isolation: manner.place.isolation(),
            require: self.require.clone(),
            policy: manner.policy(problem.policy),
            explain: manner.place.explain(),
            transcript: transcripts.map(|folder| self.transcript(cell, folder)),
        }
    }

    fn contestant_limits(&self) -> Limits {
        let limits = &self.problem.contestant_limits;
        let factor = self.flags.time_factor.unwrap_or(1.0);
        Limits {
            cpu: limits.cpu.mul_f64(factor),
            wall: limits.wall.mul_f64(factor),
            idle: limits.idle.mul_f64(factor),
            ..limits.clone()
        }
    }

    /// Takes in what is heard of a session; false if no more are to be begun.
    fn told(&self, news: News, folder: Option<&Path>, output: &mut Output) -> Result<bool> {
        let (cell, answer) = match news {
            News::Begun(cell) => {
                let (solution, test) = (self.solutions[cell.solution], self.tests[cell.test]);
                output.begun(&solution.name, &test.name);
                return Ok(true);
            }
            News::Ended(cell, answer) => (cell, answer),
        };
        let mut record = self.record(cell, answer);
        let path = folder.map(|folder| self.transcript(cell, folder));
        if let Some(path) = path.filter(|path| path.exists()) {
            match self.flags.transcripts.is_some() || !record.may_be() {
                true => record.transcript = Some(path.to_string_lossy().into_owned()),
                // That it cannot be removed harms nothing.
                false => drop(std::fs::remove_file(path)),
            }
        }
        let is_surprise = !record.may_be();
        output.ended(record)?;
        Ok(!(is_surprise && self.flags.fail_fast))
    }

    fn record(&self, cell: Cell, answer: Answer) -> Record {
        let (solution, test) = (self.solutions[cell.solution], self.tests[cell.test]);
        let mut record = Record {
            version: record::VERSION,
            problem: self.problem.name.clone(),
            solution: solution.name.clone(),
            test: test.name.clone(),
            repeat: cell.repeat,
            expected: solution.expected.clone(),
            permitted: permitted(&solution.rules, &test.name),
            cpu_limit_ms: self.contestant_limits().cpu.as_secs_f64() * 1000.0,
            ..Record::default()
        };
        match answer {
            Answer::Report(report, read) => {
                let contestant = read.contestant();
                record.verdict = read.verdict;
                record.reason = read.reason;
                record.message = read.message;
                record.score = read.score;
                record.cpu_ms = contestant.cpu_ms;
                record.memory_kib = contestant.memory_kib;
                record.messages = contestant.messages;
                record.elapsed_ms = read.elapsed_ms;
                record.report = Some(report);
            }
            Answer::Failed(why) => record.reason = why,
        }
        record
    }
}

/// A name as that of a file.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c == '/' || c.is_control() { '-' } else { c };
    name.chars().map(plain).collect()
}
