//! The language table: how a source becomes a program, and what an interpreter needs to read.
//!
//! The table is data (`languages.toml`); a file of the user's in the same format changes entries
//! or adds some. Everything in it is checked when it is read, so that nothing behind this module
//! finds an empty command or a placeholder that means nothing.
//!
//! To add a language: an entry in `languages.toml`, a line in `docs/languages.md`, and a test of
//! its compilation in `build.rs`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::spec::document::Document;
use crate::spec::lookup::find;
use crate::spec::nearest::one_of;
use crate::spec::profile::Profile;

mod file;

use file::Written;

/// How the files that a source includes are named in it; they decide about a new compilation, and an
/// interpreter must be able to read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Imports {
    /// `#include "name"`.
    C,
    /// `mod name;`, `include!("name")` and the like.
    Rust,
    /// `import name`, and `sys.path`.
    Python,
}

/// One language. Commands are words with placeholders; see `docs/languages.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// The name in reports and in the user's file.
    pub name: String,
    /// File name suffixes without the dot.
    pub suffixes: Vec<String>,
    /// Compilers by name; the first that is installed is `{compiler}`.
    pub compilers: Vec<String>,
    /// Compiles `{source}`; empty if the language is interpreted.
    pub compile: Vec<String>,
    /// A phrase of the compiler's, followed by the file name under which it wants the source.
    pub renamed_after: Option<String>,
    /// Environment variables for the compiler.
    pub environment: BTreeMap<String, String>,
    /// Checks the syntax of an interpreted `{source}`; may be empty.
    pub check: Vec<String>,
    /// Interpreters by name; the first that is installed is `{interpreter}`, and all of them are
    /// recognized in command lines, also with a version number behind the name.
    pub interpreters: Vec<String>,
    /// Runs the program; arguments follow.
    pub run: Vec<String>,
    /// Options of the interpreter whose next word is a list of paths that it must read.
    pub path_options: Vec<String>,
    /// Prints the interpreter's real executable, then what it must be able to read, one a line.
    pub discover: Vec<String>,
    /// How included files are found.
    pub imports: Option<Imports>,
    /// What the system call policy knows of its runtime.
    pub profile: Profile,
    /// The Debian package that has the compiler or interpreter.
    pub package: Option<String>,
}

impl Language {
    /// The sentence about a compiler or interpreter that is not installed.
    pub(crate) fn missing(&self, wanted: &[String], what: &str) -> Error {
        let names = one_of(wanted.iter().map(String::as_str));
        let install = match &self.package {
            Some(package) => {
                format!("install it, on Debian or Ubuntu with `apt install {package}`")
            }
            None => "install it, or put its folder into $PATH".to_owned(),
        };
        Error::usage(format!(
            "{what} is {} and needs {names}, which $PATH does not have: {install}",
            self.name
        ))
    }

    /// The sentence about what is not installed of what sources in this language need; `None` if
    /// nothing is missing.
    pub(crate) fn lacks(&self, what: &str) -> Option<Error> {
        let lacks =
            |wanted: &[String]| !wanted.is_empty() && !wanted.iter().any(|w| find(w).is_some());
        let lists = [&self.compilers, &self.interpreters];
        let wanted = lists.into_iter().find(|wanted| lacks(wanted))?;
        Some(self.missing(wanted, what))
    }

    /// True if a program of this name (without folders) is an interpreter of this language.
    fn is_interpreter(&self, name: &str) -> bool {
        let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.interpreters
            .iter()
            .any(|interpreter| interpreter == name || interpreter == unversioned)
    }
}

/// All known languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages {
    /// Later ones win, so the user's entries are looked at first.
    languages: Vec<Language>,
}

impl Languages {
    /// The languages that are known without a file of the user's.
    pub fn builtin() -> Self {
        let text = include_str!("languages.toml").to_owned();
        let document = Document::new(Path::new("languages.toml"), text);
        let mut languages = Languages {
            languages: Vec::new(),
        };
        languages
            .merge(&document)
            .expect("the table in the program is right, a unit test reads it");
        languages
    }

    /// The built-in languages, changed by a file of the user's.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if the file cannot be read or has a mistake, with its line.
    pub fn with_file(path: &Path) -> Result<Self> {
        let mut languages = Languages::builtin();
        languages.merge(&Document::read("language file", path)?)?;
        Ok(languages)
    }

    /// The language of a source file, by the suffix of its name.
    pub fn of_source(&self, source: &Path) -> Option<&Language> {
        let suffix = source.extension()?.to_str()?;
        self.languages
            .iter()
            .rev()
            .find(|language| language.suffixes.iter().any(|known| known == suffix))
    }

    /// The language that a program interprets, by the program's file name: `/usr/bin/python3.11`
    /// is Python.
    pub fn of_interpreter(&self, program: impl AsRef<OsStr>) -> Option<&Language> {
        let name = Path::new(program.as_ref()).file_name()?.to_str()?;
        self.languages
            .iter()
            .rev()
            .find(|language| language.is_interpreter(name))
    }

    /// The language of this name; upper and lower case mean the same.
    pub fn named(&self, name: &str) -> Option<&Language> {
        self.languages
            .iter()
            .find(|language| language.name.eq_ignore_ascii_case(name))
    }

    /// All languages, the built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.languages.iter()
    }

    fn merge(&mut self, document: &Document) -> Result<()> {
        let written: Written = document.parse()?;
        for entry in written.language {
            let name = entry.name.get_ref().trim();
            if name.is_empty() {
                return Err(document.error(&entry.name.span(), "the name is empty"));
            }
            let at = self
                .languages
                .iter()
                .position(|language| language.name.eq_ignore_ascii_case(name));
            // A changed language moves to the end, where its suffixes come first.
            let mut language = match at {
                Some(at) => self.languages.remove(at),
                None => Language::empty(name),
            };
            entry.apply(&mut language, document)?;
            self.languages.push(language);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
