//! Bytes of the programs made fit for a terminal: nothing that they print reaches it raw.
//!
//! A byte that is not part of a character becomes `\xNN`, a control character `\n`, `\t`, `\r` or
//! `\xNN`, and a character that is invisible or steers the terminal (C1 controls, bidirectional
//! overrides, separators, private use) `\u{NNNN}`. Everything else is shown as it is.

/// One piece that must stay together: a character, or the escape that stands for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    pub text: String,
    /// Columns on the terminal: 0 for a combining mark, 2 for a wide character (approximately).
    pub width: usize,
    /// Bytes that it stands for.
    pub length: usize,
    /// True if the text is an escape and not what was printed.
    pub escaped: bool,
}

/// Bytes as glyphs.
pub fn glyphs(bytes: &[u8]) -> impl Iterator<Item = Glyph> + '_ {
    bytes.utf8_chunks().flat_map(|chunk| {
        let broken = chunk.invalid().iter().map(|byte| escape(hex(*byte), 1));
        chunk.valid().chars().map(glyph).chain(broken)
    })
}

/// Bytes as one line of text.
pub fn text(bytes: &[u8]) -> String {
    glyphs(bytes).map(|glyph| glyph.text).collect()
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| glyph(c).width).sum()
}

fn glyph(c: char) -> Glyph {
    match c {
        ' '..='~' => plain(c, 1),
        '\n' => escape("\\n".to_owned(), 1),
        '\r' => escape("\\r".to_owned(), 1),
        '\t' => escape("\\t".to_owned(), 1),
        '\0'..='\x7f' => escape(hex(c as u8), 1),
        _ if !printable(c) => escape(c.escape_unicode().to_string(), c.len_utf8()),
        _ if c.escape_debug().next() == Some('\\') => plain(c, 0),
        _ => plain(c, if wide(c) { 2 } else { 1 }),
    }
}

/// Whether the standard library counts the character as printable. A `str` escapes a combining
/// mark only at its beginning, where it has nothing to combine with.
fn printable(c: char) -> bool {
    let mut pair = String::from("a");
    pair.push(c);
    pair.escape_debug().nth(1) == Some(c)
}

fn plain(c: char, width: usize) -> Glyph {
    Glyph {
        text: c.to_string(),
        width,
        length: c.len_utf8(),
        escaped: false,
    }
}

fn escape(text: String, length: usize) -> Glyph {
    Glyph {
        width: text.len(),
        length,
        text,
        escaped: true,
    }
}

fn hex(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

/// Ranges of Unicode whose characters terminals show two columns wide, roughly.
fn wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f
        | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd)
}

/// Cuts glyphs into rows of at most `columns`: after a space where there is one in the right half
/// of a row, so that numbers stay whole, otherwise anywhere. Every glyph is kept. There is always
/// at least one row, and a glyph that is wider than a row has one to itself.
pub fn wrap(glyphs: impl IntoIterator<Item = Glyph>, columns: usize) -> Vec<Vec<Glyph>> {
    let mut rows = Vec::new();
    let mut row: Vec<Glyph> = Vec::new();
    let mut used = 0;
    for glyph in glyphs {
        if used > 0 && used + glyph.width > columns {
            let space = row.iter().rposition(|glyph| glyph.text == " ");
            let cut = match space {
                Some(place) if place >= row.len() / 2 && glyph.text != " " => place + 1,
                _ => row.len(),
            };
            let rest = row.split_off(cut);
            rows.push(std::mem::replace(&mut row, rest));
            used = row.iter().map(|glyph| glyph.width).sum();
        }
        used += glyph.width;
        row.push(glyph);
    }
    rows.push(row);
    rows
}

/// Cuts a sentence into lines of at most `columns` at its spaces; a longer word is cut anywhere.
/// Nothing in it reaches the terminal raw.
pub fn fill(sentence: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in sentence.split_whitespace() {
        for (part, row) in wrap(glyphs(word.as_bytes()), columns)
            .into_iter()
            .enumerate()
        {
            let width: usize = row.iter().map(|glyph| glyph.width).sum();
            let row: String = row.into_iter().map(|glyph| glyph.text).collect();
            match lines.last_mut() {
                Some(line) if part == 0 && used + 1 + width <= columns => {
                    line.push(' ');
                    line.push_str(&row);
                    used += 1 + width;
                }
                _ => {
                    lines.push(row);
                    used = width;
                }
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        assert_eq!(text(b"plain ~"), "plain ~");
        assert_eq!(
            text(b"\x1b[2J\x00\x7f\t\r\n"),
            "\\x1b[2J\\x00\\x7f\\t\\r\\n"
        );
        assert_eq!(
            text("\u{9b}31m\u{202e}\u{200b}\u{2028}".as_bytes()),
            "\\u{9b}31m\\u{202e}\\u{200b}\\u{2028}"
        );
        assert_eq!(text(b"a\xffb\xe2\x82"), "a\\xffb\\xe2\\x82");
        assert_eq!(
            text("Grüße, e\u{301}, 数".as_bytes()),
            "Grüße, e\u{301}, 数"
        );
        for c in '\0'..=char::MAX {
            let shown = text(c.to_string().as_bytes());
            assert!(!shown.contains(char::is_control), "{shown:?}");
        }
    }

    #[test]
    fn widths() {
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("数字"), 4);
        assert_eq!(width("abc"), 3);
    }

    fn joined(rows: Vec<Vec<Glyph>>) -> Vec<String> {
        let text = |row: Vec<Glyph>| row.into_iter().map(|glyph| glyph.text).collect();
        rows.into_iter().map(text).collect()
    }

    #[test]
    fn wrapping_keeps_numbers_whole_and_every_space() {
        let cut = |text: &str, columns| joined(wrap(glyphs(text.as_bytes()), columns));
        assert_eq!(cut("12 34 56 78", 7), ["12 34 ", "56 78"]);
        assert_eq!(cut("12 34 56 78", 8), ["12 34 56", " 78"]);
        assert_eq!(cut("1 2345678", 6), ["1 2345", "678"]);
        assert_eq!(cut("      ", 4), ["    ", "  "]);
        assert_eq!(cut("数 数数", 4), ["数 ", "数数"]);
    }

    #[test]
    fn wrapping_keeps_escapes_whole_and_every_glyph() {
        let rows = wrap(glyphs(b"abc\x01\x02d"), 5);
        assert_eq!(joined(rows), ["abc", "\\x01", "\\x02d"]);
        assert_eq!(wrap(glyphs(b""), 5), [vec![]]);
        assert_eq!(wrap(glyphs(b"\x01\x01"), 1).len(), 2);
    }

    #[test]
    fn filling_breaks_at_spaces_and_cuts_long_words() {
        assert_eq!(fill("the wrong answer", 9), ["the wrong", "answer"]);
        assert_eq!(
            fill("an incomprehensible word", 8),
            ["an", "incompre", "hensible", "word"]
        );
        assert_eq!(fill("a\x1b\nb", 80), ["a\\x1b b"]);
        assert_eq!(fill("  ", 80), Vec::<String>::new());
    }
}
