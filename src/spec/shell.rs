//! Words as a person would write them for a shell: quoted only where that is needed.

use std::ffi::OsStr;

/// One word.
pub(crate) fn quote(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A command line.
pub(crate) fn join(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let quoted: Vec<String> = words.into_iter().map(quote).collect();
    quoted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_it_is_quoted() {
        let words = ["gcc", "-std=gnu17", "my file.c", "", "it's", "$x", "größe"];
        assert_eq!(
            join(words),
            r"gcc -std=gnu17 'my file.c' '' 'it'\''s' '$x' größe"
        );
        let split = shell_words::split(&join(words)).unwrap();
        assert_eq!(split, words);
    }
}
