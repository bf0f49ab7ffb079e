//! A file that a user wrote: its text, and errors that point into it.
//!
//! Every complaint has the same form, whether it comes from the TOML parser, from serde or from
//! our own checks: `FILE:LINE: what is wrong`, the line, and a mark under the place.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::{Error, Result, unreadable};
use crate::spec::nearest::{listed, nearest};

/// A file and its text.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// Reads a file. `what` names its kind in the error ("problem file").
    pub(crate) fn read(what: &str, path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| unreadable(what, path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            Error::usage(format!(
                "{}:{line}: this is not UTF-8 text: save the file as UTF-8",
                path.display()
            ))
        })?;
        Ok(Document::new(path, text))
    }

    /// A document whose text is at hand; `path` is only for messages.
    pub(crate) fn new(path: &Path, text: String) -> Self {
        Document {
            path: path.to_owned(),
            text,
        }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where a line begins, which are counted from 1.
    pub(crate) fn start_of_line(&self, number: usize) -> usize {
        let lines = self
            .text
            .split_inclusive('\n')
            .take(number.saturating_sub(1));
        lines.map(str::len).sum()
    }

    /// Deserializes the text.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| {
            let message = reworded(error.message());
            match error.span() {
                // What is missing at the top has the whole document as its place.
                Some(span) if !(message.ends_with("is missing") && self.is_whole(&span)) => {
                    self.error(&span, message)
                }
                _ => self.error_without_line(message),
            }
        })
    }

    /// True for the span of the document's own table.
    fn is_whole(&self, span: &Range<usize>) -> bool {
        let after = self.text.get(span.end..).unwrap_or("");
        span.start == 0 && (span.end == 0 || after.trim().is_empty() && !self.text.starts_with('['))
    }

    /// An error at a place in the text.
    pub(crate) fn error(&self, span: &Range<usize>, message: impl AsRef<str>) -> Error {
        // A span may lie beyond the end (an unclosed string) or be empty.
        let start = floor_boundary(&self.text, span.start);
        let before = &self.text[..start];
        let number = before.matches('\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let line_end = line_start + line.len();
        let end = floor_boundary(&self.text, span.end).clamp(start, line_end.max(start));
        let width = self.text[start..end].chars().count().max(1);
        let place = self.place(span);
        let indent: String = self.text[line_start..start]
            .chars()
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let gutter = " ".repeat(number.to_string().len());
        Error::usage(format!(
            "{place}: {}\n{number} | {line}\n{gutter} | {indent}{}",
            message.as_ref(),
            "^".repeat(width)
        ))
    }

    /// The file and line of a place.
    pub(crate) fn place(&self, span: &Range<usize>) -> String {
        let start = floor_boundary(&self.text, span.start);
        let number = self.text[..start].matches('\n').count() + 1;
        format!("{}:{number}", self.path.display())
    }

    /// An error about the file as a whole.
    pub(crate) fn error_without_line(&self, message: impl AsRef<str>) -> Error {
        Error::usage(format!("{}: {}", self.path.display(), message.as_ref()))
    }
}

/// The nearest place at or before `at` that does not lie inside a character.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|i| text.is_char_boundary(*i))
        .unwrap_or(0)
}

/// Serde's words in ours, with the nearest valid name where one was mistyped.
fn reworded(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown field ") {
        return unknown("key", rest);
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return unknown("value", rest);
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("{rest} is missing");
    }
    if let Some(rest) = message.strip_prefix("duplicate field ") {
        return format!("{rest} is given twice");
    }
    if let Some((found, expected)) = message
        .strip_prefix("invalid type: ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        return format!(
            "this is {} where {} belongs",
            a_thing(found),
            a_kind(expected)
        );
    }
    message.trim_end().replace('\n', "; ")
}

/// What serde found, in TOML's words.
fn a_thing(found: &str) -> String {
    match found.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer" | "floating", number)) => format!("the number {number}"),
        _ if found == "sequence" => "a list".to_owned(),
        _ if found == "map" => "a table".to_owned(),
        _ => format!("a {found}"),
    }
}

/// What serde expected, in TOML's words.
fn a_kind(expected: &str) -> &str {
    match expected {
        "i64" | "u32" => "a whole number",
        "a string" => "a text in quotes",
        "a sequence" => "a list in brackets",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ => expected,
    }
}

/// From "`cpuu`, expected one of `cpu`, `wall`" to "unknown key `cpuu`: did you mean `cpu`?".
fn unknown(what: &str, rest: &str) -> String {
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let name = quoted.next().unwrap_or("");
    let valid: Vec<&str> = quoted.collect();
    match nearest(name, valid.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`: did you mean `{near}`?"),
        None if valid.is_empty() => format!("unknown {what} `{name}`"),
        None => format!(
            "unknown {what} `{name}`: valid here: {}",
            listed(valid.iter().copied())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only the errors of parsing are looked at")]
    struct Sample {
        cpu: String,
        kind: Option<Kind>,
        inner: Option<Inner>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Small,
        Large,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the errors of parsing are looked at")]
    struct Inner {
        size: u32,
    }

    fn complaint(text: &str) -> String {
        Document::new(Path::new("x.toml"), text.to_owned())
            .parse::<Sample>()
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_mistyped_key_is_shown_with_the_nearest() {
        insta::assert_snapshot!(complaint("# a comment\ncpuu = \"1s\"\n"), @r#"
        x.toml:2: unknown key `cpuu`: did you mean `cpu`?
        2 | cpuu = "1s"
          | ^^^^
        "#);
    }

    #[test]
    fn a_strange_key_is_shown_with_all_valid_ones() {
        insta::assert_snapshot!(complaint("elephant = 1\n"), @r"
        x.toml:1: unknown key `elephant`: valid here: `cpu`, `kind` and `inner`
        1 | elephant = 1
          | ^^^^^^^^
        ");
    }

    #[test]
    fn a_mistyped_value_is_shown_with_the_nearest() {
        insta::assert_snapshot!(complaint("cpu = \"1s\"\nkind = \"smal\"\n"), @r#"
        x.toml:2: unknown value `smal`: did you mean `small`?
        2 | kind = "smal"
          |        ^^^^^^
        "#);
    }

    #[test]
    fn what_is_missing_is_named() {
        insta::assert_snapshot!(complaint("kind = \"small\"\n"), @"x.toml: `cpu` is missing");
        insta::assert_snapshot!(complaint("cpu = \"1s\"\n\n[inner]\n"), @r"
        x.toml:3: `size` is missing
        3 | [inner]
          | ^^^^^^^
        ");
    }

    #[test]
    fn a_mistake_in_the_toml_is_pointed_at() {
        insta::assert_snapshot!(complaint("cpu = \"1s\nkind = 1\n"), @r#"
        x.toml:1: invalid basic string, expected `"`
        1 | cpu = "1s
          |          ^
        "#);
        insta::assert_snapshot!(complaint("cpu = \"1s\"\ncpu = \"2s\"\n"), @r#"
        x.toml:2: duplicate key
        2 | cpu = "2s"
          | ^^^
        "#);
        insta::assert_snapshot!(complaint("cpu = 1s\n"), @r"
        x.toml:1: string values must be quoted, expected literal string
        1 | cpu = 1s
          |       ^^
        ");
    }

    #[test]
    fn a_value_of_another_type_is_shown_with_the_right_one() {
        insta::assert_snapshot!(complaint("cpu = [1]\n"), @r"
        x.toml:1: this is a list where a text in quotes belongs
        1 | cpu = [1]
          |       ^^^
        ");
        insta::assert_snapshot!(complaint("cpu = \"1s\"\n[inner]\nsize = \"9\"\n"), @r#"
        x.toml:3: this is the text "9" where a whole number belongs
        3 | size = "9"
          |        ^^^
        "#);
        insta::assert_snapshot!(complaint("cpu = \"1s\"\ninner = true\n"), @r"
        x.toml:2: this is a boolean `true` where a table belongs
        2 | inner = true
          |         ^^^^
        ");
    }

    #[test]
    fn letters_outside_ascii_do_not_shift_the_mark() {
        insta::assert_snapshot!(complaint("kind = \"größe\"\n"), @r#"
        x.toml:1: unknown value `größe`: valid here: `small` and `large`
        1 | kind = "größe"
          |        ^^^^^^^
        "#);
    }

    #[test]
    fn an_unreadable_file_is_named_with_the_reason() {
        let error = Document::read("problem file", Path::new("/nowhere/problem.toml")).unwrap_err();
        insta::assert_snapshot!(error.to_string(), @"cannot read the problem file `/nowhere/problem.toml`: no such file or directory");
    }

    #[test]
    fn a_file_that_is_not_text_is_told_where() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        std::fs::write(&path, b"a = 1\nb = \"\xff\"\n").unwrap();
        let error = Document::read("file", &path).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{}:2: this is not UTF-8 text: save the file as UTF-8",
                path.display()
            )
        );
    }
}
