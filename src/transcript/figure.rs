//! Numbers as they are written in transcripts and reports: whole, or with at most three decimals.

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

/// A number that is written without a decimal point where it is whole, and with at most three
/// decimals where it is not. Which unit it has, its field's name says.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Deserialize)]
#[serde(transparent)]
pub struct Figure(f64);

/// Whole numbers up to here are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Figure {
    /// A time in milliseconds, to the microsecond. Rounded up, so that one that is over a limit by
    /// less than that is not written as the limit itself.
    pub fn milliseconds(time: Duration) -> Self {
        Figure(time.as_nanos().div_ceil(1000) as f64 / 1000.0)
    }

    /// A time in seconds, to the millisecond.
    pub fn seconds(time: Duration) -> Self {
        Figure(((time.as_nanos() + 500_000) / 1_000_000) as f64 / 1000.0)
    }

    /// A size in KiB.
    pub fn kibibytes(bytes: u64) -> Self {
        Figure((bytes as f64 / 1024.0 * 1000.0).round() / 1000.0)
    }

    /// A number of bytes.
    pub fn bytes(bytes: u64) -> Self {
        Figure(bytes as f64)
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = (self.0 * 1000.0).round() / 1000.0;
        if rounded.fract() == 0.0 && (0.0..=EXACT).contains(&rounded) {
            serializer.serialize_u64(rounded as u64)
        } else {
            serializer.serialize_f64(rounded)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(figure: Figure) -> String {
        serde_json::to_string(&figure).expect("a number can be written")
    }

    #[test]
    fn whole_numbers_have_no_point_and_others_three_decimals_at_most() {
        assert_eq!(
            written(Figure::milliseconds(Duration::from_secs(1))),
            "1000"
        );
        assert_eq!(
            written(Figure::milliseconds(Duration::from_nanos(1_234_567))),
            "1.235"
        );
        assert_eq!(
            written(Figure::milliseconds(Duration::from_micros(100))),
            "0.1"
        );
        assert_eq!(
            written(Figure::milliseconds(Duration::from_nanos(100_000_001))),
            "100.001"
        );
        assert_eq!(
            written(Figure::seconds(Duration::from_millis(1_796_000_000_250))),
            "1796000000.25"
        );
        assert_eq!(written(Figure::kibibytes(1 << 20)), "1024");
        assert_eq!(written(Figure::kibibytes(1000)), "0.977");
        assert_eq!(written(Figure::bytes(64 << 20)), "67108864");
    }

    #[test]
    fn the_longest_time_does_not_overflow() {
        assert!(Figure::milliseconds(Duration::MAX).value() > 1e22);
        assert!(written(Figure::milliseconds(Duration::MAX)).contains("e+22"));
    }
}
