//! Patterns of file names, as in `tests/*.in`.
//!
//! `*` stands for any letters and `?` for one, within one folder or file name; `**` as a whole
//! part of the path stands for any folders. Names that begin with a dot are matched only by a
//! pattern that does so too.

use std::fs;
use std::path::{Path, PathBuf};

/// How deep `**` looks; links could lead in a circle.
const DEEPEST: usize = 16;

/// The files below `folder` that match, in no particular order.
pub(crate) fn files(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let parts: Vec<&str> = pattern
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    let mut found = Vec::new();
    walk(folder, &parts, DEEPEST, &mut found);
    found.sort();
    found.dedup();
    found
}

fn walk(folder: &Path, parts: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    if *part == "**" {
        walk(folder, rest, depth, found);
        if depth > 0 {
            for path in entries(folder).filter(|path| path.is_dir() && matches("*", path)) {
                walk(&path, parts, depth - 1, found);
            }
        }
        return;
    }
    // A part without a wildcard is taken as it is, so that `..` works and nothing is searched.
    let candidates: Vec<PathBuf> = if part.contains(['*', '?']) {
        entries(folder).filter(|path| matches(part, path)).collect()
    } else {
        vec![folder.join(part)]
    };
    for path in candidates {
        match rest.is_empty() {
            true if path.is_file() => found.push(path),
            true => {}
            false => walk(&path, rest, depth, found),
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

/// True if a name as a whole, folders included, is one that a pattern of letters means.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    let [pattern, name] = [pattern, name].map(|text| text.chars().collect::<Vec<char>>());
    matches_letters(&pattern, &name)
}

fn matches(part: &str, path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        return false;
    };
    let name: Vec<char> = name.to_string_lossy().chars().collect();
    let part: Vec<char> = part.chars().collect();
    if name.first() == Some(&'.') && part.first() != Some(&'.') {
        return false;
    }
    matches_letters(&part, &name)
}

/// Goes on from the last `*` where the rest does not fit; that is enough, and linear in practice.
fn matches_letters(part: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if part.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if p < part.len() && (part[p] == '?' || part[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star_at, matched)) = star {
            star = Some((star_at, matched + 1));
            p = star_at + 1;
            n = matched + 1;
        } else {
            return false;
        }
    }
    part[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_letters() {
        for (part, name, expected) in [
            ("*.in", "1.in", true),
            ("*.in", ".in", false),
            (".*", ".in", true),
            ("*.in", "1.ins", false),
            ("??", "01", true),
            ("??", "1", false),
            ("*a*b*", "xaybz", true),
            ("*a*b", "abab", true),
            ("*a*b", "aba", false),
            ("t*.in", "test.in", true),
            ("größe?", "größe1", true),
            ("**", "x", true),
        ] {
            assert_eq!(matches(part, Path::new(name)), expected, "{part} {name}");
        }
    }

    #[test]
    fn files_are_found_in_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "data/sample/1.in",
            "data/secret/2.in",
            "data/secret/g1/3.in",
            "data/secret/g1/3.ans",
            "data/.hidden/4.in",
            "data/folder.in/x",
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = |pattern: &str| -> Vec<String> {
            files(folder.path(), pattern)
                .iter()
                .map(|path| path.strip_prefix(folder.path()).unwrap())
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(found("data/sample/*.in"), ["data/sample/1.in"]);
        assert_eq!(
            found("./data//s*/?.in"),
            ["data/sample/1.in", "data/secret/2.in"]
        );
        assert_eq!(
            found("data/**/*.in"),
            [
                "data/sample/1.in",
                "data/secret/2.in",
                "data/secret/g1/3.in"
            ]
        );
        assert_eq!(found("data/*.in"), Vec::<String>::new());
        assert_eq!(found("none/*.in"), Vec::<String>::new());
        assert_eq!(found("data/secret/2.in"), ["data/secret/2.in"]);
        assert_eq!(found(""), Vec::<String>::new());
    }
}
