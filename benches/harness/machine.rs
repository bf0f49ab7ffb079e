//! What the figures were measured on.

use std::fmt;

use anyhow::{Context, Result};
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use serde::Serialize;

/// The machine, as far as it bears on the figures.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The kernel's release.
    pub(crate) kernel: String,
    /// The processor's model name.
    pub(crate) model: String,
    /// True if the processor says that a hypervisor is below it.
    pub(crate) virtual_machine: bool,
    /// The CPUs that the benchmark may use.
    pub(crate) cpus: Vec<usize>,
    /// Load averages over 1, 5 and 15 minutes when the benchmark began.
    pub(crate) load: String,
}

impl Machine {
    pub(crate) fn read() -> Result<Self> {
        let allowed = sched_getaffinity(Pid::from_raw(0)).context("failed to read the CPU set")?;
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            info.lines()
                .find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'))
                .map(|value| value.trim().to_owned())
        };
        Ok(Self {
            kernel: first_line("/proc/sys/kernel/osrelease"),
            model: field("model name").unwrap_or_else(|| "unknown".to_owned()),
            virtual_machine: field("flags")
                .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            cpus: (0..CpuSet::count())
                .filter(|&cpu| allowed.is_set(cpu).unwrap_or(false))
                .collect(),
            load: loads(),
        })
    }
}

/// One line for a heading.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.virtual_machine {
            true => ", virtual",
            false => "",
        };
        write!(
            f,
            "{}{kind}, {} CPUs, Linux {}, load {}",
            self.model,
            self.cpus.len(),
            self.kernel,
            self.load
        )
    }
}

/// Load averages over 1, 5 and 15 minutes.
pub(crate) fn loads() -> String {
    let line = first_line("/proc/loadavg");
    line.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The load average over a minute; not a number where it cannot be read.
pub(crate) fn load_now() -> f64 {
    let loads = loads();
    let first = loads.split(' ').next();
    first.and_then(|load| load.parse().ok()).unwrap_or(f64::NAN)
}

fn first_line(path: &str) -> String {
    std::fs::read_to_string(path)
        .ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned())
}
