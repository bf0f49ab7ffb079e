//! The nearest valid name to one that was mistyped, for "did you mean".

/// The candidate that `name` was probably meant to be, if one is near enough.
///
/// Near enough is one edit (a letter added, left out, changed or swapped with its neighbour) for
/// each three letters, at least one; upper and lower case, `-` and `_` do not differ.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = folded(name);
    let allowed = (name.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&name, &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Names in a sentence: `a`, `b` and `c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

fn folded(name: &str) -> Vec<char> {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if c == '_' { '-' } else { c })
        .collect()
}

/// Edits between two words, a swap of neighbours counted as one (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j - 1] + changed).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognized_and_a_stranger_is_not() {
        let keys = ["cpu", "wall", "memory", "interactor", "interactor-args"];
        for (name, expected) in [
            ("cpuu", Some("cpu")),
            ("cup", Some("cpu")),
            ("memroy", Some("memory")),
            ("interacter", Some("interactor")),
            ("interactor_args", Some("interactor-args")),
            ("CPU", Some("cpu")),
            ("checker", None),
            ("x", None),
        ] {
            assert_eq!(nearest(name, keys), expected, "{name}");
        }
    }

    #[test]
    fn the_nearest_of_several_is_taken() {
        assert_eq!(nearest("TLE", ["WL", "TL", "ML"]), Some("TL"));
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(listed([]), "");
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
