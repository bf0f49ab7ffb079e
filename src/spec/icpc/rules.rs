//! `submissions/submissions.yaml`: patterns of submissions, and what is demanded of those they
//! mean.

use std::ops::Range;
use std::path::Path;

use super::expected::{ANY, Class, Demand, class_named, of_folder};
use super::glob::means;
use super::metadata::Version;
use crate::error::Result;
use crate::spec::document::Document;
use crate::spec::left_out::LeftOut;
use crate::spec::problem::Test;
use crate::spec::yaml::{Key, Map, Node, Value, Yaml, text};

/// Keys of an entry that are no names of tests.
const KEYS: [&str; 8] = [
    "language",
    "entrypoint",
    "authors",
    "model_solution",
    "permitted",
    "required",
    "score",
    "message",
];

/// One entry of the file.
#[derive(Debug)]
pub(super) struct Entry {
    pattern: String,
    /// What is demanded, of which tests.
    demands: Vec<(Demand, Option<Vec<String>>)>,
}

impl Entry {
    /// True if it speaks of a submission, by its path below `submissions`.
    pub(super) fn is_about(&self, submission: &str) -> bool {
        means(&self.pattern, submission)
    }

    /// True if it stands in the place of what a folder's name demands.
    pub(super) fn replaces(&self, folder: &str) -> bool {
        self.pattern == folder
    }

    pub(super) fn demands(&self) -> &[(Demand, Option<Vec<String>>)] {
        &self.demands
    }
}

/// Reads the file, if it is there.
pub(super) fn read(
    path: &Path,
    version: Version,
    submissions: &[String],
    tests: &[Test],
    left_out: &mut LeftOut,
) -> Result<Vec<Entry>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let yaml = Yaml::read("file", path)?;
    let mut entries = Vec::new();
    for (key, node) in yaml.map()?.rest() {
        if !submissions.iter().any(|name| means(&key.name, name)) {
            let message = format!("`{}` means no submission: check the name", key.name);
            // The defaults may be written out, also for folders that are not there.
            match of_folder(&key.name, version) {
                Some(_) => continue,
                None => return Err(yaml.document.error(&key.span, message)),
            }
        }
        let reader = Reader {
            document: &yaml.document,
            tests,
        };
        entries.push(reader.entry(key, node, version, left_out)?);
    }
    Ok(entries)
}

struct Reader<'a> {
    document: &'a Document,
    tests: &'a [Test],
}

impl Reader<'_> {
    fn entry(
        &self,
        key: &Key,
        node: &Node,
        version: Version,
        left_out: &mut LeftOut,
    ) -> Result<Entry> {
        let mut map = Map::of(self.document, node, &format!("`{}`", key.name))?;
        let default = of_folder(&key.name, version);
        let mut demands = Vec::new();
        if let Some(demand) = self.demand(&mut map, default, left_out)? {
            demands.push((demand, None));
        }
        map.skip(&["authors", "model_solution"]);
        for name in ["language", "entrypoint"] {
            if let Some((key, _)) = map.take(name) {
                let what = "the language and the first source are those that the files' names say";
                left_out.key(self.document, &key.span, name, what);
            }
        }
        for (key, node) in map.rest() {
            let named = self.tests.iter().map(|test| &test.name);
            let of: Vec<String> = named
                .filter(|name| means(&key.name, name))
                .cloned()
                .collect();
            let Value::Map(_) = &node.value else {
                return Err(self.unknown(key));
            };
            if of.is_empty() {
                return Err(self.unknown(key));
            }
            let mut inner = Map::of(self.document, node, &format!("`{}`", key.name))?;
            if let Some(demand) = self.demand(&mut inner, None, left_out)? {
                demands.push((demand, Some(of)));
            }
            inner.finish(|_| None)?;
        }
        Ok(Entry {
            pattern: key.name.clone(),
            demands,
        })
    }

    fn unknown(&self, key: &Key) -> crate::error::Error {
        let near = crate::spec::nearest::nearest(&key.name, KEYS);
        let hint = near.map_or_else(
            || "tests are named as `sample`, `secret/group1` or `secret/*-hard`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!(
            "`{}` is neither a key nor the name of tests: {hint}",
            key.name
        );
        self.document.error(&key.span, message)
    }

    /// What `permitted` and `required` say, if one of them is there.
    fn demand(
        &self,
        map: &mut Map<'_>,
        default: Option<Demand>,
        left_out: &mut LeftOut,
    ) -> Result<Option<Demand>> {
        // It bounds a time limit that is found out, which is not done here.
        map.skip(&["use_for_time_limit"]);
        for (name, what) in [
            ("score", "scores are not put together, and not compared"),
            ("message", "what the validator says is not compared"),
        ] {
            if let Some((key, _)) = map.take(name) {
                left_out.key(self.document, &key.span, name, what);
            }
        }
        let permitted = self.classes(map, "permitted")?;
        let required = self.classes(map, "required")?;
        if permitted.is_none() && required.is_none() {
            return Ok(default);
        }
        let (permitted_by_default, required_by_default) = match default {
            Some(demand) => (demand.permitted, demand.required),
            None => (ANY.to_vec(), Vec::new()),
        };
        let (required, span) = match required {
            Some((required, span)) => (required, span),
            None => (required_by_default, 0..0),
        };
        let permitted = permitted.map_or(permitted_by_default, |(permitted, _)| permitted);
        if !required.is_empty() && !required.iter().any(|class| permitted.contains(class)) {
            let message = "nothing that is `required` is `permitted`: no submission can do that";
            return Err(self.document.error(&span, message));
        }
        // What all tests may be demands nothing of one.
        let required = match ANY.iter().all(|class| required.contains(class)) {
            true => Vec::new(),
            false => required,
        };
        Ok(Some(Demand {
            permitted,
            required,
        }))
    }

    fn classes(
        &self,
        map: &mut Map<'_>,
        name: &'static str,
    ) -> Result<Option<(Vec<Class>, Range<usize>)>> {
        let Some((key, node)) = map.take(name) else {
            return Ok(None);
        };
        let items = match &node.value {
            Value::List(items) => items.iter().collect(),
            _ => vec![node],
        };
        let mut classes = Vec::new();
        for item in items {
            let word = text(self.document, item, name)?;
            let class = class_named(word).ok_or_else(|| {
                let message =
                    format!("`{name}` has the unknown result `{word}`: write AC, WA, TLE or RTE");
                self.document.error(&item.span, message)
            })?;
            classes.push(class);
        }
        match classes.is_empty() {
            true => {
                let message = format!("`{name}` is empty: write AC, WA, TLE or RTE");
                Err(self.document.error(&key.span, message))
            }
            false => Ok(Some((classes, key.span.clone()))),
        }
    }
}
