//! The submissions and what is expected of them: by their folders, by `submissions.yaml`, or by the
//! tags in their sources.

use std::fs;
use std::path::Path;

use super::expected::{Demand, of_folder};
use super::metadata::Metadata;
use super::rules::{self, Entry};
use super::tags::{self, Tag};
use super::validator::names_in;
use crate::error::Result;
use crate::spec::expectation::Rule;
use crate::spec::language::Languages;
use crate::spec::left_out::LeftOut;
use crate::spec::problem::{Solution, Test};
use crate::verdict::Verdict;

/// The longest source that is searched for a tag, in bytes.
const SEARCHED: u64 = 1 << 20;
/// Suffixes of files that are never programs, beside the files that are named like one.
const NO_PROGRAMS: [&str; 6] = ["yaml", "yml", "txt", "md", "h", "hpp"];

/// All submissions, in the order of their paths. `accepted` comes first, as it does by its name.
pub(super) fn find(
    folder: &Path,
    metadata: &Metadata,
    tests: &[Test],
    left_out: &mut LeftOut,
) -> Result<Vec<Solution>> {
    let place = folder.join("submissions");
    if !place.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for group in names_in(&place)? {
        let inside = place.join(&group);
        if inside.is_dir() {
            for name in names_in(&inside)? {
                let path = inside.join(&name);
                let suffix = path.extension().unwrap_or_default().to_string_lossy();
                if path.is_dir() || !NO_PROGRAMS.contains(&suffix.as_ref()) {
                    names.push(format!("{group}/{name}"));
                }
            }
        } else if Languages::builtin().of_source(&inside).is_some() {
            let what = "a submission belongs into a folder such as submissions/accepted, so it is left out";
            left_out.file(&inside, what);
        }
    }
    let file = place.join("submissions.yaml");
    let entries = rules::read(&file, metadata.version, &names, tests, left_out)?;
    let mut solutions = Vec::new();
    for name in &names {
        let path = place.join(name);
        let demands = match demands(name, &path, metadata, &entries) {
            Ok(demands) => demands,
            Err(why) => {
                left_out.file(&path, why);
                continue;
            }
        };
        let rules: Vec<Rule> = demands
            .iter()
            .map(|(demand, of)| demand.rule(of.clone()))
            .collect();
        if name.starts_with("partially_accepted/") {
            let what = "that its score is not the highest is not looked at, only its verdicts";
            left_out.file(&path, what);
        }
        solutions.push(Solution {
            name: name.clone(),
            path,
            expected: shown(&demands, &rules, metadata.scoring),
            rules,
        });
    }
    Ok(solutions)
}

type Demands = Vec<(Demand, Option<Vec<String>>)>;

/// What is demanded of a submission; or why it cannot be said, in words that read after its name.
fn demands(
    name: &str,
    path: &Path,
    metadata: &Metadata,
    entries: &[Entry],
) -> std::result::Result<Demands, String> {
    let group = name.split('/').next().unwrap_or_default();
    let mut demands: Demands = Vec::new();
    for entry in entries.iter().filter(|entry| entry.is_about(name)) {
        demands.extend(entry.demands().iter().cloned());
    }
    let replaced = entries.iter().any(|entry| entry.replaces(group));
    match tag(path) {
        Some(Tag::Results(classes)) if !classes.is_empty() => {
            demands.push((Demand::one_of(&classes), None));
        }
        Some(Tag::Results(_)) => {
            return Err("its tag of expected results is empty, so it is left out".to_owned());
        }
        Some(Tag::Other(word)) => {
            return Err(format!(
                "it expects the result {word}, which no run can have, so it is left out"
            ));
        }
        None if replaced => {}
        None => demands.extend(of_folder(group, metadata.version).map(|demand| (demand, None))),
    }
    match demands.is_empty() {
        false => Ok(demands),
        true if matches!(group, "compile_error" | "compiler_error") => {
            Err("that a submission does not compile is not tested, so it is left out".to_owned())
        }
        true => Err(format!(
            "nothing says what is expected of it, neither the folder's name `{group}` nor submissions.yaml nor a tag `@EXPECTED_RESULTS@:`, so it is left out"
        )),
    }
}

/// The tag in a source, or in one of those in a folder.
fn tag(path: &Path) -> Option<Tag> {
    let files = match path.is_dir() {
        true => names_in(path)
            .ok()?
            .iter()
            .map(|name| path.join(name))
            .collect(),
        false => vec![path.to_owned()],
    };
    files
        .iter()
        .filter(|file| fs::metadata(file).is_ok_and(|m| m.is_file() && m.len() <= SEARCHED))
        .find_map(|file| tags::find(&fs::read(file).ok()?))
}

/// The verdicts that it is there to show: what must come, or that it is accepted. The rules have all
/// verdicts that count as one result; a person is shown one of them.
fn shown(demands: &Demands, rules: &[Rule], scoring: bool) -> Vec<Verdict> {
    let mut shown: Vec<Verdict> = Vec::new();
    for class in demands.iter().flat_map(|(demand, _)| &demand.required) {
        let verdict = class.verdicts()[0];
        if !shown.contains(&verdict) {
            shown.push(verdict);
        }
    }
    if !shown.is_empty() {
        return shown;
    }
    shown.push(Verdict::Accepted);
    shown.extend(scoring.then_some(Verdict::Points));
    let permits = |verdict| rules.iter().all(|rule| rule.permitted.contains(&verdict));
    if permits(Verdict::WrongAnswer) {
        shown.push(Verdict::WrongAnswer);
    }
    shown
}
