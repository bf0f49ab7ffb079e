//! Durations and sizes, as people write them and as reports show them.
//!
//! Numbers never come without a unit: `cpu = 2` could be seconds or milliseconds, and a limit that
//! is wrong by a thousand is worse than a refusal. The parsers are exact (no floating point) and
//! their errors are sentences that say what to write, fit for clap and for problem files.

use std::time::Duration;

/// The longest duration that is taken: a year, far from any overflow of a deadline.
const LONGEST: u128 = 365 * 24 * 3600 * NANOSECONDS;
/// The largest size that is taken: 1 EiB, which every kernel interface can still hold.
const LARGEST: u128 = 1 << 60;
const NANOSECONDS: u128 = 1_000_000_000;

/// Units of time in nanoseconds.
const TIME_UNITS: &[(&str, u128)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", NANOSECONDS),
    ("sec", NANOSECONDS),
    ("min", 60 * NANOSECONDS),
    ("h", 3600 * NANOSECONDS),
];

/// Units of size in bytes, in lower case.
const SIZE_UNITS: &[(&str, u128)] = &[
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Reads a duration such as `500ms`, `1.5s`, `2min` or `250us`.
///
/// # Errors
///
/// A sentence that says what is wrong and what to write: for a missing or unknown unit, for zero,
/// for a negative number, for what is not a decimal number, and for more than a year.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text, "duration", "\"1s\" or \"250ms\"")?;
    if unit.is_empty() && !is_zero(number) {
        return Err(format!(
            "\"{text}\" has no unit: write \"{number}s\" or \"{number}ms\""
        ));
    }
    let unit = if unit.is_empty() { "s" } else { unit };
    let Some((_, factor)) = TIME_UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(format!(
            "\"{text}\" has the unknown unit \"{unit}\": write us, ms, s, min or h, as in \"{number}s\""
        ));
    };
    let nanoseconds = scale(number, *factor)
        .filter(|n| *n <= LONGEST)
        .ok_or_else(|| format!("\"{text}\" is too long: the longest duration is \"8760h\""))?;
    if nanoseconds == 0 {
        return Err(format!(
            "\"{text}\" is no time at all: write a duration above zero, such as \"1s\""
        ));
    }
    let seconds = (nanoseconds / NANOSECONDS) as u64;
    Ok(Duration::new(seconds, (nanoseconds % NANOSECONDS) as u32))
}

/// Reads a size in bytes such as `256MiB`, `64KiB`, `500MB` or `1000B`.
///
/// `KiB`, `MiB`, `GiB` and `TiB` are powers of 1024; `kB`, `MB`, `GB` and `TB` are powers of 1000.
/// Upper and lower case mean the same.
///
/// # Errors
///
/// A sentence that says what is wrong and what to write: for a missing or unknown unit, for zero,
/// for a negative number, for what is not a decimal number, and for more than 1 EiB.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text, "size", "\"256MiB\" or \"64KiB\"")?;
    if unit.is_empty() && !is_zero(number) {
        return Err(format!(
            "\"{text}\" has no unit: write \"{number}MiB\", \"{number}KiB\" or \"{number}B\""
        ));
    }
    let unit = if unit.is_empty() { "B" } else { unit };
    let lower = unit.to_ascii_lowercase();
    let Some((_, factor)) = SIZE_UNITS.iter().find(|(name, _)| *name == lower) else {
        if let "k" | "m" | "g" | "t" = lower.as_str() {
            let letter = lower.to_ascii_uppercase();
            return Err(format!(
                "\"{text}\" has an unclear unit: write \"{number}{letter}iB\" (powers of 1024) or \"{number}{letter}B\" (powers of 1000)"
            ));
        }
        return Err(format!(
            "\"{text}\" has the unknown unit \"{unit}\": write B, KiB, MiB or GiB, as in \"{number}MiB\""
        ));
    };
    let bytes = scale(number, *factor)
        .filter(|n| *n <= LARGEST)
        .ok_or_else(|| format!("\"{text}\" is too large: the largest size is \"1048576TiB\""))?;
    if bytes == 0 {
        return Err(format!(
            "\"{text}\" is less than a byte: write a size above zero, such as \"64MiB\""
        ));
    }
    Ok(bytes as u64)
}

/// Shows a duration for a report: `2 s`, `0.012 s`, `85 us`.
///
/// Seconds with up to three decimals; what is less than a millisecond in microseconds, so that a
/// short time does not look like none.
pub fn show_duration(duration: Duration) -> String {
    let nanoseconds = duration.as_nanos();
    let microseconds = (nanoseconds + 500) / 1_000;
    if nanoseconds > 0 && microseconds < 1_000 {
        return format!("{} us", microseconds.max(1));
    }
    let milliseconds = (nanoseconds + 500_000) / 1_000_000;
    let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000);
    let decimals = format!("{rest:03}");
    match decimals.trim_end_matches('0') {
        "" => format!("{whole} s"),
        decimals => format!("{whole}.{decimals} s"),
    }
}

/// Shows a size for a report: `12.3 MiB`, `256 MiB`, `17 B`; powers of 1024, one decimal.
pub fn show_size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let names = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut unit = 0;
    // In tenths of the unit, rounded: 1023.96 KiB must come out as 1 MiB, not as 1024 KiB.
    let tenths = |unit: usize| {
        let size = 1u128 << (10 * (unit + 1));
        (u128::from(bytes) * 10 + size / 2) / size
    };
    while unit + 1 < names.len() && tenths(unit) >= 10_240 {
        unit += 1;
    }
    let (whole, rest) = (tenths(unit) / 10, tenths(unit) % 10);
    match rest {
        0 => format!("{whole} {}", names[unit]),
        rest => format!("{whole}.{rest} {}", names[unit]),
    }
}

/// Splits `1.5s` into the number and the unit, both trimmed.
fn split<'a>(text: &'a str, what: &str, examples: &str) -> Result<(&'a str, &'a str), String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(format!("a {what} is missing: write {examples}"));
    }
    let after_minus = trimmed.strip_prefix('-');
    if after_minus.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')) {
        return Err(format!(
            "\"{text}\" is negative: write a {what} above zero, such as {examples}"
        ));
    }
    let end = trimmed
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(trimmed.len());
    let (number, unit) = (&trimmed[..end], trimmed[end..].trim_start());
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let points = number.len() - digits;
    // A unit has letters only: `1e99s` or `1s5ms` is not a number with a strange unit.
    let letters = unit.chars().all(char::is_alphabetic);
    if digits == 0 || points > 1 || !letters {
        return Err(format!(
            "\"{text}\" is not a {what}: write a number and a unit, such as {examples}"
        ));
    }
    Ok((number, unit))
}

/// True if a decimal number is zero; then its unit is the lesser mistake.
fn is_zero(number: &str) -> bool {
    number.bytes().all(|byte| byte == b'0' || byte == b'.')
}

/// The decimal `number` times `factor`, rounded down; `None` if that is beyond any limit of ours.
fn scale(number: &str, factor: u128) -> Option<u128> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let whole = match whole {
        "" => 0,
        digits => digits.parse::<u128>().ok()?,
    };
    // Digits beyond the twelfth are below a nanosecond or a byte for every unit that matters.
    let decimals = &decimals[..decimals.len().min(12)];
    let part = match decimals {
        "" => 0,
        digits => digits.parse::<u128>().ok()? * factor / 10u128.pow(digits.len() as u32),
    };
    whole.checked_mul(factor)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duration_error(text: &str) -> String {
        parse_duration(text).unwrap_err()
    }

    fn size_error(text: &str) -> String {
        parse_size(text).unwrap_err()
    }

    #[test]
    fn durations_are_exact() {
        for (text, nanoseconds) in [
            ("500ms", 500_000_000),
            ("1s", 1_000_000_000),
            ("1.5s", 1_500_000_000),
            ("0.1s", 100_000_000),
            (".5s", 500_000_000),
            ("2min", 120_000_000_000),
            ("250us", 250_000),
            ("250µs", 250_000),
            ("7ns", 7),
            ("1h", 3_600_000_000_000),
            (" 3 s ", 3_000_000_000),
            ("0.000000001s", 1),
        ] {
            let parsed = parse_duration(text).map(|d| d.as_nanos());
            assert_eq!(parsed, Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn bad_durations_are_told_what_to_write() {
        for (text, message) in [
            ("1", r#""1" has no unit: write "1s" or "1ms""#),
            ("2.5", r#""2.5" has no unit: write "2.5s" or "2.5ms""#),
            ("", r#"a duration is missing: write "1s" or "250ms""#),
            (
                "-1s",
                r#""-1s" is negative: write a duration above zero, such as "1s" or "250ms""#,
            ),
            (
                "0s",
                r#""0s" is no time at all: write a duration above zero, such as "1s""#,
            ),
            (
                "0.0000000001s",
                r#""0.0000000001s" is no time at all: write a duration above zero, such as "1s""#,
            ),
            (
                "1e99",
                r#""1e99" is not a duration: write a number and a unit, such as "1s" or "250ms""#,
            ),
            (
                "NaN",
                r#""NaN" is not a duration: write a number and a unit, such as "1s" or "250ms""#,
            ),
            (
                "inf",
                r#""inf" is not a duration: write a number and a unit, such as "1s" or "250ms""#,
            ),
            (
                "1.2.3s",
                r#""1.2.3s" is not a duration: write a number and a unit, such as "1s" or "250ms""#,
            ),
            (
                "5 parsecs",
                r#""5 parsecs" has the unknown unit "parsecs": write us, ms, s, min or h, as in "5s""#,
            ),
            (
                "1m",
                r#""1m" has the unknown unit "m": write us, ms, s, min or h, as in "1s""#,
            ),
            (
                "8761h",
                r#""8761h" is too long: the longest duration is "8760h""#,
            ),
        ] {
            assert_eq!(duration_error(text), message);
        }
        let digits = "9".repeat(100);
        assert_eq!(
            duration_error(&format!("{digits}s")),
            format!("\"{digits}s\" is too long: the longest duration is \"8760h\"")
        );
    }

    #[test]
    fn sizes_are_exact() {
        for (text, bytes) in [
            ("256MiB", 256 << 20),
            ("64KiB", 64 << 10),
            ("1GiB", 1 << 30),
            ("1.5GiB", 3 << 29),
            ("500MB", 500_000_000),
            ("256mb", 256_000_000),
            ("256Mib", 256 << 20),
            ("1000B", 1000),
            ("2 kB", 2000),
            ("1048576TiB", 1 << 60),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn bad_sizes_are_told_what_to_write() {
        for (text, message) in [
            (
                "256",
                r#""256" has no unit: write "256MiB", "256KiB" or "256B""#,
            ),
            (
                "256M",
                r#""256M" has an unclear unit: write "256MiB" (powers of 1024) or "256MB" (powers of 1000)"#,
            ),
            (
                "1 elephant",
                r#""1 elephant" has the unknown unit "elephant": write B, KiB, MiB or GiB, as in "1MiB""#,
            ),
            (
                "0MiB",
                r#""0MiB" is less than a byte: write a size above zero, such as "64MiB""#,
            ),
            (
                "0.5B",
                r#""0.5B" is less than a byte: write a size above zero, such as "64MiB""#,
            ),
            (
                "-1MiB",
                r#""-1MiB" is negative: write a size above zero, such as "256MiB" or "64KiB""#,
            ),
            (
                "1e99",
                r#""1e99" is not a size: write a number and a unit, such as "256MiB" or "64KiB""#,
            ),
            (
                "1048577TiB",
                r#""1048577TiB" is too large: the largest size is "1048576TiB""#,
            ),
            ("", r#"a size is missing: write "256MiB" or "64KiB""#),
        ] {
            assert_eq!(size_error(text), message);
        }
    }

    #[test]
    fn durations_are_shown_in_seconds() {
        for (nanoseconds, shown) in [
            (0, "0 s"),
            (1, "1 us"),
            (85_400, "85 us"),
            (999_600, "0.001 s"),
            (12_345_678, "0.012 s"),
            (1_500_000_000, "1.5 s"),
            (1_999_600_000, "2 s"),
            (2_000_000_000, "2 s"),
            (600_000_000_000, "600 s"),
        ] {
            assert_eq!(show_duration(Duration::from_nanos(nanoseconds)), shown);
        }
    }

    #[test]
    fn sizes_are_shown_with_one_decimal() {
        for (bytes, shown) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1_048_500, "1023.9 KiB"),
            (1_048_570, "1 MiB"),
            (12_897_485, "12.3 MiB"),
            (256 << 20, "256 MiB"),
            (u64::MAX, "16 EiB"),
        ] {
            assert_eq!(show_size(bytes), shown);
        }
    }

    #[test]
    fn what_is_shown_can_be_written() {
        for text in ["12.3 MiB", "64 KiB"] {
            assert_eq!(show_size(parse_size(text).unwrap()), text);
        }
        for text in ["0.012 s", "85 us", "2 s"] {
            assert_eq!(show_duration(parse_duration(text).unwrap()), text);
        }
    }
}
