//! The tests and solutions of a problem: the files that its `problem.toml` names.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::written::{OneOrMany, Written};
use super::{Solution, Test};
use crate::error::{Error, Result};
use crate::spec::document::Document;
use crate::spec::expectation::Rule;
use crate::spec::nearest::nearest;
use crate::spec::order::natural;
use crate::spec::pattern::files;
use crate::verdict::{UnknownVerdict, Verdict};

/// Where the tests are if nothing else is said.
const DEFAULT_TESTS: &str = "tests/*.in";
/// The suffix of an answer file, which lies beside its input.
const ANSWER: &str = "ans";

/// A problem's folder and the text of its file.
pub(super) struct Place<'a> {
    pub(super) folder: &'a Path,
    pub(super) document: &'a Document,
}

impl Place<'_> {
    /// The file that an entry names, which must be there.
    pub(super) fn file(&self, what: &str, entry: &Spanned<String>) -> Result<PathBuf> {
        let written = entry.get_ref();
        let path = tidy(&self.folder.join(written));
        let complaint = if written.is_empty() {
            format!("the {what} is empty: write the path of a file")
        } else if path.is_file() {
            return Ok(path);
        } else if path.is_dir() {
            format!("the {what} `{written}` is a folder: name a file in it")
        } else {
            match self.similar(&path) {
                Some(near) => {
                    format!("there is no {what} `{written}` here: did you mean `{near}`?")
                }
                None => format!("there is no {what} `{written}` in the problem's folder"),
            }
        };
        Err(self.error(&entry.span(), complaint))
    }

    /// The same, absolute and without links.
    fn real_file(&self, what: &str, entry: &Spanned<String>) -> Result<PathBuf> {
        let path = self.file(what, entry)?;
        absolute(&path)
    }

    /// The path of a file beside a missing one whose name is nearly the same.
    fn similar(&self, missing: &Path) -> Option<String> {
        let folder = missing.parent()?;
        let names: Vec<String> = std::fs::read_dir(folder)
            .ok()?
            .flatten()
            .filter(|entry| entry.path().is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        let name = missing.file_name()?.to_str()?;
        let near = nearest(name, names.iter().map(String::as_str))?;
        let path = folder.join(near);
        let shown = path.strip_prefix(self.folder).unwrap_or(&path);
        Some(shown.display().to_string())
    }

    /// The name of the problem's folder.
    pub(super) fn folder_name(&self) -> String {
        let real = self.folder.canonicalize();
        let real = real.unwrap_or_else(|_| self.folder.to_owned());
        let name = real.file_name().unwrap_or(real.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn error(&self, span: &Range<usize>, message: impl AsRef<str>) -> Error {
        self.document.error(span, message)
    }
}

/// The tests, listed or by pattern.
pub(super) fn tests(written: &Written, place: &Place<'_>) -> Result<Vec<Test>> {
    match (&written.tests, written.test.first()) {
        (Some(pattern), Some(_)) => Err(place.error(
            &pattern.span(),
            "`tests` and `[[test]]` are both given: leave one of them out",
        )),
        (None, Some(_)) => listed_tests(written, place),
        (pattern, None) => tests_by_pattern(pattern.as_ref(), &written.interactor_args, place),
    }
}

fn listed_tests(written: &Written, place: &Place<'_>) -> Result<Vec<Test>> {
    let mut tests: Vec<Test> = Vec::new();
    for entry in &written.test {
        let input = place.real_file("input", &entry.input)?;
        let answer = match &entry.answer {
            Some(answer) => Some(place.real_file("answer", answer)?),
            None => beside(&input),
        };
        let (name, span) = match &entry.name {
            Some(name) => (name.get_ref().clone(), name.span()),
            None => (stem(Path::new(entry.input.get_ref())), entry.input.span()),
        };
        if name.trim().is_empty() {
            return Err(place.error(&span, "the name of the test is empty"));
        }
        if tests.iter().any(|test| test.name == name) {
            return Err(place.error(
                &span,
                format!("there are two tests `{name}`: give this one another name"),
            ));
        }
        tests.push(Test {
            name,
            input,
            answer,
            interactor_args: written.interactor_args.clone(),
        });
    }
    Ok(tests)
}

fn tests_by_pattern(
    written: Option<&Spanned<OneOrMany>>,
    args: &[String],
    place: &Place<'_>,
) -> Result<Vec<Test>> {
    let default = [DEFAULT_TESTS.to_owned()];
    let patterns = written.map_or(default.as_slice(), |written| written.get_ref().as_slice());
    let mut found: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let matching = files(place.folder, pattern);
        let inputs = matching
            .into_iter()
            .filter(|path| path.extension().is_none_or(|suffix| suffix != ANSWER));
        let before = found.len();
        found.extend(inputs);
        if found.len() == before {
            return Err(match written {
                Some(written) => place.error(
                    &written.span(),
                    format!("no file in the problem's folder matches `{pattern}`"),
                ),
                None => place.document.error_without_line(format!(
                    "there are no tests: put inputs where `{DEFAULT_TESTS}` finds them, or write `tests` or `[[test]]`"
                )),
            });
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        let span = written.map_or(0..0, Spanned::span);
        return Err(place.error(&span, "the list is empty: a problem needs a test"));
    }

    // The file's name is the test's, unless another test has it too: then the whole path is.
    let mut count: HashMap<String, usize> = HashMap::new();
    for path in &found {
        *count.entry(stem(path)).or_default() += 1;
    }
    let mut tests = Vec::new();
    for path in &found {
        let short = stem(path);
        let name = if count[&short] == 1 {
            short
        } else {
            let inside = path.strip_prefix(place.folder).unwrap_or(path);
            let long = inside.with_extension("").display().to_string();
            match tests.iter().any(|test: &Test| test.name == long) {
                true => inside.display().to_string(),
                false => long,
            }
        };
        let input = absolute(path)?;
        tests.push(Test {
            answer: beside(path),
            name,
            input,
            interactor_args: args.to_vec(),
        });
    }
    tests.sort_by(|a, b| natural(&a.name, &b.name));
    Ok(tests)
}

/// The answer beside an input, if there is one.
fn beside(input: &Path) -> Option<PathBuf> {
    let answer = input.with_extension(ANSWER);
    if !answer.is_file() {
        return None;
    }
    answer.canonicalize().ok()
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .map_err(|error| crate::error::unreadable("file", path, &error))
}

/// A path without `x/..`, where that leads to the same file.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        let last = tidied.components().next_back();
        match (part, last) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                tidied.pop();
            }
            _ => tidied.push(part),
        }
    }
    // A link before `..` leads elsewhere; then the path stays as it is.
    match (tidied.canonicalize(), path.canonicalize()) {
        (Ok(a), Ok(b)) if a == b => tidied,
        _ => path.to_owned(),
    }
}

/// The solutions and what is expected of them.
pub(super) fn solutions(written: &Written, place: &Place<'_>) -> Result<Vec<Solution>> {
    let mut solutions: Vec<Solution> = Vec::new();
    for entry in &written.solution {
        let path = place.file("solution", &entry.path)?;
        let name = entry.path.get_ref().clone();
        if solutions.iter().any(|solution| solution.path == path) {
            return Err(place.error(
                &entry.path.span(),
                format!(
                    "the solution `{name}` is listed twice: write all its verdicts in one entry"
                ),
            ));
        }
        let expected = match &entry.verdict {
            None => vec![Verdict::Accepted],
            Some(verdict) => expected(verdict, place)?,
        };
        solutions.push(Solution {
            name,
            path,
            rules: vec![Rule::of(&expected)],
            expected,
        });
    }
    Ok(solutions)
}

fn expected(written: &Spanned<OneOrMany>, place: &Place<'_>) -> Result<Vec<Verdict>> {
    let names = written.get_ref().as_slice();
    if names.is_empty() {
        return Err(place.error(
            &written.span(),
            "the list is empty: name at least one verdict, such as \"accepted\"",
        ));
    }
    names
        .iter()
        .map(|name| parse_verdict(name).map_err(|message| place.error(&written.span(), message)))
        .collect()
}

/// Reads a verdict's name or letters; the nearest is proposed for anything else.
fn parse_verdict(text: &str) -> std::result::Result<Verdict, String> {
    text.parse().map_err(|unknown: UnknownVerdict| {
        // Letters first: those of other judges end in E, and TLE is TL.
        let letters = Verdict::ALL.into_iter().map(Verdict::letters);
        let names = Verdict::ALL.into_iter().map(Verdict::name);
        match nearest(text, letters.chain(names)) {
            Some(near) => format!("unknown verdict `{text}`: did you mean `{near}`?"),
            None => unknown.to_string(),
        }
    })
}
