//! One run as another program orders it: a JSON object, checked into a [`Plan`].
//!
//! It says in numbers what the flags of `rejoinder run` say in words, and a plan can be written as
//! a job, so that another process of ours can carry it out. `docs/judge.md` explains every field;
//! fields are only ever added within a version.

mod figures;
mod program;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::figures::{LimitsOrder, milliseconds, time};
use self::program::{Program, text};
use crate::error::{Error, Result};
use crate::evidence::Role;
use crate::spec::cache::Cache;
use crate::spec::inputs::input_file;
use crate::spec::language::Languages;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::outputs;
use crate::spec::plan::{
    self, ChannelKind, CheckerPlan, ContestantPlan, Cpus, InteractorPlan, Isolation, Plan, required,
};
use crate::spec::protocol::Protocol;
use crate::transcript::figure::Figure;
use crate::verdict::{DeadlockPolicy, ExtraOutput, Policy};

/// What a check of a job comes to.
type Checked<T> = std::result::Result<T, Mistake>;

/// The version of the object.
pub const VERSION: u64 = 1;

/// One run, as it is ordered. What is left out is as for `rejoinder run`, but where the programs
/// stood is only told if it is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes a job")]
pub struct Job {
    /// The version of this format.
    version: u64,
    /// Whatever the judge calls it; the result has it as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// What is run, in a few words, for the transcript and the reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    contestant: ContestantOrder,
    interactor: InteractorOrder,
    #[serde(default)]
    channel: ChannelKind,
    #[serde(default)]
    cpus: CpusOrder,
    #[serde(default)]
    isolation: Isolation,
    /// Layers without which nothing is run.
    #[serde(default)]
    require: Vec<Layer>,
    /// Upper bound of the whole session in real time; both walls and 10 s if left out.
    #[serde(default)]
    session_ms: Option<Figure>,
    #[serde(default)]
    deadlock: DeadlockPolicy,
    #[serde(default)]
    extra_output: ExtraOutput,
    /// Whether the result says where the programs stood when they failed.
    #[serde(default)]
    explain: bool,
    /// Where the transcript is written.
    #[serde(default)]
    transcript: Option<String>,
}

/// What a judge calls a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "an id is a text or a number")]
pub enum Id {
    Text(String),
    Number(serde_json::Number),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the contestant's program and limits"
)]
struct ContestantOrder {
    program: Program,
    #[serde(default)]
    limits: LimitsOrder,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the interactor's program, limits and files"
)]
struct InteractorOrder {
    program: Program,
    #[serde(default)]
    limits: LimitsOrder,
    #[serde(default)]
    protocol: Protocol,
    /// The test's input file.
    input: String,
    /// The test's answer file.
    #[serde(default)]
    answer: Option<String>,
    /// Arguments after those of the protocol.
    #[serde(default)]
    args: Vec<String>,
    /// Who decides about what the interactor wrote into its output file (testlib).
    #[serde(default)]
    checker: Option<CheckerOrder>,
    /// How often both programs may be run, if the interactor asks for it; 1 if left out.
    #[serde(default = "one")]
    passes: u32,
    /// Where to leave a copy of the output file (testlib) or the feedback folder (icpc).
    #[serde(default)]
    keep_output: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the checker's program and limits"
)]
struct CheckerOrder {
    program: Program,
    #[serde(default)]
    limits: LimitsOrder,
}

fn one() -> u32 {
    1
}

/// Which CPUs the session runs on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "CPUs are \"own\", \"all\" or a list of their numbers"
)]
enum CpusOrder {
    Word(CpusWord),
    List(Vec<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CpusWord {
    Own,
    All,
}

impl Default for CpusOrder {
    fn default() -> Self {
        CpusOrder::Word(CpusWord::Own)
    }
}

impl Job {
    /// Reads a job.
    ///
    /// # Errors
    /// What is wrong, as far as it can be told without looking at files.
    pub fn parse(text: &[u8]) -> std::result::Result<Job, Mistake> {
        // A list would be taken for the fields in their order.
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        let instead = match first {
            None => Some("it is empty, and a job is a JSON object"),
            Some(b'[') => Some("it is a list, and a job is an object"),
            Some(_) => None,
        };
        if let Some(what) = instead {
            return Err(within("line 1", Error::usage(what)));
        }
        let job: Job = serde_json::from_slice(text).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or(&text);
            within(
                &place,
                match error.is_syntax() || error.is_eof() {
                    true => Error::usage(format!("this is no JSON: {what}")),
                    false => Error::usage(what),
                },
            )
        })?;
        match job.version {
            VERSION => Ok(job),
            other => Err(within(
                "version",
                Error::usage(format!(
                    "it is {other}, and this rejoinder reads version {VERSION}"
                )),
            )),
        }
    }

    /// The job that another process turns into this plan again.
    ///
    /// # Errors
    /// [`Error::Usage`] if a name is not UTF-8, which JSON must be.
    pub fn of(plan: &Plan) -> Result<Job> {
        let interactor = &plan.interactor;
        Ok(Job {
            version: VERSION,
            id: None,
            title: Some(plan.title.clone()),
            contestant: ContestantOrder {
                program: Program::of(&plan.contestant.command)?,
                limits: LimitsOrder::of(&plan.contestant.limits),
            },
            interactor: InteractorOrder {
                program: Program::of(&interactor.command)?,
                limits: LimitsOrder::of(&interactor.limits),
                protocol: interactor.protocol,
                input: text(&interactor.input)?,
                answer: interactor.answer.as_deref().map(text).transpose()?,
                args: interactor
                    .extra_args
                    .iter()
                    .map(text)
                    .collect::<Result<_>>()?,
                checker: match &interactor.checker {
                    None => None,
                    Some(checker) => Some(CheckerOrder {
                        program: Program::of(&checker.command)?,
                        limits: LimitsOrder::of(&checker.limits),
                    }),
                },
                passes: interactor.passes,
                keep_output: interactor.keep_output.as_deref().map(text).transpose()?,
            },
            channel: plan.channel,
            cpus: match &plan.cpus {
                Cpus::OneOfOurOwn => CpusOrder::Word(CpusWord::Own),
                Cpus::All => CpusOrder::Word(CpusWord::All),
                Cpus::Set(cpus) => CpusOrder::List(cpus.clone()),
            },
            isolation: plan.isolation,
            require: plan.require.clone(),
            session_ms: Some(milliseconds(plan.session)),
            deadlock: plan.policy.deadlock,
            extra_output: plan.policy.extra_output,
            explain: plan.explain,
            transcript: plan.transcript.as_deref().map(text).transpose()?,
        })
    }

    /// Checks everything, and looks at the files.
    ///
    /// # Errors
    /// The field that is wrong, and what to write instead.
    pub fn plan(&self, languages: &Languages, cache: &Cache) -> std::result::Result<Plan, Mistake> {
        let at = |place: &'static str| move |error| within(place, error);
        let require = required(&self.require, self.isolation);
        require.map_err(|text| within("require", Error::Usage(text)))?;
        let contestant = self.contestant.program.command(languages, cache);
        let contestant = contestant.map_err(at("contestant.program"))?;
        let order = &self.interactor;
        let interactor = order.program.command(languages, cache);
        let interactor = interactor.map_err(at("interactor.program"))?.with_imports();
        let contestant_limits = self.contestant.limits.over(Role::Contestant);
        let contestant_limits = contestant_limits.map_err(at("contestant.limits"))?;
        let interactor_limits = order.limits.over(Role::Interactor);
        let interactor_limits = interactor_limits.map_err(at("interactor.limits"))?;

        let checker = match &order.checker {
            None => None,
            Some(checker) => Some(CheckerPlan {
                command: checker
                    .program
                    .command(languages, cache)
                    .map_err(at("interactor.checker.program"))?,
                limits: checker
                    .limits
                    .over(Role::Interactor)
                    .map_err(at("interactor.checker.limits"))?,
            }),
        };
        plan::checker(checker.is_some(), order.protocol)
            .map_err(|why| within("interactor.checker", Error::usage(format!("it {why}"))))?;
        let passes = plan::passes(order.passes, order.protocol)
            .map_err(|why| within("interactor.passes", Error::usage(format!("it {why}"))))?;
        let input = path("interactor.input", &order.input)?;
        let input = input_file("input file", input).map_err(at("interactor.input"))?;
        let answer = order.answer.as_deref().map(|answer| {
            let answer = path("interactor.answer", answer)?;
            input_file("answer file", answer).map_err(at("interactor.answer"))
        });
        let answer = answer.transpose()?;

        let mut used = vec![input.clone()];
        used.extend(answer.clone());
        let commands = [&contestant, &interactor];
        used.extend(commands.iter().flat_map(|c| c.reads.clone()));
        used.extend(commands.iter().map(|c| c.program.clone()));
        let transcript = self.transcript.as_deref().map(|file| {
            outputs::transcript(path("transcript", file)?, &used).map_err(at("transcript"))
        });
        let keep_output = order.keep_output.as_deref().map(|kept| {
            let kept = path("interactor.keep_output", kept)?;
            outputs::kept(kept, order.protocol, &used).map_err(at("interactor.keep_output"))
        });
        let args: Vec<OsString> = order.args.iter().map(OsString::from).collect();
        if args.iter().any(|word| has_nul(&word.to_string_lossy())) {
            return Err(within("interactor.args", Error::usage(NO_NUL)));
        }
        Ok(Plan {
            title: match &self.title {
                Some(title) => title.clone(),
                None => format!("{} with {}", contestant.shown, interactor.shown),
            },
            session: self.session(&contestant_limits, &interactor_limits)?,
            contestant: ContestantPlan {
                command: contestant,
                limits: contestant_limits,
            },
            interactor: InteractorPlan {
                command: interactor,
                limits: interactor_limits,
                protocol: order.protocol,
                input,
                answer,
                extra_args: args,
                passes,
                checker,
                keep_output: keep_output.transpose()?,
            },
            channel: self.channel,
            cpus: self.cpus.check().map_err(at("cpus"))?,
            isolation: self.isolation,
            require: self.require.clone(),
            policy: Policy {
                deadlock: self.deadlock,
                extra_output: self.extra_output,
            },
            explain: self.explain,
            transcript: transcript.transpose()?,
        })
    }

    fn session(&self, contestant: &Limits, interactor: &Limits) -> Checked<Duration> {
        match self.session_ms {
            Some(session) => {
                time("the figure", session).map_err(|error| within("session_ms", error))
            }
            None => Ok(Plan::safety_net(contestant, interactor)),
        }
    }
}

impl CpusOrder {
    fn check(&self) -> Result<Cpus> {
        /// As many as the kernel's own masks hold.
        const MOST: usize = 1024;
        Ok(match self {
            CpusOrder::Word(CpusWord::Own) => Cpus::OneOfOurOwn,
            CpusOrder::Word(CpusWord::All) => Cpus::All,
            CpusOrder::List(cpus) if cpus.is_empty() => {
                return Err(Error::usage("the list is empty: name at least one CPU"));
            }
            CpusOrder::List(cpus) => match cpus.iter().find(|cpu| **cpu >= MOST) {
                Some(cpu) => {
                    return Err(Error::usage(format!(
                        "{cpu} is not the number of a CPU: they end below {MOST}"
                    )));
                }
                None => Cpus::Set(cpus.clone()),
            },
        })
    }
}

const NO_NUL: &str = "it holds a NUL character, which no path and no argument can";

fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

/// A path of the job.
fn path<'a>(place: &str, text: &'a str) -> Checked<&'a Path> {
    match has_nul(text) {
        true => Err(within(place, Error::usage(NO_NUL))),
        false if text.is_empty() => Err(within(place, Error::usage("it is empty: name a file"))),
        false => Ok(Path::new(text)),
    }
}

/// What is wrong with a job, and where.
#[derive(Debug, thiserror::Error)]
#[error("job: {place}: {error}")]
pub struct Mistake {
    /// The field, such as `contestant.limits`; or the line and column, where it cannot be read.
    pub place: String,
    /// What is wrong.
    #[source]
    pub error: Error,
}

fn within(place: &str, error: Error) -> Mistake {
    Mistake {
        place: place.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests;
