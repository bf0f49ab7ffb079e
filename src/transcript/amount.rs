//! Amounts in the words of a person: times, sizes and counts, short and never misleading.

use std::time::Duration;

/// A time in words: `40 µs`, `12.3 ms`, `346 ms`, `1.003 s`, `175.2 s`. Up to 100 seconds the
/// milliseconds are there, so that a limit and its excess never look the same.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if time.is_zero() {
        "0 ms".to_owned()
    } else if seconds < 0.000_1 {
        format!("{} µs", decimals(seconds * 1e6, 0))
    } else if seconds < 0.1 {
        format!("{} ms", decimals(seconds * 1000.0, 1))
    } else if seconds < 1.0 {
        format!("{} ms", decimals(seconds * 1000.0, 0))
    } else if seconds < 100.0 {
        format!("{} s", decimals(seconds, 3))
    } else {
        format!("{} s", decimals(seconds, 1))
    }
}

/// A size in the largest binary unit that leaves at least one: `512 B`, `3.4 MiB`, `1 GiB`.
pub fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // The next unit begins where this one would be rounded to 1024.
    while value >= 1023.95 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", decimals(value, 1), units[unit])
}

/// A number with its thousands apart: `9,988`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 message`, `2 messages`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// At most so many decimals, without zeros at the end.
fn decimals(value: f64, most: usize) -> String {
    let text = format!("{value:.most$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let shown = |micros| time(Duration::from_micros(micros));
        assert_eq!(shown(0), "0 ms");
        assert_eq!(shown(40), "40 µs");
        assert_eq!(shown(440), "0.4 ms");
        assert_eq!(shown(12_345), "12.3 ms");
        assert_eq!(shown(345_678), "346 ms");
        assert_eq!(shown(1_003_000), "1.003 s");
        assert_eq!(shown(10_000_000), "10 s");
        assert_eq!(shown(10_003_200), "10.003 s");
        assert_eq!(shown(175_240_000), "175.2 s");
    }

    #[test]
    fn sizes() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1024), "1 KiB");
        assert_eq!(size(3_565_158), "3.4 MiB");
        assert_eq!(size((256 << 20) - 1), "256 MiB");
        assert_eq!(size((1 << 30) - 1), "1 GiB");
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size(u64::MAX), "16777216 TiB");
    }

    #[test]
    fn counts() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(2, "line"), "2 lines");
    }
}
