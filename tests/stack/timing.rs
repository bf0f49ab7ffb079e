//! How long it takes, for a person to see: `cargo test --release --test stack -- timing --nocapture
//! --ignored`.

use super::programs::program;
use super::tracee::crashed;

#[test]
#[ignore = "a measurement"]
fn timing() {
    for (name, flags, way) in [
        ("ends.c", &["-O2", "-g", "-pthread"][..], "sorts"),
        ("ends.c", &["-O2", "-g", "-pthread"], "overflow"),
        ("ends.c", &["-O2", "-g", "-pthread", "-static"], "sorts"),
        ("ends.c", &["-O2", "-pthread"], "sorts"),
        ("ends.cpp", &["-O2", "-g", "-std=gnu++20"], "throws"),
        ("ends.cpp", &["-O2", "-std=gnu++20"], "throws"),
        ("ends.cpp", &["-O0", "-g", "-std=gnu++20"], "visit"),
        ("ends.rs", &["-O", "-g"], "abort"),
    ] {
        let program = program(name, flags).unwrap();
        let mut times: Vec<_> = (0..9)
            .map(|_| crashed(&program.path, &[way]).took)
            .collect();
        times.sort();
        println!(
            "{name} {flags:?} {way}: {:?} median, {:?} most",
            times[4], times[8]
        );
    }
}
