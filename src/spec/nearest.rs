//! The nearest valid name to one that was mistyped, for "did you mean".

/// The candidate that `name` was probably meant to be, if one is near enough.
///
/// Near enough is one edit (a letter added, left out, changed or swapped with its neighbour) for
/// each three letters, at least one; upper and lower case, `-` and `_` do not differ. Failing
/// that, a candidate counts that begins with the name, or with which the name begins, if there is
/// only one: `wrong` is near to `wrong-answer`, `time-limit-exceeded` to `time-limit`.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = folded(name);
    let allowed = (name.len() / 3).max(1);
    let candidates: Vec<(Vec<char>, &str)> = candidates
        .into_iter()
        .map(|candidate| (folded(candidate), candidate))
        .collect();
    let by_edits = candidates
        .iter()
        .map(|(folded, candidate)| (distance(&name, folded), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance);
    if let Some((_, candidate)) = by_edits {
        return Some(candidate);
    }
    let long_enough = |beginning: &[char]| beginning.len() >= 3;
    let mut by_beginning = candidates.iter().filter(|(folded, _)| {
        (long_enough(&name) && folded.starts_with(&name))
            || (long_enough(folded) && name.starts_with(folded))
    });
    match (by_beginning.next(), by_beginning.next()) {
        (Some((_, only)), None) => Some(only),
        _ => None,
    }
}

/// Names in a sentence: `a`, `b` and `c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "and")
}

/// Names of which one is enough: `a`, `b` or `c`.
pub(crate) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "or")
}

fn joined<'a>(names: impl IntoIterator<Item = &'a str>, word: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
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
    fn a_beginning_is_recognized_if_it_is_clear() {
        let verdicts = ["time-limit", "wrong-answer", "wall-time-limit", "points"];
        assert_eq!(nearest("wrong", verdicts), Some("wrong-answer"));
        assert_eq!(nearest("TIME_LIMIT_EXCEEDED", verdicts), Some("time-limit"));
        assert_eq!(nearest("w", verdicts), None);
        assert_eq!(nearest("in", ["input", "inner"]), None);
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(listed([]), "");
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(one_of(["a", "b"]), "`a` or `b`");
    }
}
