//! The solutions and what their tags expect.

use roxmltree::Node;

use super::xml::{Xml, child};
use crate::error::Result;
use crate::spec::expectation::Rule;
use crate::spec::left_out::LeftOut;
use crate::spec::nearest::{listed, nearest};
use crate::spec::problem::Solution;
use crate::verdict::Verdict::{
    self, Accepted, IdlenessLimit, MemoryLimit, OutputLimit, Points, PresentationError,
    RuntimeError, SecurityViolation, TimeLimit, WallTimeLimit, WrongAnswer,
};

/// What a tag says is right. A verdict that Polygon does not tell apart counts as well: an idle
/// solution is too slow, and one that crashes at its limit of memory has met it.
const TAGS: [(&str, &[Verdict]); 13] = [
    ("main", &[Accepted, Points]),
    ("accepted", &[Accepted, Points]),
    ("rejected", &REJECTED),
    ("failed", &REJECTED),
    ("wrong-answer", &[WrongAnswer]),
    ("presentation-error", &[PresentationError]),
    ("time-limit-exceeded", &SLOW),
    (
        "time-limit-exceeded-or-accepted",
        &[Accepted, Points, TimeLimit, WallTimeLimit, IdlenessLimit],
    ),
    (
        "time-limit-exceeded-or-memory-limit-exceeded",
        &[
            TimeLimit,
            WallTimeLimit,
            IdlenessLimit,
            MemoryLimit,
            RuntimeError,
        ],
    ),
    ("memory-limit-exceeded", &[MemoryLimit, RuntimeError]),
    ("idleness-limit-exceeded", &[IdlenessLimit]),
    ("run-time-error", &CRASHES),
    ("runtime-error", &CRASHES),
];
const SLOW: [Verdict; 3] = [TimeLimit, WallTimeLimit, IdlenessLimit];
const CRASHES: [Verdict; 2] = [RuntimeError, SecurityViolation];
const REJECTED: [Verdict; 9] = [
    WrongAnswer,
    PresentationError,
    TimeLimit,
    WallTimeLimit,
    IdlenessLimit,
    MemoryLimit,
    OutputLimit,
    RuntimeError,
    SecurityViolation,
];
/// Tags of solutions that nobody is to run.
const NOT_RUN: [&str; 2] = ["do-not-run", "dont-run"];

/// All solutions, in their order; none if there is no list.
pub(super) fn read(
    xml: &Xml<'_>,
    assets: Node<'_, '_>,
    left_out: &mut LeftOut,
) -> Result<Vec<Solution>> {
    let mut solutions: Vec<Solution> = Vec::new();
    let all = child(assets, "solutions").into_iter();
    let all = all.flat_map(|all| all.children().collect::<Vec<_>>());
    for node in all.filter(|node| node.has_tag_name("solution")) {
        let source = xml.child(node, "source")?;
        let path = xml.file(source, "path")?;
        let tag = xml.attribute(node, "tag")?;
        if NOT_RUN.contains(&tag) {
            left_out.file(&path, format!("its tag is {tag}, so it is left out"));
            continue;
        }
        let Some((_, expected)) = TAGS.iter().find(|(name, _)| *name == tag) else {
            let known = TAGS.map(|(name, _)| name);
            let what = match nearest(tag, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", listed(known)),
            };
            return Err(xml.error(node, format!("unknown tag `{tag}`: {what}")));
        };
        if let Some(extra) =
            child(node, "extra-tags").filter(|extra| extra.children().any(|node| node.is_element()))
        {
            let what = "what is expected on one group or set of tests is not looked at";
            left_out.key(xml.document, &xml.place(extra), "extra-tags", what);
        }
        let name = source
            .attribute("path")
            .unwrap_or_default()
            .replace('\\', "/");
        solutions.push(Solution {
            name,
            path,
            expected: shown(expected),
            rules: vec![Rule::of(expected)],
        });
    }
    Ok(solutions)
}

/// The verdicts that it is there to show, of several that count as one the first.
fn shown(expected: &[Verdict]) -> Vec<Verdict> {
    if expected == REJECTED {
        return vec![WrongAnswer, TimeLimit, RuntimeError];
    }
    let others = [Points, WallTimeLimit, SecurityViolation];
    let mut shown = expected.to_vec();
    shown.retain(|verdict| !others.contains(verdict));
    if shown.contains(&TimeLimit) {
        shown.retain(|verdict| *verdict != IdlenessLimit);
    }
    if shown.contains(&MemoryLimit) {
        shown.retain(|verdict| *verdict != RuntimeError);
    }
    shown
}
