//! `rejoinder test`: all solutions of a problem on all its tests, against what is expected of them.

mod matrix;
mod transcripts;

use std::path::PathBuf;

use clap::Args;

use self::matrix::Matrix;
use super::flags::Manner;
use super::listing;
use super::matrix_output::{Output, Target};
use crate::error::{Error, Result, shown, unreadable};
use crate::interrupts;
use crate::matrix::record::{Frame, read_lines};
use crate::matrix::{Partition, Summary};
use crate::spec::cache::Cache;
use crate::spec::language::Languages;
use crate::spec::nearest::listed;
use crate::spec::pattern::matches_name;
use crate::spec::problem::Problem;

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
            // Those of another machine are not here.
            let transcript = record.transcript.clone().map(PathBuf::from);
            let transcript = transcript.filter(|path| path.is_file());
            output.ended(record, transcript.as_deref())?;
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
