//! `problem.toml` as it is written, and its way to a checked [`Problem`].

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use super::files::{Place, solutions, tests};
use super::limits::{LimitsWritten, Quantity};
use super::{FILE_NAME, Problem, Solution, Test};
use crate::error::Result;
use crate::evidence::Role;
use crate::spec::document::Document;
use crate::spec::plan::{self, ChannelKind};
use crate::spec::protocol::Protocol;
use crate::units::parse_duration;
use crate::verdict::{DeadlockPolicy, ExtraOutput, Policy};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    name: Option<Spanned<String>>,
    interactor: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) interactor_args: Vec<String>,
    #[serde(default)]
    protocol: Protocol,
    checker: Option<Spanned<String>>,
    passes: Option<Spanned<u32>>,
    #[serde(default)]
    deadlock: DeadlockPolicy,
    #[serde(default)]
    extra_output: ExtraOutput,
    session: Option<Spanned<Quantity>>,
    channel: Option<ChannelKind>,
    #[serde(default)]
    limits: LimitsWritten,
    #[serde(default)]
    interactor_limits: LimitsWritten,
    pub(super) tests: Option<Spanned<OneOrMany>>,
    #[serde(default)]
    pub(super) test: Vec<TestWritten>,
    #[serde(default)]
    pub(super) solution: Vec<SolutionWritten>,
}

/// One `[[test]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestWritten {
    pub(super) name: Option<Spanned<String>>,
    pub(super) input: Spanned<String>,
    pub(super) answer: Option<Spanned<String>>,
}

/// One `[[solution]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolutionWritten {
    pub(super) path: Spanned<String>,
    pub(super) verdict: Option<Spanned<OneOrMany>>,
}

/// A text, or a list of them.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(super) fn as_slice(&self) -> &[String] {
        match self {
            OneOrMany::One(text) => std::slice::from_ref(text),
            OneOrMany::Many(texts) => texts,
        }
    }
}

impl Written {
    /// Checks everything and looks at the files.
    pub(super) fn check(self, folder: &Path, document: &Document) -> Result<Problem> {
        let place = Place { folder, document };
        let Some(interactor) = &self.interactor else {
            return Err(document.error_without_line(
                "`interactor` is missing: add a line such as interactor = \"interactor.cpp\"",
            ));
        };
        let interactor = place.file("interactor", interactor)?;
        let name = match &self.name {
            Some(name) if name.get_ref().trim().is_empty() => {
                return Err(document.error(&name.span(), "the name is empty"));
            }
            Some(name) => name.get_ref().trim().to_owned(),
            None => place.folder_name(),
        };
        let session: Option<Duration> = match &self.session {
            Some(session) => Some(
                session
                    .get_ref()
                    .read("session", parse_duration)
                    .map_err(|message| document.error(&session.span(), message))?,
            ),
            None => None,
        };
        let checker = match &self.checker {
            None => None,
            Some(checker) => {
                plan::checker(true, self.protocol)
                    .map_err(|why| document.error(&checker.span(), format!("`checker` {why}")))?;
                Some(place.file("checker", checker)?)
            }
        };
        let passes = match &self.passes {
            None => 1,
            Some(passes) => plan::passes(*passes.get_ref(), self.protocol)
                .map_err(|why| document.error(&passes.span(), format!("`passes` {why}")))?,
        };
        let tests: Vec<Test> = tests(&self, &place)?;
        let solutions: Vec<Solution> = solutions(&self, &place)?;
        Ok(Problem {
            name,
            format: FILE_NAME.to_owned(),
            folder: folder.to_owned(),
            interactor,
            checker,
            contestant_limits: self.limits.check(Role::Contestant, document)?,
            interactor_limits: self.interactor_limits.check(Role::Interactor, document)?,
            protocol: self.protocol,
            passes,
            policy: Policy {
                deadlock: self.deadlock,
                extra_output: self.extra_output,
            },
            session,
            channel: self.channel,
            tests,
            solutions,
            left_out: Vec::new(),
        })
    }
}
