//! A program of a job.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{NO_NUL, has_nul};
use crate::error::{Error, Result, shown};
use crate::spec::cache::Cache;
use crate::spec::command::Command;
use crate::spec::inputs::with_reads;
use crate::spec::language::Languages;
use crate::spec::lookup::is_executable;
use crate::spec::profile::Profile;
use crate::spec::resolve::resolve_file;

/// A program and what it may read.
///
/// Without `argv` it is found out how it is started, as on the command line: a source is compiled
/// or given to its interpreter, a script to that of its first line. With `argv` that was done
/// already, and `path` is executed as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes a program")]
pub(super) struct Program {
    /// The executable, script or source.
    path: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
    /// The whole argument vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    argv: Option<Vec<String>>,
    /// Files and folders that it may read, besides the system's.
    #[serde(default)]
    read: Vec<String>,
    /// What messages call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// The language of its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// The runtime that executes it, for the system call policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
}

impl Program {
    /// A program that is ready to be started.
    pub(super) fn of(command: &Command) -> Result<Self> {
        Ok(Program {
            path: text(&command.program)?,
            args: Vec::new(),
            argv: Some(command.argv.iter().map(text).collect::<Result<_>>()?),
            read: command.reads.iter().map(text).collect::<Result<_>>()?,
            shown: Some(command.shown.clone()),
            language: command.language.clone(),
            profile: Some(command.profile),
        })
    }

    /// The command, with everything it names looked at.
    pub(super) fn command(&self, languages: &Languages, cache: &Cache) -> Result<Command> {
        let mut texts = vec![&self.path];
        texts.extend(&self.args);
        texts.extend(self.argv.iter().flatten());
        texts.extend(&self.read);
        if texts.into_iter().any(|text| has_nul(text)) {
            return Err(Error::usage(NO_NUL));
        }
        let mut command = match &self.argv {
            Some(argv) => self.ready(argv)?,
            None => {
                let args: Vec<OsString> = self.args.iter().map(OsString::from).collect();
                resolve_file(Path::new(&self.path), &args, languages, cache)?
            }
        };
        if let Some(shown) = &self.shown {
            command.shown.clone_from(shown);
        }
        if let Some(language) = &self.language {
            command.language = Some(language.clone());
        }
        command.profile = self.profile.unwrap_or(command.profile);
        let reads: Vec<PathBuf> = self.read.iter().map(PathBuf::from).collect();
        with_reads(command, &reads)
    }

    fn ready(&self, argv: &[String]) -> Result<Command> {
        if !self.args.is_empty() {
            return Err(Error::usage(
                "it has both `args` and `argv`: write all arguments into `argv`",
            ));
        }
        let program = Path::new(&self.path);
        let complaint = |why: &str| Err(Error::usage(format!("{} {why}", shown(program))));
        if argv.is_empty() {
            return complaint("has an `argv` without a word: its first is the program's own name");
        }
        if !program.is_absolute() {
            return complaint("is no absolute path, which `argv` asks for");
        }
        if !program.is_file() || !is_executable(program) {
            return complaint("is not an executable file");
        }
        Ok(Command {
            program: program.to_owned(),
            argv: argv.iter().map(OsString::from).collect(),
            reads: Vec::new(),
            imports: Vec::new(),
            shown: self.path.clone(),
            language: None,
            profile: Profile::Native,
        })
    }
}

/// A name as JSON can hold it.
pub(super) fn text(name: impl AsRef<OsStr>) -> Result<String> {
    let name = name.as_ref();
    name.to_str().map(str::to_owned).ok_or_else(|| {
        Error::usage(format!(
            "the name {} is not UTF-8, as names in a job must be: rename it",
            shown(Path::new(name))
        ))
    })
}
