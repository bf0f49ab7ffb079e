//! Command templates: words with `{placeholders}`, as the language table has them.
//!
//! A placeholder is a name of small letters in braces. Everything else, also a lone brace or `{}`,
//! stands for itself, so that scripts can be written into a template.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// The names of the placeholders in a word, in order.
pub(crate) fn placeholders(word: &str) -> Vec<&str> {
    pieces(word)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name),
            Piece::Text(_) => None,
        })
        .collect()
}

/// True if any of the words has this placeholder.
pub(crate) fn uses(words: &[String], name: &str) -> bool {
    words.iter().any(|word| placeholders(word).contains(&name))
}

/// The words with the placeholders replaced. A placeholder without a value stays as it is; the
/// table's check has refused it long before.
pub(crate) fn fill(words: &[String], values: &[(&str, &OsStr)]) -> Vec<OsString> {
    words.iter().map(|word| fill_word(word, values)).collect()
}

/// One word with its placeholders replaced.
pub(crate) fn fill_word(word: &str, values: &[(&str, &OsStr)]) -> OsString {
    let mut filled = Vec::new();
    for piece in pieces(word) {
        match piece {
            Piece::Text(text) => filled.extend_from_slice(text.as_bytes()),
            Piece::Placeholder(name) => match values.iter().find(|(key, _)| *key == name) {
                Some((_, value)) => filled.extend_from_slice(value.as_bytes()),
                None => filled.extend_from_slice(format!("{{{name}}}").as_bytes()),
            },
        }
    }
    OsStr::from_bytes(&filled).to_owned()
}

enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

fn pieces(word: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while let Some(open) = rest.find('{') {
        let (before, at) = rest.split_at(open);
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        let name_end = at[1..]
            .find(|c: char| !c.is_ascii_lowercase())
            .map_or(at.len(), |end| end + 1);
        if name_end > 1 && at[name_end..].starts_with('}') {
            pieces.push(Piece::Placeholder(&at[1..name_end]));
            rest = &at[name_end + 1..];
        } else {
            pieces.push(Piece::Text("{"));
            rest = &at[1..];
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(word: &str) -> String {
        let values = [
            ("source", OsStr::new("a {output}.c")),
            ("output", OsStr::new("/x/a")),
        ];
        fill_word(word, &values).into_string().unwrap()
    }

    #[test]
    fn placeholders_are_replaced_once_and_inside_words() {
        assert_eq!(filled("-o{output}"), "-o/x/a");
        assert_eq!(filled("{source}:{output}"), "a {output}.c:/x/a");
        assert_eq!(filled("plain"), "plain");
        assert_eq!(filled(""), "");
    }

    #[test]
    fn other_braces_stand_for_themselves() {
        for word in ["{}", "{ source }", "{Source}", "{source", "}{", "{{", "{é}"] {
            assert_eq!(filled(word), word);
            assert_eq!(placeholders(word), Vec::<&str>::new());
        }
        assert_eq!(filled("{{source}}"), "{a {output}.c}");
    }

    #[test]
    fn placeholders_are_listed() {
        assert_eq!(placeholders("{a}-{b}{c} {} {a}"), vec!["a", "b", "c", "a"]);
        assert!(uses(&["x".into(), "-I{folder}".into()], "folder"));
        assert!(!uses(&["folder".into()], "folder"));
    }
}
