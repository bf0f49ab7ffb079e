//! What is measured: the limits, the ways to exceed them, and the machines.

use serde::Serialize;

/// What else the machine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Beside {
    Idle,
    /// So many processes compute as there are CPUs, times two.
    Loaded,
}

impl Beside {
    pub(crate) const ALL: [Beside; 2] = [Beside::Idle, Beside::Loaded];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Beside::Idle => "idle",
            Beside::Loaded => "loaded",
        }
    }
}

/// A limit, and what it limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    Cpu,
    Wall,
    Idle,
    Memory,
    Output,
}

impl Limit {
    /// Its name in a report, and that of its flag.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Limit::Cpu => "cpu",
            Limit::Wall => "wall",
            Limit::Idle => "idle",
            Limit::Memory => "memory",
            Limit::Output => "output",
        }
    }

    /// What the flag says, and the same in the unit of the figures.
    pub(crate) fn value(self) -> (&'static str, f64) {
        match self {
            Limit::Cpu => ("300ms", 300.0),
            Limit::Wall | Limit::Idle => ("100ms", 100.0),
            Limit::Memory => ("64MiB", 65_536.0),
            Limit::Output => ("1MiB", 1024.0),
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Limit::Cpu | Limit::Wall | Limit::Idle => "ms",
            Limit::Memory | Limit::Output => "KiB",
        }
    }

    /// The field of a report that says what was used in all, and its unit by ours.
    pub(crate) fn used(self) -> (&'static str, f64) {
        match self {
            Limit::Cpu => ("cpu_ms", 1.0),
            // What the wall limit counts.
            Limit::Wall => ("turn_ms", 1.0),
            Limit::Idle => ("idle_ms", 1.0),
            Limit::Memory => ("memory_kib", 1.0),
            Limit::Output => ("stdout_bytes", 1.0 / 1024.0),
        }
    }

    /// What the `used` of an end is to be multiplied by: it is in milliseconds or bytes.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Limit::Cpu | Limit::Wall | Limit::Idle => 1.0,
            Limit::Memory | Limit::Output => 1.0 / 1024.0,
        }
    }
}

/// A program that exceeds a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) limit: Limit,
    pub(crate) label: &'static str,
    /// What `exceeds.c` is told.
    pub(crate) way: &'static str,
    /// The value of `--cpu-set`.
    pub(crate) cpus: &'static str,
    /// The names of its bounds by machine, and what 95 of 100 may exceed the limit by in all.
    pub(crate) bound: Option<([&'static str; 2], f64)>,
}

/// Milliseconds of CPU time.
const CPU_OVERRUN: f64 = 10.0;

const fn cpu(
    label: &'static str,
    way: &'static str,
    cpus: &'static str,
    names: [&'static str; 2],
) -> Case {
    Case {
        limit: Limit::Cpu,
        label,
        way,
        cpus,
        bound: Some((names, CPU_OVERRUN)),
    }
}

const fn other(limit: Limit, label: &'static str, way: &'static str) -> Case {
    Case {
        limit,
        label,
        way,
        cpus: "own",
        bound: None,
    }
}

pub(crate) const CASES: [Case; 8] = [
    cpu(
        "CPU, one thread",
        "one-thread",
        "own",
        ["CPU, one thread, idle", "CPU, one thread, loaded"],
    ),
    // On all CPUs, where time passes fastest.
    cpu(
        "CPU, four threads on all CPUs",
        "four-threads",
        "all",
        ["CPU, four threads, idle", "CPU, four threads, loaded"],
    ),
    cpu(
        "CPU, in the kernel",
        "system",
        "own",
        ["CPU, in the kernel, idle", "CPU, in the kernel, loaded"],
    ),
    other(Limit::Wall, "wall, asleep", "sleep"),
    other(Limit::Wall, "wall, computing", "one-thread"),
    other(Limit::Idle, "idle", "sleep"),
    other(Limit::Memory, "memory", "memory"),
    other(Limit::Output, "output", "output"),
];
