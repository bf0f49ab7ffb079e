//! The numbers in the reasons: times and sizes, exact or rounded up.
//!
//! They are rounded so that they never contradict the verdict: an amount that is over its limit is
//! shown as more than the limit.

use std::time::Duration;

use crate::evidence::Quantity;

/// Both amounts of a limit, in the same unit: that of the limit, which the user chose.
pub(super) fn amounts(used: Quantity, allowed: Quantity) -> (String, String) {
    match (used, allowed) {
        (Quantity::Time(used), Quantity::Time(allowed)) => {
            (seconds(up_to_millis(used)), seconds(allowed))
        }
        (Quantity::Bytes(used), Quantity::Bytes(allowed)) => {
            let unit = unit_of(allowed);
            (in_unit(used, unit), in_unit(allowed, unit))
        }
        (used, allowed) => (alone(used), alone(allowed)),
    }
}

fn alone(quantity: Quantity) -> String {
    match quantity {
        Quantity::Time(time) => seconds(time),
        Quantity::Bytes(bytes) => in_unit(bytes, unit_of(bytes)),
    }
}

/// Rounded up, so that what is over a limit stays over it.
fn up_to_millis(time: Duration) -> Duration {
    let millis = time.as_nanos().div_ceil(1_000_000);
    u64::try_from(millis).map_or(time, Duration::from_millis)
}

/// Seconds without rounding: `1 s`, `0.5 s`, `1.003 s`.
fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A unit of memory: its name and its size in bytes.
type Unit = (&'static str, u64);

/// The largest unit in which these bytes are a whole number.
fn unit_of(bytes: u64) -> Unit {
    [("MiB", 1 << 20), ("KiB", 1 << 10)]
        .into_iter()
        .find(|(_, size)| bytes >= *size && bytes.is_multiple_of(*size))
        .unwrap_or(("bytes", 1))
}

/// In hundredths of the unit, rounded up.
fn in_unit(bytes: u64, (name, size): Unit) -> String {
    if size == 1 {
        return plain_bytes(bytes);
    }
    let hundredths = (u128::from(bytes) * 100).div_ceil(u128::from(size));
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    format!(
        "{} {name}",
        text.trim_end_matches('0').trim_end_matches('.')
    )
}

/// `1 byte`, `12 bytes`.
pub(super) fn plain_bytes(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    }
}
