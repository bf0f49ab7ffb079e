//! The sets of tests: `judging`, with the limits and the patterns of the files' names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use roxmltree::Node;

use super::xml::{Xml, child};
use crate::error::Result;
use crate::spec::left_out::LeftOut;
use crate::spec::problem::Test;

/// What `judging` says.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) tests: Vec<Test>,
    pub(super) time_limit: Option<Duration>,
    /// In bytes.
    pub(super) memory_limit: Option<u64>,
}

/// The most time that a limit may give, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;
/// The most tests of one set; more is a slip.
const MOST: u64 = 1_000_000;

/// Reads all sets of tests.
pub(super) fn read(xml: &Xml<'_>, judging: Node<'_, '_>, left_out: &mut LeftOut) -> Result<Found> {
    if judging
        .attribute("run-count")
        .is_some_and(|count| count.trim() != "1")
    {
        let message = "`run-count`: solutions that are run several times on a test are not supported: use the problem's own judge";
        return Err(xml.error(judging, message));
    }
    for name in ["input-file", "output-file"] {
        if judging.attribute(name).is_some_and(|file| !file.is_empty()) {
            let what = "solutions talk by their standard input and output";
            left_out.key(xml.document, &xml.place(judging), name, what);
        }
    }
    let sets: Vec<_> = (judging.children())
        .filter(|node| node.has_tag_name("testset"))
        .collect();
    let mut found = Found::default();
    for (number, set) in sets.iter().enumerate() {
        let name = set.attribute("name").unwrap_or("tests");
        let folder = (sets.len() > 1).then_some(name);
        limits(xml, *set, &mut found, number == 0)?;
        tests(xml, *set, folder, &mut found, left_out)?;
    }
    match found.tests.is_empty() {
        true => Err(xml.error(
            judging,
            "`judging` has no `testset` with tests: a problem needs a test",
        )),
        false => Ok(found),
    }
}

fn limits(xml: &Xml<'_>, set: Node<'_, '_>, found: &mut Found, first: bool) -> Result<()> {
    let number = |name| child(set, name).map(|node| Ok((node, xml.number(node)?)));
    let time = number("time-limit").transpose()?;
    let memory = number("memory-limit").transpose()?;
    if let Some((node, milliseconds)) = time {
        if milliseconds > LONGEST {
            return Err(xml.error(
                node,
                "`time-limit` is more than a day: it is in milliseconds",
            ));
        }
        let limit = Duration::from_millis(milliseconds);
        if !first && found.time_limit != Some(limit) {
            return Err(xml.error(node, "the sets of tests have different limits, which is not supported: give them the same"));
        }
        found.time_limit = Some(limit);
    }
    if let Some((node, bytes)) = memory {
        if !first && found.memory_limit != Some(bytes) {
            return Err(xml.error(node, "the sets of tests have different limits, which is not supported: give them the same"));
        }
        found.memory_limit = Some(bytes);
    }
    Ok(())
}

fn tests(
    xml: &Xml<'_>,
    set: Node<'_, '_>,
    folder: Option<&str>,
    found: &mut Found,
    left_out: &mut LeftOut,
) -> Result<()> {
    let listed: Vec<_> = (child(set, "tests").into_iter())
        .flat_map(|tests| tests.children())
        .filter(|node| node.has_tag_name("test"))
        .collect();
    let count = match child(set, "test-count") {
        Some(node) if node.text().is_some_and(|text| text.trim() == "0") => 0,
        Some(node) => match xml.number(node)? {
            count if count > MOST => {
                return Err(xml.error(node, format!("`test-count` is more than {MOST}")));
            }
            count => count,
        },
        None => listed.len() as u64,
    };
    if count == 0 {
        return Ok(());
    }
    for (name, what) in [
        ("points", "points of tests are not put together"),
        (
            "group",
            "groups are not judged as a whole; each test is judged by itself",
        ),
    ] {
        if let Some(test) = listed.iter().find(|test| test.has_attribute(name)) {
            left_out.key(xml.document, &xml.place(*test), name, what);
        }
    }
    let input = xml.child(set, "input-path-pattern")?;
    let answer = xml.child(set, "answer-path-pattern")?;
    for number in 1..=count {
        let place = listed.get(number as usize - 1).copied();
        let (_, written) = path(xml, input, number)?;
        let input = file(xml, input, place, "input", number)?;
        let answer = file(xml, answer, place, "answer", number)?;
        let name = Path::new(&written).file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        found.tests.push(Test {
            name: folder.map_or_else(|| name.to_string(), |folder| format!("{folder}/{name}")),
            input,
            answer: Some(answer),
            interactor_args: Vec::new(),
        });
    }
    Ok(())
}

/// A file of a test, absolute and without links.
fn file(
    xml: &Xml<'_>,
    pattern: Node<'_, '_>,
    test: Option<Node<'_, '_>>,
    what: &str,
    number: u64,
) -> Result<PathBuf> {
    let (path, written) = path(xml, pattern, number)?;
    let real = path.canonicalize().ok().filter(|real| real.is_file());
    real.ok_or_else(|| {
        let message = format!(
            "test {number} has no {what}: there is no file `{written}`: run the package's doall.sh, or take the package with its tests"
        );
        xml.error(test.unwrap_or(pattern), message)
    })
}

/// The path that a pattern such as `tests/%02d` gives a test, and the same as it is written.
fn path(xml: &Xml<'_>, pattern: Node<'_, '_>, number: u64) -> Result<(PathBuf, String)> {
    let written = pattern.text().unwrap_or_default().trim().replace('\\', "/");
    let filled = fill(&written, number).ok_or_else(|| {
        let message = format!("`{written}` is no pattern of names: write one such as `tests/%02d`");
        xml.error(pattern, message)
    })?;
    Ok((xml.folder.join(&filled), filled))
}

/// Fills in the number for `%d` or `%0Nd`.
fn fill(pattern: &str, number: u64) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    if !width.chars().all(|c| c.is_ascii_digit()) || after.contains('%') {
        return None;
    }
    let width: usize = match width {
        "" => 0,
        width => width.parse().ok().filter(|width| *width < 20)?,
    };
    Some(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn patterns_are_filled_as_printf_does() {
        assert_eq!(fill("tests/%02d", 7).as_deref(), Some("tests/07"));
        assert_eq!(fill("tests/%02d.a", 123).as_deref(), Some("tests/123.a"));
        assert_eq!(fill("%d.in", 7).as_deref(), Some("7.in"));
        for wrong in ["tests/1", "%s", "%02d/%d", "%-2d", "%99999999999d"] {
            assert_eq!(fill(wrong, 1), None, "{wrong}");
        }
    }
}
