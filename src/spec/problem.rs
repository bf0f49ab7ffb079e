//! A problem folder: `problem.toml` read and checked, with the files it names.
//!
//! Every mistake is reported with the file, the line and what to write instead. What comes out
//! has no defaults left to apply and names only files that exist. The format is documented in
//! `docs/problem-folder.md`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result, shown, unreadable};
use crate::spec::document::Document;
use crate::spec::expectation::Rule;
use crate::spec::icpc;
use crate::spec::limits::Limits;
use crate::spec::nearest::{listed, nearest};
use crate::spec::plan::ChannelKind;
use crate::spec::polygon;
use crate::spec::protocol::Protocol;
use crate::verdict::{Policy, Verdict};

mod files;
mod limits;
mod written;

use written::Written;

/// The file that makes a folder a problem of the own format.
pub const FILE_NAME: &str = "problem.toml";

/// Reads a problem of one format from its folder.
type Load = fn(&Path) -> Result<Problem>;

/// The files by which formats are known, in the order in which they count.
const FORMATS: [(&str, Load); 3] = [
    (FILE_NAME, Problem::load_own),
    (icpc::FILE_NAME, icpc::load),
    (polygon::FILE_NAME, polygon::load),
];

/// A problem, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its name; the folder's if the file does not say.
    pub name: String,
    /// What kind of package it was read from, such as `problem.toml`.
    pub format: String,
    /// The folder, as it was given.
    pub folder: PathBuf,
    /// The interactor's source or program, or the folder that holds its sources.
    pub interactor: PathBuf,
    /// The source or program of the checker that decides where the interactor has accepted, if there
    /// is one.
    pub checker: Option<PathBuf>,
    /// How the interactor is started and understood.
    pub protocol: Protocol,
    /// How often both programs may be run, if the interactor asks for it: more than once in a
    /// multi-pass problem.
    pub passes: u32,
    /// What a contestant may use.
    pub contestant_limits: Limits,
    /// What the interactor may use.
    pub interactor_limits: Limits,
    /// The problem's choices in judging.
    pub policy: Policy,
    /// Upper bound of a whole session in real time, if the file sets one.
    pub session: Option<Duration>,
    /// How the programs are connected, if the file says so.
    pub channel: Option<ChannelKind>,
    /// The tests: as listed, or those of a pattern in natural order. At least one.
    pub tests: Vec<Test>,
    /// The solutions with what is expected of them, as listed.
    pub solutions: Vec<Solution>,
    /// What the package asks for and does not get here, a sentence each with its place.
    pub left_out: Vec<String>,
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Its name, unique within the problem.
    pub name: String,
    /// The input file, absolute and without links.
    pub input: PathBuf,
    /// The answer file, absolute and without links, if there is one.
    pub answer: Option<PathBuf>,
    /// Arguments for the interactor, after those of the protocol.
    pub interactor_args: Vec<String>,
}

/// One solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// Its path as the file has it, relative to the problem's folder.
    pub name: String,
    /// The source or program, or the folder that holds its sources.
    pub path: PathBuf,
    /// The verdicts that it is there to show; at least one.
    pub expected: Vec<Verdict>,
    /// What must hold of its verdicts, exactly.
    pub rules: Vec<Rule>,
}

impl Problem {
    /// Reads the problem in a folder, in the first of the [formats](FORMATS) whose file it has; the
    /// file itself may be given as well.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if the folder is no problem, or with the line of the mistake.
    pub fn load(folder: &Path) -> Result<Self> {
        let names = FORMATS.map(|(name, _)| Some(OsStr::new(name)));
        let is_file = folder.is_file() && names.contains(&folder.file_name());
        let named = folder.file_name().filter(|_| is_file);
        let folder = match (is_file, folder.parent()) {
            (true, Some(parent)) if parent.as_os_str().is_empty() => Path::new("."),
            (true, Some(parent)) => parent,
            _ => folder,
        };
        let has = |name: &str| match named {
            Some(file) => file == name,
            None => folder.join(name).is_file(),
        };
        if let Some((_, load)) = FORMATS.iter().find(|(name, _)| has(name)) {
            return load(folder);
        }
        Err(no_problem(folder))
    }

    fn load_own(folder: &Path) -> Result<Self> {
        let document = Document::read("problem file", &folder.join(FILE_NAME))?;
        document.parse::<Written>()?.check(folder, &document)
    }

    /// The test of this name.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] with the nearest name, or all of them.
    pub fn test(&self, name: &str) -> Result<&Test> {
        let found = self.tests.iter().find(|test| test.name == name);
        found.ok_or_else(|| {
            let names = self.tests.iter().map(|test| test.name.as_str());
            self.nothing_called("test", name, names)
        })
    }

    /// The solution of this name: its path as in the file, or its file name with or without the
    /// suffix where only one solution has that.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] with the nearest name, all of them, or those that are meant equally.
    pub fn solution(&self, name: &str) -> Result<&Solution> {
        if let Some(found) = self.solutions.iter().find(|solution| solution.name == name) {
            return Ok(found);
        }
        let meant: Vec<&Solution> = self
            .solutions
            .iter()
            .filter(|solution| {
                let path = &solution.path;
                path.file_name() == Some(name.as_ref()) || path.file_stem() == Some(name.as_ref())
            })
            .collect();
        match meant.as_slice() {
            [found] => Ok(found),
            [] => {
                let names = self.solutions.iter().map(|solution| solution.name.as_str());
                Err(self.nothing_called("solution", name, names))
            }
            several => Err(Error::usage(format!(
                "`{name}` may be {}: write the one that is meant",
                crate::spec::nearest::one_of(several.iter().map(|solution| solution.name.as_str()))
            ))),
        }
    }

    /// What to do if there are no solutions.
    pub(crate) fn without_solutions(&self) -> &'static str {
        match self.format.as_str() {
            FILE_NAME => "list some in its problem.toml",
            polygon::FORMAT => "list some in its problem.xml",
            _ => "put some into submissions/accepted",
        }
    }

    fn nothing_called<'a>(
        &self,
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Error {
        /// As many names as a message lists.
        const MOST: usize = 30;
        let problem = &self.name;
        let start = format!("the problem `{problem}` has no {what} `{name}`");
        let count = names.clone().count();
        Error::usage(if let Some(near) = nearest(name, names.clone()) {
            format!("{start}: did you mean `{near}`?")
        } else if count == 0 {
            format!(
                "the problem `{problem}` has no {what}s: {}",
                self.without_solutions()
            )
        } else if count > MOST {
            let first = listed(names.take(MOST));
            format!("{start}; it has {count}, of which the first are {first}")
        } else {
            format!("{start}; it has {}", listed(names))
        })
    }
}

/// Explains a folder that is not there or not a problem.
fn no_problem(folder: &Path) -> Error {
    match std::fs::metadata(folder.join(FILE_NAME)) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return unreadable("problem's folder", folder, &error);
        }
        _ => {}
    }
    let folder_shown = shown(folder);
    Error::usage(if folder.is_dir() {
        let files = crate::spec::nearest::one_of(FORMATS.map(|(name, _)| name));
        format!("{folder_shown} is no problem folder: it has no {files}")
    } else if folder.exists() {
        format!("{folder_shown} is a file; a problem is a folder with a {FILE_NAME}")
    } else {
        format!("there is no folder {folder_shown}")
    })
}

#[cfg(test)]
mod tests;
