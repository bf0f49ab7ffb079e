//! Processors: how many, and whether their speed varies.

use std::fs;

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

use super::{Finding, Kind};

pub(super) fn look() -> Finding {
    let name = "cpus";
    let ours = sched_getaffinity(Pid::from_raw(0)).ok();
    let ours = ours.map_or(1, |set| {
        (0..CpuSet::count())
            .filter(|cpu| set.is_set(*cpu).unwrap_or(false))
            .count()
    });
    let read = |file: &str| {
        let text = fs::read_to_string(format!("/sys/devices/system/cpu/{file}"));
        text.map_or(String::new(), |text| text.trim().to_owned())
    };
    let threads = read("smt/active") == "1";
    let governor = read("cpu0/cpufreq/scaling_governor");
    let (drawbacks, remedies) = drawbacks(threads, &governor);
    let runs = match ours {
        1 => "one, so one run at a time has a CPU of its own".to_owned(),
        ours => format!("{ours}, so {ours} runs at a time have a CPU of their own"),
    };
    match drawbacks.as_slice() {
        [] => Finding::yes(name, Kind::Measure, runs),
        _ => Finding::yes(name, Kind::Measure, runs).partly(
            format!("CPU times vary: {}", drawbacks.join(", and ")),
            format!("as root {}", remedies.join(" and ")),
        ),
    }
}

/// What makes CPU times vary, and the commands against it.
fn drawbacks(threads: bool, governor: &str) -> (Vec<String>, Vec<&'static str>) {
    let mut drawbacks = Vec::new();
    let mut remedies = Vec::new();
    if threads {
        drawbacks.push("two CPUs share the units of one core".to_owned());
        remedies.push("run `echo off > /sys/devices/system/cpu/smt/control`");
    }
    if !matches!(governor, "" | "performance") {
        drawbacks.push(format!("the governor `{governor}` changes their frequency"));
        remedies.push("run `cpupower frequency-set -g performance`");
    }
    (drawbacks, remedies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_machine_has_no_drawback() {
        assert_eq!(drawbacks(false, "").0.len(), 0);
        assert_eq!(drawbacks(false, "performance").0.len(), 0);
        let (drawbacks, remedies) = drawbacks(true, "powersave");
        assert_eq!((drawbacks.len(), remedies.len()), (2, 2));
    }
}
