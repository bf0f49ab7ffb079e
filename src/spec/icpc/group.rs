//! What a group of tests, or one test, asks for: `testdata.yaml`, `test_group.yaml`, and the `.yaml`
//! of a test.

use std::path::Path;

use super::metadata::{Version, words};
use crate::error::Result;
use crate::spec::left_out::LeftOut;
use crate::spec::yaml::{Key, Map, Node, Value, Yaml, text};

/// The names of a group's file. Each is read in every format, because drafts had both.
pub(super) const FILES: [&str; 2] = ["test_group.yaml", "testdata.yaml"];

/// Keys that say how results are put together to a score or a verdict.
const GRADING: [&str; 9] = [
    "max_score",
    "score_aggregation",
    "require_pass",
    "grading",
    "grader_flags",
    "accept_score",
    "reject_score",
    "range",
    "scoring",
];

/// Keys about what is not a judge's work: other programs, what contestants are shown, and when a
/// judge may stop.
const DESCRIPTIVE: [&str; 10] = [
    "on_reject",
    "input_validator_flags",
    "input_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
    "name",
    "uuid",
];

/// Reads the file of a group or a test. The validator's arguments, if the file has them.
pub(super) fn read(
    path: &Path,
    version: Version,
    left_out: &mut LeftOut,
) -> Result<Option<Vec<String>>> {
    let yaml = Yaml::read("file", path)?;
    let mut map = yaml.map()?;
    map.skip(&DESCRIPTIVE);
    for name in GRADING {
        if let Some((key, _)) = map.take(name) {
            let what = "each test is judged by itself, and results are not put together";
            left_out.key(&yaml.document, &key.span, name, what);
        }
    }
    for name in ["static_validation_score", "static_validator_args"] {
        if let Some((key, _)) = map.take(name) {
            let what = "static validators are not run";
            left_out.key(&yaml.document, &key.span, name, what);
        }
    }
    if let Some((key, node)) = map.take("args")
        && node.value != Value::List(Vec::new())
    {
        let message = "`args`: arguments for solutions are not supported: let the validator say on its output what they are";
        return Err(yaml.document.error(&key.span, message));
    }
    let flags = map.take("output_validator_flags");
    let args = map.take("output_validator_args");
    let found = match (flags, args) {
        (Some((key, _)), Some(_)) => {
            let message = "`output_validator_flags` and `output_validator_args` are both given: leave one of them out";
            return Err(yaml.document.error(&key.span, message));
        }
        (Some(flags), None) | (None, Some(flags)) => Some(arguments(&yaml, flags)?),
        (None, None) => None,
    };
    let legacy = version.is_legacy();
    map.finish(|name| match (name, legacy) {
        ("validator_flags", _) => Some("write `output_validator_flags`".to_owned()),
        _ => None,
    })?;
    Ok(found)
}

/// A list of words; or a line of them; or a map with such a line as `flags`, and the validator's
/// `name`, of which there is one.
fn arguments(yaml: &Yaml, (key, node): (&Key, &Node)) -> Result<Vec<String>> {
    let document = &yaml.document;
    match &node.value {
        Value::List(items) => items
            .iter()
            .map(|item| text(document, item, &key.name).map(str::to_owned))
            .collect(),
        Value::Map(_) => {
            let mut map = Map::of(document, node, &key.name)?;
            map.text("name")?;
            let flags = match map.text("flags")? {
                Some((key, flags)) => words(yaml, key, flags)?,
                None => Vec::new(),
            };
            map.finish(|_| None)?;
            Ok(flags)
        }
        _ => words(yaml, key, text(document, node, &key.name)?),
    }
}
