//! The patterns of `submissions.yaml`: `*` within one name, and `{a,b}` for either.

use crate::spec::pattern::matches_name;

/// True if a pattern means this path or a folder above it.
pub(super) fn means(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    expand(pattern).iter().any(|pattern| {
        let wanted: Vec<&str> = pattern.trim_matches('/').split('/').collect();
        let each = wanted.iter().zip(&parts);
        wanted.len() <= parts.len()
            && each
                .into_iter()
                .all(|(part, name)| matches_name(part, name))
    })
}

/// The patterns that one with braces stands for.
fn expand(pattern: &str) -> Vec<String> {
    /// More than that is no pattern that a person wrote.
    const MOST: usize = 1000;
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(pattern) = open.pop() {
        let inner = pattern.rfind('{').and_then(|start| {
            let end = start + pattern[start..].find('}')?;
            Some((start, end))
        });
        match inner {
            Some((start, end)) if open.len() + done.len() < MOST => {
                for choice in pattern[start + 1..end].split(',') {
                    open.push(format!(
                        "{}{choice}{}",
                        &pattern[..start],
                        &pattern[end + 1..]
                    ));
                }
            }
            _ => done.push(pattern),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_paths_and_what_is_below_them() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/*.{py,cpp}", "accepted/a.cpp", true),
            ("{a,b{c,d}}.py", "bd.py", true),
            ("{a,b}.py", "c.py", false),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("secret/*-hard", "secret/1-hard/01", true),
            ("secret/group1", "secret/group10/1", false),
            ("accepted/a.py/x", "accepted/a.py", false),
            ("{open", "{open", true),
        ] {
            assert_eq!(means(pattern, path), expected, "{pattern} {path}");
        }
    }
}
