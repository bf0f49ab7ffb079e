//! `problem.xml` as a tree whose mistakes have places.

use std::ops::Range;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use crate::error::{Error, Result};
use crate::spec::document::Document;

/// The file, and the folder of the package.
pub(super) struct Xml<'a> {
    pub(super) folder: &'a Path,
    pub(super) document: &'a Document,
}

/// The tree of a file.
pub(super) fn parse(document: &Document) -> Result<roxmltree::Document<'_>> {
    roxmltree::Document::parse(document.text()).map_err(|error| {
        let place = error.pos();
        let start = document.start_of_line(place.row as usize);
        let line = document.text().get(start..).unwrap_or_default();
        let before = line.chars().take(place.col.saturating_sub(1) as usize);
        let at = start + before.map(char::len_utf8).sum::<usize>();
        let text = error.to_string();
        let text = text
            .rsplit_once(" at ")
            .map_or(text.as_str(), |(text, _)| text);
        document.error(&(at..at), format!("this is not valid XML: {text}"))
    })
}

/// The first element of this name directly in another.
pub(super) fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|node| node.has_tag_name(name))
}

impl Xml<'_> {
    /// The beginning of an element.
    pub(super) fn place(&self, node: Node<'_, '_>) -> Range<usize> {
        let range = node.range();
        let text = self.document.text().get(range.clone()).unwrap_or_default();
        let end = text
            .find(['>', '\n'])
            .map_or(range.end, |end| range.start + end + 1);
        range.start..end
    }

    pub(super) fn error(&self, node: Node<'_, '_>, message: impl AsRef<str>) -> Error {
        self.document.error(&self.place(node), message)
    }

    /// The element of this name directly in another, which must be there.
    pub(super) fn child<'a>(&self, node: Node<'a, 'a>, name: &str) -> Result<Node<'a, 'a>> {
        child(node, name).ok_or_else(|| {
            let message = format!("`{}` has no `{name}`", node.tag_name().name());
            self.error(node, message)
        })
    }

    /// An attribute, which must be there.
    pub(super) fn attribute<'a>(&self, node: Node<'a, 'a>, name: &str) -> Result<&'a str> {
        node.attribute(name).ok_or_else(|| {
            let message = format!("`{}` has no attribute `{name}`", node.tag_name().name());
            self.error(node, message)
        })
    }

    /// The file that an attribute names, which must be there.
    pub(super) fn file(&self, node: Node<'_, '_>, name: &str) -> Result<PathBuf> {
        let Some(written) = node.attribute(name) else {
            let message = format!("`{}` has no attribute `{name}`", node.tag_name().name());
            return Err(self.error(node, message));
        };
        // Packages made on Windows have its separators.
        let path = self.folder.join(written.replace('\\', "/"));
        match path.is_file() {
            true => Ok(path),
            false => Err(self.error(
                node,
                format!("there is no file `{written}` in the package: take the package again, as a whole"),
            )),
        }
    }

    /// A whole number above 0 that an element holds.
    pub(super) fn number(&self, node: Node<'_, '_>) -> Result<u64> {
        let written = node.text().unwrap_or_default().trim();
        let number = written.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| {
            let name = node.tag_name().name();
            let message = format!("`{name}` is `{written}` where a whole number above 0 belongs");
            self.error(node, message)
        })
    }
}
