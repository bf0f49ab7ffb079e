//! `@EXPECTED_RESULTS@:` in a source: what its author expects of it, in words of DOMjudge and of
//! Kattis.

use super::expected::{self, Class};

/// The mark; results separated by commas follow.
const MARK: &str = "@EXPECTED_RESULTS@:";

/// What a tag asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Tag {
    /// One of these results.
    Results(Vec<Class>),
    /// A result that no run can have, by this word.
    Other(String),
}

/// The tag in a source, if it has one.
pub(super) fn find(source: &[u8]) -> Option<Tag> {
    let text = String::from_utf8_lossy(source);
    let line = text.lines().find_map(|line| line.split_once(MARK))?.1;
    // What closes a comment is not of the list.
    let line = ["*/", "-->", "*)", "\"\"\""]
        .iter()
        .fold(line, |line, end| {
            line.split_once(end).map_or(line, |(before, _)| before)
        });
    let mut results = Vec::new();
    for word in line
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
    {
        match expected::class_named(word) {
            Some(class) => results.push(class),
            None => return Some(Tag::Other(word.to_owned())),
        }
    }
    Some(Tag::Results(results))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_in_any_comment() {
        let results = |classes: &[Class]| Some(Tag::Results(classes.to_vec()));
        assert_eq!(
            find(b"#!/x\n# @EXPECTED_RESULTS@: TIMELIMIT, wrong-answer\r\n"),
            results(&[Class::TimeLimit, Class::WrongAnswer])
        );
        assert_eq!(
            find(b"/* @EXPECTED_RESULTS@: CORRECT */"),
            results(&[Class::Accepted])
        );
        assert_eq!(
            find(b"// @EXPECTED_RESULTS@: COMPILER-ERROR"),
            Some(Tag::Other("COMPILER-ERROR".into()))
        );
        assert_eq!(find(b"int main() {}"), None);
    }
}
