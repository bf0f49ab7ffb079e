//! What a package asks for and does not get: a sentence each, with its place.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::spec::document::Document;

/// The sentences, each key named once: a package can have it in every folder.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    named: BTreeSet<String>,
    sentences: Vec<String>,
}

impl LeftOut {
    /// Names a key of a file. `what` reads after "is not supported: ".
    pub(crate) fn key(&mut self, document: &Document, span: &Range<usize>, key: &str, what: &str) {
        if self.named.insert(key.to_owned()) {
            let place = document.place(span);
            self.sentences
                .push(format!("{place}: `{key}` is not supported: {what}"));
        }
    }

    /// Says something of a file or folder; `what` reads after its name and a colon.
    pub(crate) fn file(&mut self, path: &Path, what: impl AsRef<str>) {
        let path = path.display();
        self.sentences.push(format!("{path}: {}", what.as_ref()));
    }

    /// All of them, in the order in which they were found.
    pub(crate) fn sentences(self) -> Vec<String> {
        self.sentences
    }
}
