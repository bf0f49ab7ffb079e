//! A language file as it is written, and the checks that every entry passes.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Imports, Language};
use crate::error::Result;
use crate::spec::document::Document;
use crate::spec::nearest::listed;
use crate::spec::profile::Profile;
use crate::spec::template::placeholders;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(default)]
    pub(super) language: Vec<Entry>,
}

/// One `[[language]]`; what it leaves out stays as it was.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    pub(super) name: Spanned<String>,
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
    profile: Option<Profile>,
    package: Option<String>,
}

impl Language {
    /// A language of which nothing is known yet.
    pub(super) fn empty(name: &str) -> Self {
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
            profile: Profile::Native,
            package: None,
        }
    }
}

impl Entry {
    /// Changes a language; the result is checked as a whole.
    pub(super) fn apply(self, language: &mut Language, document: &Document) -> Result<()> {
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
        language.profile = self.profile.unwrap_or(language.profile);
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
