//! Natural order of names: `test 2` before `test 10`.

use std::cmp::Ordering;

/// Compares two names; runs of digits count as numbers, leading zeros only break a tie.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (x, y) = (digits(left), digits(right));
        let step = if !x.is_empty() && !y.is_empty() {
            left = &left[x.len()..];
            right = &right[y.len()..];
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            let (mut x, mut y) = (left.chars(), right.chars());
            let step = match (x.next(), y.next()) {
                (None, None) => return a.cmp(b),
                (x, y) => x.cmp(&y),
            };
            (left, right) = (x.as_str(), y.as_str());
            step
        };
        if step != Ordering::Equal {
            return step;
        }
    }
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        let mut names = vec![
            "b",
            "a10",
            "a2",
            "a",
            "a02",
            "10",
            "9",
            "a2b",
            "a1000000000000000000000",
            "sample/2",
            "sample/10",
            "",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "",
                "9",
                "10",
                "a",
                "a02",
                "a2",
                "a2b",
                "a10",
                "a1000000000000000000000",
                "b",
                "sample/2",
                "sample/10",
            ]
        );
    }
}
