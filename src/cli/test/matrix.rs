//! The sessions of chosen solutions on chosen tests: what each is given, and what becomes of it.

use std::path::{Path, PathBuf};

use super::transcripts::Transcripts;
use super::{Test, status};
use crate::cli::matrix_output::Output;
use crate::error::{Error, Result};
use crate::matrix::Cell;
use crate::matrix::cells::cells;
use crate::matrix::prepare::{Made, make_all};
use crate::matrix::record::{self, Frame, FrameSolution, NotRun, Record};
use crate::matrix::workers::{self, Answer, News};
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::expectation::permitted;
use crate::spec::job::Job;
use crate::spec::language::Languages;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::plan::{CheckerPlan, ContestantPlan, InteractorPlan, Plan};
use crate::spec::problem::{Problem, Solution, Test as ProblemTest};
use crate::spec::resolve::source_or_program;

/// What is to be run, and with what.
pub(super) struct Matrix<'a> {
    pub(super) flags: &'a Test,
    pub(super) require: Vec<Layer>,
    pub(super) problem: &'a Problem,
    pub(super) solutions: Vec<&'a Solution>,
    pub(super) tests: Vec<&'a ProblemTest>,
    pub(super) languages: &'a Languages,
    pub(super) cache: &'a Cache,
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

    /// Runs it, and tells of it; the exit status.
    pub(super) fn run(&self) -> Result<u8> {
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
        let transcripts = Transcripts::open(
            flags.transcripts.as_deref(),
            flags.target.shows_transcripts(),
            &self.problem.name,
            self.cache,
        )?;
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
                        Job::of(&self.plan(cell, program, &jury, &transcripts))
                    }
                    Made::Failed(why) | Made::Missing(why) => Err(Error::usage(why)),
                },
                |news| self.told(news, &transcripts, output),
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

    fn plan(
        &self,
        cell: Cell,
        contestant: &Command,
        jury: &Jury,
        transcripts: &Transcripts,
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
            transcript: self.transcript(cell, transcripts),
        }
    }

    fn transcript(&self, cell: Cell, transcripts: &Transcripts) -> Option<PathBuf> {
        let (solution, test) = (self.solutions[cell.solution], self.tests[cell.test]);
        transcripts.path(&solution.name, &test.name, cell.repeat)
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
    fn told(&self, news: News, transcripts: &Transcripts, output: &mut Output) -> Result<bool> {
        let (cell, answer) = match news {
            News::Begun(cell) => {
                let (solution, test) = (self.solutions[cell.solution], self.tests[cell.test]);
                output.begun(&solution.name, &test.name);
                return Ok(true);
            }
            News::Ended(cell, answer) => (cell, answer),
        };
        let mut record = self.record(cell, answer);
        let path = self.transcript(cell, transcripts);
        let path = path.filter(|path| path.exists());
        let is_surprise = !record.may_be();
        let is_kept = transcripts.keeps(is_surprise);
        if let Some(path) = path.as_deref().filter(|_| is_kept) {
            record.transcript = Some(path.to_string_lossy().into_owned());
        }
        output.ended(record, path.as_deref())?;
        if let Some(path) = path.filter(|_| !is_kept) {
            // That it cannot be removed harms nothing.
            drop(std::fs::remove_file(path));
        }
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
