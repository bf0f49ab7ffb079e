//! Numbers as they are shown: never rounded to the other side of the limit.

use std::time::Duration;

use crate::evidence::Quantity::{Bytes, Time};
use crate::verdict::amount::amounts;

#[test]
fn amounts_in_the_unit_of_the_limit() {
    let nanos = |nanos| Time(Duration::from_nanos(nanos));
    for (used, allowed, shown) in [
        (
            nanos(1_000_000_001),
            nanos(1_000_000_000),
            ("1.001 s", "1 s"),
        ),
        (
            nanos(10_000_000_000),
            nanos(10_000_000_000),
            ("10 s", "10 s"),
        ),
        (nanos(1_500_001), nanos(1_500_000), ("0.002 s", "0.0015 s")),
        (nanos(0), nanos(0), ("0 s", "0 s")),
        (Bytes((1 << 20) + 1), Bytes(1 << 20), ("1.01 MiB", "1 MiB")),
        (Bytes(300 << 20), Bytes(256 << 20), ("300 MiB", "256 MiB")),
        (Bytes(2 << 20), Bytes(1536 << 10), ("2048 KiB", "1536 KiB")),
        (Bytes(1 << 20), Bytes(1), ("1048576 bytes", "1 byte")),
        (Bytes(1), Bytes(0), ("1 byte", "0 bytes")),
        (nanos(1), Bytes(1024), ("0.000000001 s", "1 KiB")),
    ] {
        let (used, allowed) = amounts(used, allowed);
        assert_eq!((&*used, &*allowed), shown);
    }
}

#[test]
fn the_largest_amounts_are_shown_too() {
    let (used, _) = amounts(Time(Duration::MAX), Time(Duration::ZERO));
    assert_eq!(used, "18446744073709551615.999999999 s");
    let (used, _) = amounts(Bytes(u64::MAX), Bytes(1 << 20));
    assert_eq!(used, "17592186044416 MiB");
}
