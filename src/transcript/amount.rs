//! Amounts in the words of a person: times, sizes and counts, short and never misleading.
//!
//! What is rounded is rounded up, so that a limit and what is over it do not look the same.

use std::time::Duration;

/// A time in words: `40 µs`, `12.3 ms`, `346 ms`, `1.003 s`, `175.2 s`.
pub fn time(time: Duration) -> String {
    const MICROSECOND: u128 = 1000;
    const MILLISECOND: u128 = 1000 * MICROSECOND;
    const SECOND: u128 = 1000 * MILLISECOND;
    let nanos = time.as_nanos();
    let (unit, name, most) = match nanos {
        0 => (MILLISECOND, "ms", 0),
        nanos if nanos < 100 * MICROSECOND => (MICROSECOND, "µs", 0),
        nanos if nanos < 100 * MILLISECOND => (MILLISECOND, "ms", 1),
        nanos if nanos < SECOND => (MILLISECOND, "ms", 0),
        nanos if nanos < 100 * SECOND => (SECOND, "s", 3),
        _ => (SECOND, "s", 1),
    };
    format!("{} {name}", decimals(nanos, unit, most))
}

/// A size in the largest binary unit that leaves at least one: `512 B`, `3.4 MiB`, `1 GiB`.
pub fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let bytes = u128::from(bytes);
    let mut size = 1024;
    let mut unit = 0;
    // The next unit begins where this one would be rounded to 1024.
    while bytes * 10 > size * 10239 && unit + 1 < units.len() {
        size *= 1024;
        unit += 1;
    }
    format!("{} {}", decimals(bytes, size, 1), units[unit])
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

/// An amount in a unit with at most so many decimals, rounded up, without zeros at the end.
fn decimals(amount: u128, unit: u128, most: u32) -> String {
    let parts = 10u128.pow(most);
    let scaled = (amount * parts).div_ceil(unit);
    let (whole, rest) = (scaled / parts, scaled % parts);
    match rest {
        0 => whole.to_string(),
        rest => {
            let digits = format!("{rest:0width$}", width = most as usize);
            format!("{whole}.{}", digits.trim_end_matches('0'))
        }
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
        assert_eq!(shown(400), "0.4 ms");
        assert_eq!(shown(12_201), "12.3 ms");
        assert_eq!(shown(345_001), "346 ms");
        assert_eq!(shown(1_003_000), "1.003 s");
        assert_eq!(time(Duration::from_nanos(1_000_000_001)), "1.001 s");
        assert_eq!(shown(10_000_000), "10 s");
        assert_eq!(shown(10_002_001), "10.003 s");
        assert_eq!(shown(175_110_000), "175.2 s");
    }

    #[test]
    fn sizes() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1024), "1 KiB");
        assert_eq!(size(3_460_302), "3.4 MiB");
        assert_eq!(size((256 << 20) - 1), "256 MiB");
        assert_eq!(size((1 << 30) - 1), "1 GiB");
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size((1 << 30) + 1), "1.1 GiB");
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
