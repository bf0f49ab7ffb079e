//! The files that a source includes, as far as a simple look at its lines shows them.
//!
//! A program is compiled again when one of them changes (`testlib.h` beside an interactor), and an
//! interpreted one is shown them. What a macro includes is not seen, nor a module whose name is
//! made while the program runs; what is in a comment may be, and then only costs a compilation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::spec::language::Imports;

/// No program of this kind includes more files; a strange one shall not take forever.
const MOST: usize = 2000;

/// The files that `source` includes, directly or through others, in the order of their paths.
/// Files of the compiler's own folders are not among them.
pub(crate) fn imported(imports: Imports, source: &Path) -> BTreeSet<PathBuf> {
    let root = source.parent().unwrap_or(Path::new("."));
    let mut found = BTreeSet::new();
    let mut to_read = vec![source.to_owned()];
    // Where Python looks for modules; more are named in the sources.
    let mut folders = vec![root.to_owned()];
    while let Some(file) = to_read.pop() {
        let Ok(bytes) = fs::read(&file) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let named = match imports {
            Imports::C => c_includes(&text, &file, root),
            Imports::Rust => rust_files(&text, &file, root),
            Imports::Python => python_modules(&text, &file, &mut folders),
        };
        for path in named {
            if found.len() < MOST && path.is_file() && path != source && !found.contains(&path) {
                to_read.push(path.clone());
                found.insert(path);
            }
        }
    }
    found
}

/// `#include "name"` beside the file, and in the source's folder, which is an include folder (so
/// that `<name>` can mean a file there too).
fn c_includes(text: &str, file: &Path, root: &Path) -> Vec<PathBuf> {
    let beside = file.parent().unwrap_or(Path::new("."));
    text.lines()
        .filter_map(|line| {
            let rest = line.trim_start().strip_prefix('#')?.trim_start();
            let rest = rest.strip_prefix("include")?.trim_start();
            let close = match rest.chars().next()? {
                '"' => '"',
                '<' => '>',
                _ => return None,
            };
            let (name, _) = rest[1..].split_once(close)?;
            Some([beside.join(name), root.join(name)])
        })
        .flatten()
        .collect()
}

/// `mod name;` and files named in `include!`, `include_str!`, `include_bytes!` and `#[path]`.
fn rust_files(text: &str, file: &Path, root: &Path) -> Vec<PathBuf> {
    let beside = file.parent().unwrap_or(Path::new("."));
    // The modules of `name.rs` lie in `name/`; those of the root and of a `mod.rs` beside it.
    let inside = match file.file_stem() {
        Some(stem) if beside != root || stem != "mod" => beside.join(stem),
        _ => beside.to_owned(),
    };
    let mut files = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let declared = line
            .strip_suffix(';')
            .and_then(|line| line.rsplit_once("mod "));
        if let Some((before, name)) = declared
            && (before.is_empty() || before.ends_with(' ') || before.ends_with(']'))
        {
            for folder in [beside, &inside] {
                files.push(folder.join(format!("{name}.rs")));
                files.push(folder.join(name).join("mod.rs"));
            }
        }
        for start in ["include!(", "include_str!(", "include_bytes!(", "#[path ="] {
            if let Some((_, rest)) = line.split_once(start)
                && let Some(rest) = rest.trim_start().strip_prefix('"')
                && let Some((name, _)) = rest.split_once('"')
            {
                files.push(beside.join(name));
            }
        }
    }
    files
}

/// `import name` and `from name import name` in the source's folder, and in those that a line with
/// `sys.path` names in quotes, relative to the file in which it stands.
fn python_modules(text: &str, file: &Path, folders: &mut Vec<PathBuf>) -> Vec<PathBuf> {
    let beside = file.parent().unwrap_or(Path::new("."));
    let lines = || text.lines().filter_map(|line| line.split('#').next());
    for name in lines().filter(|l| l.contains("sys.path")).flat_map(quoted) {
        let folder = beside.join(name);
        if folder.is_dir() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let mut files = Vec::new();
    for import in lines().flat_map(|line| line.split(';')).filter_map(import) {
        let above = beside.ancestors().nth(import.levels.saturating_sub(1));
        let searched = match (import.levels, above) {
            (0, _) => folders.as_slice(),
            (_, Some(above)) => &[above.to_owned()],
            (_, None) => &[],
        };
        for (folder, module) in searched
            .iter()
            .flat_map(|folder| import.modules.iter().map(move |module| (folder, module)))
        {
            let mut place = folder.clone();
            for part in module.split('.') {
                files.push(place.join(format!("{part}.py")));
                place.push(part);
                files.push(place.join("__init__.py"));
            }
        }
    }
    files
}

/// One statement of Python that imports.
struct Import {
    /// The dots before a name: 0 for a module that is looked for, 1 for one beside the file.
    levels: usize,
    /// Dotted names, some of which may be no modules.
    modules: Vec<String>,
}

fn import(statement: &str) -> Option<Import> {
    let first_word = |text: &str| {
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let names = |list: &str| {
        let names: Vec<String> = list.split(',').map(first_word).collect();
        names.into_iter().filter(|name| !name.is_empty())
    };
    let statement = statement.trim_start();
    if let Some(list) = statement.strip_prefix("import ") {
        return Some(Import {
            levels: 0,
            modules: names(list).collect(),
        });
    }
    let (from, list) = statement.strip_prefix("from ")?.split_once(" import ")?;
    let module = from.trim().trim_start_matches('.');
    let below = |name: String| match module {
        "" => name,
        module => format!("{module}.{name}"),
    };
    Some(Import {
        levels: from.trim().len() - module.len(),
        modules: names(list).map(below).chain(names(module)).collect(),
    })
}

/// What stands in quotes in a line.
fn quoted(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let (quote, after) = (&rest[at..=at], &rest[at + 1..]);
        let Some((inside, behind)) = after.split_once(quote) else {
            break;
        };
        found.push(inside);
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(imports: Imports, files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = imported(imports, &folder.path().join(files[0].0));
        found
            .iter()
            .map(|path| path.strip_prefix(folder.path()).unwrap())
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn headers_are_followed_and_those_of_the_compiler_are_not() {
        let files = [
            (
                "a.cpp",
                "#include <vector>\n#include <near.h>\n  #  include \"lib/x.h\" // why\n#include MACRO\n#include \"gone.h\"\n",
            ),
            ("near.h", "#include \"a.cpp\"\n#include \"near.h\"\n"),
            ("lib/x.h", "#include\"y.h\"\n#include \"top.h\"\n"),
            ("lib/y.h", ""),
            ("top.h", ""),
            ("other.h", ""),
        ];
        assert_eq!(
            names(Imports::C, &files),
            ["lib/x.h", "lib/y.h", "near.h", "top.h"]
        );
    }

    #[test]
    fn modules_and_included_texts_are_found() {
        let files = [
            (
                "a.rs",
                "pub(crate) mod one;\nmod two;\n#[cfg(x)] mod three;\nlet x = include_str!(\"data.txt\");\nmodel one;\n",
            ),
            ("one.rs", "mod deep;"),
            ("one/deep.rs", ""),
            ("two/mod.rs", "mod leaf;"),
            ("two/leaf.rs", ""),
            ("three.rs", ""),
            ("data.txt", "mod stray;"),
            ("four.rs", ""),
        ];
        assert_eq!(
            names(Imports::Rust, &files),
            [
                "data.txt",
                "one/deep.rs",
                "one.rs",
                "three.rs",
                "two/leaf.rs",
                "two/mod.rs"
            ]
        );
    }

    #[test]
    fn python_modules_are_found_beside_the_source_and_where_its_path_leads() {
        let files = [
            (
                "p/a.py",
                "import os, near as n; import pack.deep  # import commented\n\
                 sys.path.insert(0, os.path.join(here, \"../shared\"))\n\
                 from strict import Reader, run\n  from pack import (leaf, what)\n\
                 importlib.import_module(\"hidden\")\n",
            ),
            ("p/near.py", "from . import sibling\n"),
            ("p/sibling.py", "import a\n"),
            ("p/pack/__init__.py", ""),
            (
                "p/pack/deep.py",
                "from .leaf import x\nfrom ..near import y\n",
            ),
            ("p/pack/leaf.py", ""),
            ("p/commented.py", ""),
            ("p/hidden.py", ""),
            ("shared/strict.py", "import other\n"),
            ("shared/other.py", ""),
            ("shared/stray.py", ""),
        ];
        let named: Vec<String> = names(Imports::Python, &files)
            .iter()
            .map(|name| name.replace("p/../", ""))
            .collect();
        assert_eq!(
            named,
            [
                "shared/other.py",
                "shared/strict.py",
                "p/near.py",
                "p/pack/__init__.py",
                "p/pack/deep.py",
                "p/pack/leaf.py",
                "p/sibling.py",
            ]
        );
    }

    #[test]
    fn a_source_that_is_not_there_includes_nothing() {
        assert!(imported(Imports::C, Path::new("/nowhere/a.c")).is_empty());
    }
}
