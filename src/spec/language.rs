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
use toml::Spanned;

use crate::error::{Error, Result};
use crate::spec::document::Document;
use crate::spec::nearest::listed;
use crate::spec::template::placeholders;

/// How the files that a source includes are named in it; they decide about a new compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Imports {
    /// `#include "name"`.
    C,
    /// `mod name;`, `include!("name")` and the like.
    Rust,
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
    /// The Debian package that has the compiler or interpreter.
    pub package: Option<String>,
}

impl Language {
    /// The sentence about a compiler or interpreter that is not installed.
    pub(crate) fn missing(&self, wanted: &[String], what: &str) -> Error {
        let names = listed(wanted.iter().map(String::as_str));
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

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    language: Vec<Entry>,
}

/// One `[[language]]`; what it leaves out stays as it was.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    name: Spanned<String>,
    suffixes: Option<Vec<String>>,
    compilers: Option<Vec<String>>,
    compile: Option<Spanned<Vec<String>>>,
    renamed_after: Option<String>,
    environment: Option<Spanned<BTreeMap<String, String>>>,
    check: Option<Spanned<Vec<String>>>,
    interpreters: Option<Vec<String>>,
    run: Option<Spanned<Vec<String>>>,
    path_options: Option<Vec<String>>,
    discover: Option<Spanned<Vec<String>>>,
    imports: Option<Imports>,
    package: Option<String>,
}

impl Language {
    fn empty(name: &str) -> Self {
        Language {
            name: name.to_owned(),
            suffixes: Vec::new(),
            compilers: Vec::new(),
            compile: Vec::new(),
            renamed_after: None,
            environment: BTreeMap::new(),
            check: Vec::new(),
            interpreters: Vec::new(),
            run: Vec::new(),
            path_options: Vec::new(),
            discover: Vec::new(),
            imports: None,
            package: None,
        }
    }
}

impl Entry {
    fn apply(self, language: &mut Language, document: &Document) -> Result<()> {
        const COMPILE: &[&str] = &["compiler", "source", "output", "folder", "include", "cache"];
        const RUN: &[&str] = &["interpreter", "source", "output", "folder", "class"];
        let words = |words: Spanned<Vec<String>>, valid: &[&str]| -> Result<Vec<String>> {
            let unknown = words.get_ref().iter().flat_map(|word| placeholders(word));
            check_placeholders(unknown, valid)
                .map_err(|message| document.error(&words.span(), message))?;
            Ok(words.into_inner())
        };
        let place = self.name.span();

        if let Some(suffixes) = self.suffixes {
            // `.cpp` is what a person may write; the dot is not part of it.
            language.suffixes = suffixes
                .iter()
                .map(|suffix| suffix.trim_start_matches('.').to_owned())
                .collect();
        }
        replace(&mut language.compilers, self.compilers);
        replace(&mut language.interpreters, self.interpreters);
        replace(&mut language.path_options, self.path_options);
        if let Some(compile) = self.compile {
            language.compile = words(compile, COMPILE)?;
        }
        if let Some(check) = self.check {
            language.check = words(check, &["interpreter", "source"])?;
        }
        if let Some(run) = self.run {
            language.run = words(run, RUN)?;
        }
        if let Some(discover) = self.discover {
            language.discover = words(discover, &["interpreter"])?;
        }
        if let Some(environment) = self.environment {
            let used = environment.get_ref().values();
            check_placeholders(
                used.flat_map(|value| placeholders(value)),
                &["cache", "folder"],
            )
            .map_err(|message| document.error(&environment.span(), message))?;
            language.environment = environment.into_inner();
        }
        language.renamed_after = self.renamed_after.or(language.renamed_after.take());
        language.imports = self.imports.or(language.imports);
        language.package = self.package.or(language.package.take());

        match contradiction(language) {
            None => Ok(()),
            Some(message) => Err(document.error(&place, message)),
        }
    }
}

fn replace(old: &mut Vec<String>, new: Option<Vec<String>>) {
    if let Some(new) = new {
        *old = new;
    }
}

fn check_placeholders<'a>(
    used: impl Iterator<Item = &'a str>,
    valid: &[&str],
) -> std::result::Result<(), String> {
    for name in used {
        if !valid.contains(&name) {
            let valid: Vec<String> = valid.iter().map(|name| format!("{{{name}}}")).collect();
            return Err(format!(
                "`{{{name}}}` stands for nothing here: valid are {}",
                listed(valid.iter().map(String::as_str))
            ));
        }
    }
    Ok(())
}

/// What is wrong with a language as a whole.
fn contradiction(language: &Language) -> Option<String> {
    let name = &language.name;
    let uses = |words: &[String], placeholder| crate::spec::template::uses(words, placeholder);
    if language.suffixes.is_empty() || language.suffixes.iter().any(String::is_empty) {
        return Some(format!(
            "{name} has no suffix: write, for example, suffixes = [\"xyz\"]"
        ));
    }
    if language.run.is_empty() {
        return Some(format!(
            "{name} has no `run`: write, for example, run = [\"{{output}}\"] or run = [\"{{interpreter}}\", \"{{source}}\"]"
        ));
    }
    if uses(&language.compile, "compiler") && language.compilers.is_empty() {
        return Some(format!(
            "{name} uses `{{compiler}}` but has no `compilers`: write, for example, compilers = [\"gcc\"]"
        ));
    }
    let interpreted = [&language.run, &language.check, &language.discover];
    if interpreted.iter().any(|words| uses(words, "interpreter"))
        && language.interpreters.is_empty()
    {
        return Some(format!(
            "{name} uses `{{interpreter}}` but has no `interpreters`: write, for example, interpreters = [\"python3\"]"
        ));
    }
    let built = ["output", "folder", "class"];
    if language.compile.is_empty() && built.iter().any(|name| uses(&language.run, name)) {
        return Some(format!(
            "{name} runs what is compiled but has no `compile` command"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(text: &str) -> Result<Languages> {
        let mut languages = Languages::builtin();
        languages.merge(&Document::new(Path::new("my.toml"), text.to_owned()))?;
        Ok(languages)
    }

    fn complaint(text: &str) -> String {
        merged(text).unwrap_err().to_string()
    }

    fn language_of(languages: &Languages, source: &str) -> Option<String> {
        languages
            .of_source(Path::new(source))
            .map(|language| language.name.clone())
    }

    #[test]
    fn the_built_in_table_is_complete() {
        let languages = Languages::builtin();
        for (source, name) in [
            ("a.c", "C"),
            ("x/a.cpp", "C++"),
            ("a.cc", "C++"),
            ("a.rs", "Rust"),
            ("a.py", "Python"),
            ("A.java", "Java"),
            ("a.js", "JavaScript"),
            ("a.go", "Go"),
            ("a.b.sh", "shell"),
        ] {
            assert_eq!(language_of(&languages, source).as_deref(), Some(name));
        }
        assert_eq!(language_of(&languages, "a.txt"), None);
        assert_eq!(language_of(&languages, "py"), None);
        assert_eq!(languages.iter().count(), 8);
        assert!(languages.iter().all(|language| language.package.is_some()));
    }

    #[test]
    fn interpreters_are_recognized_with_folder_and_version() {
        let languages = Languages::builtin();
        let name = |program: &str| {
            let language = languages.of_interpreter(program);
            language.map(|language| language.name.as_str())
        };
        assert_eq!(name("python3"), Some("Python"));
        assert_eq!(name("/usr/bin/python3.11"), Some("Python"));
        assert_eq!(name("node"), Some("JavaScript"));
        assert_eq!(name("java"), Some("Java"));
        assert_eq!(name("/bin/sh"), Some("shell"));
        assert_eq!(name("pythonista"), None);
        assert_eq!(name("./a.out"), None);
    }

    #[test]
    fn an_entry_changes_what_it_names_and_keeps_the_rest() {
        let languages =
            merged("[[language]]\nname = \"c++\"\ncompilers = [\"clang++\"]\n").unwrap();
        let changed = languages.named("C++").unwrap();
        let builtin = Languages::builtin();
        let original = builtin.named("C++").unwrap();
        assert_eq!(changed.compilers, ["clang++"]);
        assert_eq!(changed.compile, original.compile);
        assert_eq!(changed.name, "C++");
        assert_eq!(languages.iter().count(), builtin.iter().count());
    }

    #[test]
    fn a_language_can_be_added_and_takes_its_suffixes() {
        let languages = merged(
            r#"
            [[language]]
            name = "Lua"
            suffixes = [".lua", "c"]
            interpreters = ["lua"]
            run = ["{interpreter}", "{source}"]
            "#,
        )
        .unwrap();
        assert_eq!(language_of(&languages, "a.lua").as_deref(), Some("Lua"));
        assert_eq!(language_of(&languages, "a.c").as_deref(), Some("Lua"));
        let lua5 = languages.of_interpreter("lua5.4").unwrap();
        assert_eq!(lua5.name, "Lua");
    }

    #[test]
    fn a_mistyped_key_is_pointed_at() {
        insta::assert_snapshot!(complaint("[[language]]\nname = \"Lua\"\nsufixes = [\"lua\"]\n"), @r#"
        my.toml:3: unknown key `sufixes`: did you mean `suffixes`?
        3 | sufixes = ["lua"]
          | ^^^^^^^
        "#);
    }

    #[test]
    fn an_unknown_placeholder_is_pointed_at() {
        insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nrun = [\"{binary}\"]\n"), @r#"
        my.toml:3: `{binary}` stands for nothing here: valid are `{interpreter}`, `{source}`, `{output}`, `{folder}` and `{class}`
        3 | run = ["{binary}"]
          |       ^^^^^^^^^^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nenvironment = { X = \"{output}\" }\n"), @r#"
        my.toml:3: `{output}` stands for nothing here: valid are `{cache}` and `{folder}`
        3 | environment = { X = "{output}" }
          |               ^^^^^^^^^^^^^^^^^^
        "#);
    }

    #[test]
    fn a_language_that_cannot_work_is_refused() {
        insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\n"), @r#"
        my.toml:2: D has no `run`: write, for example, run = ["{output}"] or run = ["{interpreter}", "{source}"]
        2 | name = "D"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\nrun = [\"{output}\"]\n"), @r#"
        my.toml:2: D runs what is compiled but has no `compile` command
        2 | name = "D"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nrun = [\"{output}\"]\n"), @r#"
        my.toml:2: D has no suffix: write, for example, suffixes = ["xyz"]
        2 | name = "D"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\ncompile = [\"{compiler}\"]\nrun = [\"{output}\"]\n"), @r#"
        my.toml:2: D uses `{compiler}` but has no `compilers`: write, for example, compilers = ["gcc"]
        2 | name = "D"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\nrun = [\"{interpreter}\"]\n"), @r#"
        my.toml:2: D uses `{interpreter}` but has no `interpreters`: write, for example, interpreters = ["python3"]
        2 | name = "D"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("[[language]]\nsuffixes = [\"d\"]\n"), @r"
        my.toml:1: `name` is missing
        1 | [[language]]
          | ^^^^^^^^^^^^
        ");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Languages::with_file(Path::new("/nowhere/l.toml")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot read the language file `/nowhere/l.toml`: no such file or directory"
        );
    }
}
