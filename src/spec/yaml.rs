//! A YAML file that a user wrote, as a tree in which everything knows its place.
//!
//! The formats that use YAML let one key be a text, a list or a map, and their keys may be patterns,
//! so there is a tree instead of a structure for each file. [`Map`] takes known keys out of it;
//! what is left at the end is unknown, and is named.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use crate::error::{Error, Result};
use crate::spec::document::Document;
use crate::spec::nearest::{listed, nearest};

/// A value and its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Nothing,
    Bool(bool),
    /// A text, or a number as it is written; `quoted` where it cannot be a number.
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key of a map and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub(crate) span: Range<usize>,
    pub(crate) name: String,
}

/// A file and its tree.
#[derive(Debug)]
pub(crate) struct Yaml {
    pub(crate) document: Document,
    pub(crate) root: Node,
}

impl Yaml {
    /// Reads a file. `what` names its kind in the error.
    ///
    /// # Errors
    /// [`Error::Usage`] if it cannot be read, or with the line that is no YAML.
    pub(crate) fn read(what: &str, path: &Path) -> Result<Self> {
        Yaml::parse(Document::read(what, path)?)
    }

    fn parse(document: Document) -> Result<Self> {
        let options = serde_saphyr::options! { with_snippet: false };
        let root = serde_saphyr::from_str_with_options::<Node>(document.text(), options);
        match root {
            Ok(root) => Ok(Yaml { document, root }),
            Err(error) => Err(broken(&document, &error)),
        }
    }

    /// The keys of the whole file; none if it is empty.
    pub(crate) fn map(&self) -> Result<Map<'_>> {
        Map::of(&self.document, &self.root, "the file")
    }
}

fn broken(document: &Document, error: &serde_saphyr::Error) -> Error {
    let text = error.to_string();
    // The place is shown by the line and the mark.
    let text = text.split(" at line ").next().unwrap_or(&text);
    let text = text.rsplit_once(" column ").map_or(text, |(_, rest)| {
        rest.split_once(": ").map_or(text, |(_, rest)| rest)
    });
    let text = text.lines().next().unwrap_or("it cannot be read").trim();
    // The library advises its caller about its options.
    let text = text.split(", set ").next().unwrap_or(text);
    let message = format!("this is not valid YAML: {text}");
    match error.location() {
        Some(place) if place.line() > 0 => document.error(&span(&place, document), message),
        _ => document.error_without_line(message),
    }
}

/// The place in bytes.
fn span(place: &Location, document: &Document) -> Range<usize> {
    let found = place.span();
    match (found.byte_offset(), found.byte_len()) {
        (Some(start), Some(length)) => start as usize..(start + length) as usize,
        _ => {
            let start = document.start_of_line(place.line() as usize);
            start..start
        }
    }
}

fn bytes(place: &Location) -> Range<usize> {
    let found = place.span();
    let start = found.byte_offset().unwrap_or(0) as usize;
    start..start + found.byte_len().unwrap_or(0) as usize
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let found = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Node {
            span: bytes(&found.referenced),
            value: found.value,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a list or a map")
            }

            fn visit_unit<E>(self) -> std::result::Result<Value, E> {
                Ok(Value::Nothing)
            }

            fn visit_none<E>(self) -> std::result::Result<Value, E> {
                Ok(Value::Nothing)
            }

            fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
                Ok(Value::Bool(value))
            }

            fn visit_i64<E>(self, number: i64) -> std::result::Result<Value, E> {
                Ok(Value::Text(number.to_string()))
            }

            fn visit_u64<E>(self, number: u64) -> std::result::Result<Value, E> {
                Ok(Value::Text(number.to_string()))
            }

            fn visit_f64<E>(self, number: f64) -> std::result::Result<Value, E> {
                Ok(Value::Text(number.to_string()))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut items: A,
            ) -> std::result::Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Value::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut entries: A,
            ) -> std::result::Result<Value, A::Error> {
                let mut map = Vec::new();
                while let Some((key, value)) = entries.next_entry::<Spanned<String>, Node>()? {
                    let span = bytes(&key.referenced);
                    let name = key.value;
                    map.push((Key { span, name }, value));
                }
                Ok(Value::Map(map))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// The keys of a map, of which known ones are taken.
#[derive(Debug)]
pub(crate) struct Map<'a> {
    document: &'a Document,
    entries: Vec<(&'a Key, &'a Node)>,
    /// Every name that was asked for.
    known: Vec<&'static str>,
}

impl<'a> Map<'a> {
    /// The keys of a value; none if there is no value.
    pub(crate) fn of(document: &'a Document, node: &'a Node, what: &str) -> Result<Self> {
        let entries = match &node.value {
            Value::Map(entries) => entries.iter().map(|(key, node)| (key, node)).collect(),
            Value::Nothing => Vec::new(),
            other => {
                let is = kind(other);
                let message = format!("{what} is {is} where keys with values belong");
                return Err(document.error(&node.span, message));
            }
        };
        Ok(Map {
            document,
            entries,
            known: Vec::new(),
        })
    }

    /// The value of a key, which counts as known from now on. A key without a value is not there.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<(&'a Key, &'a Node)> {
        self.known.push(name);
        let at = self.entries.iter().position(|(key, _)| key.name == name)?;
        let taken = self.entries.remove(at);
        (taken.1.value != Value::Nothing).then_some(taken)
    }

    /// Takes keys whose values say nothing that matters here.
    pub(crate) fn skip(&mut self, names: &[&'static str]) {
        for name in names {
            self.take(name);
        }
    }

    /// The text of a key.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<(&'a Key, &'a str)>> {
        let Some((key, node)) = self.take(name) else {
            return Ok(None);
        };
        Ok(Some((key, text(self.document, node, name)?)))
    }

    /// The texts of a key: one, or a list of them.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Option<(&'a Key, Vec<String>)>> {
        let Some((key, node)) = self.take(name) else {
            return Ok(None);
        };
        let texts = match &node.value {
            Value::List(items) => items
                .iter()
                .map(|item| text(self.document, item, name).map(str::to_owned))
                .collect::<Result<_>>()?,
            _ => vec![text(self.document, node, name)?.to_owned()],
        };
        Ok(Some((key, texts)))
    }

    /// The positive number of a key, in its unit.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<(&'a Key, f64)>> {
        let Some((key, node)) = self.take(name) else {
            return Ok(None);
        };
        let written = text(self.document, node, name)?;
        let number = written.trim().parse::<f64>().ok();
        // A year in seconds, an exbibyte in MiB: more than that is a slip.
        match number.filter(|number| *number > 0.0 && *number <= 1e12) {
            Some(number) => Ok(Some((key, number))),
            None => Err(self.document.error(
                &node.span,
                format!("`{name}` is `{written}` where a number above 0 belongs"),
            )),
        }
    }

    /// What was not taken.
    pub(crate) fn rest(self) -> Vec<(&'a Key, &'a Node)> {
        self.entries
    }

    /// Complains about the first key that was not taken. `hint` may say what to do about it.
    pub(crate) fn finish(self, hint: impl Fn(&str) -> Option<String>) -> Result<()> {
        let Some((key, _)) = self.entries.first() else {
            return Ok(());
        };
        let name = &key.name;
        let message = match (hint(name), nearest(name, self.known.iter().copied())) {
            (Some(hint), _) => format!("unknown key `{name}`: {hint}"),
            (None, Some(near)) => format!("unknown key `{name}`: did you mean `{near}`?"),
            (None, None) => {
                let known = listed(self.known.iter().copied());
                format!("unknown key `{name}`: remove it; valid here: {known}")
            }
        };
        Err(self.document.error(&key.span, message))
    }
}

/// The text that a value is.
pub(crate) fn text<'a>(document: &Document, node: &'a Node, name: &str) -> Result<&'a str> {
    match &node.value {
        Value::Text(text) => Ok(text),
        other => {
            let is = kind(other);
            Err(document.error(&node.span, format!("`{name}` is {is} where a text belongs")))
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Nothing => "nothing",
        Value::Bool(true) => "`true`",
        Value::Bool(false) => "`false`",
        Value::Text(_) => "a text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Yaml> {
        Yaml::parse(Document::new(Path::new("p.yaml"), text.to_owned()))
    }

    fn complaint(text: &str, look: impl Fn(&mut Map<'_>) -> Result<()>) -> String {
        let looked = parse(text).and_then(|yaml| {
            let mut map = yaml.map()?;
            look(&mut map)?;
            map.finish(|_| None)
        });
        looked.unwrap_err().to_string()
    }

    #[test]
    fn values_are_taken_by_name() {
        let yaml = parse("a: 1.5 # x\r\nb: [x, 'y z']\r\nc:\r\n  d: true\r\ne: 2025-09\r\nf:\r\n")
            .unwrap();
        let mut map = yaml.map().unwrap();
        assert_eq!(map.number("a").unwrap().unwrap().1, 1.5);
        assert_eq!(map.texts("b").unwrap().unwrap().1, ["x", "y z"]);
        assert_eq!(map.text("e").unwrap().unwrap().1, "2025-09");
        assert!(map.take("f").is_none());
        let (key, node) = map.take("c").unwrap();
        assert_eq!(key.name, "c");
        let mut inner = Map::of(&yaml.document, node, "c").unwrap();
        assert_eq!(inner.take("d").unwrap().1.value, Value::Bool(true));
        inner.finish(|_| None).unwrap();
        map.finish(|_| None).unwrap();
        assert!(parse("").unwrap().map().unwrap().rest().is_empty());
        assert!(
            parse("# nothing\n")
                .unwrap()
                .map()
                .unwrap()
                .rest()
                .is_empty()
        );
    }

    #[test]
    fn mistakes_are_shown_with_their_lines() {
        let told = [
            complaint("limits: x\nlimitz: y\n", |map| {
                map.text("limits").map(|_| ())
            }),
            complaint("a: 1\nelephant: y\n", |map| map.text("a").map(|_| ())),
            complaint("a: [1, 2]\n", |map| map.text("a").map(|_| ())),
            complaint("a: 1\nb: -3\n", |map| map.number("b").map(|_| ())),
            complaint("ä: ö\r\nb: many\r\n", |map| map.number("b").map(|_| ())),
            complaint("- 1\n", |_| Ok(())),
            complaint("a: 1\na: 2\n", |_| Ok(())),
            complaint("a: 'x\nb: 1\n", |_| Ok(())),
            complaint("a: [1\nb: 1\n", |_| Ok(())),
            complaint("a:\n\t- x\n", |_| Ok(())),
            complaint("a: b: c\n", |_| Ok(())),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }
}
