//! What a participant's tree has used: CPU time and resident memory.
//!
//! CPU time is the sum of the processes' own clocks, read while a process lives and once more
//! between its death and its reaping; `rusage` would count a reaped child twice, and a living one
//! not at all. Memory is the cgroup's count where there is one; otherwise the kernel's high-water
//! mark of each process (`VmHWM`, which starts anew with each program, unlike `ru_maxrss`).

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::sys::{self, Pid};

/// The CPU and memory account of one participant.
#[derive(Debug, Default)]
pub struct Usage {
    /// Processes that live, with what their clocks showed before the program was theirs.
    alive: BTreeMap<Pid, Duration>,
    /// CPU time of processes that have ended.
    ended: Duration,
    /// User and system time of the processes that were reaped, to divide the total by.
    user: Duration,
    system: Duration,
    /// The highest sum of resident memory that was seen, in bytes.
    peak: u64,
}

impl Usage {
    /// A process of the tree begins; `before` is time on its clock that is not the program's.
    pub fn begins(&mut self, process: Pid, before: Duration) {
        self.alive.insert(process, before);
    }

    /// A process has ended and is not reaped yet: its clock shows its last word.
    pub fn ends(&mut self, process: Pid) {
        if let Some(before) = self.alive.remove(&process) {
            let clock = sys::process_cpu_time(process).unwrap_or(before);
            self.ended += clock.saturating_sub(before);
        }
    }

    /// The figures that the kernel gave when a process was reaped.
    pub fn reaped(&mut self, user: Duration, system: Duration) {
        // Each figure holds the reaped children too; the largest is that of the main process.
        if user + system > self.user + self.system {
            (self.user, self.system) = (user, system);
        }
    }

    /// CPU time of the whole tree so far.
    pub fn cpu(&self) -> Duration {
        let living = self.alive.iter().map(|(process, before)| {
            sys::process_cpu_time(*process)
                .unwrap_or(*before)
                .saturating_sub(*before)
        });
        self.ended + living.sum::<Duration>()
    }

    /// The total divided into user and system time, in the kernel's proportion.
    pub fn user_and_system(&self) -> (Duration, Duration) {
        let total = self.cpu();
        let known = (self.user + self.system).as_secs_f64();
        let user = if known > 0.0 {
            self.user.as_secs_f64() / known
        } else {
            1.0
        };
        let user = total.mul_f64(user.clamp(0.0, 1.0));
        (user, total.saturating_sub(user))
    }

    /// Looks at the resident memory of every living process.
    pub fn sample_memory(&mut self) {
        let sum = self
            .alive
            .keys()
            .filter_map(|p| memory_of(*p))
            .map(|m| m.now)
            .sum();
        self.peak = self.peak.max(sum);
    }

    /// Looks at a process that is about to end, with its own high-water mark.
    pub fn sample_last(&mut self, process: Pid) {
        let others = self.alive.keys().filter(|p| **p != process);
        let others: u64 = others.filter_map(|p| memory_of(*p)).map(|m| m.now).sum();
        if let Some(memory) = memory_of(process) {
            self.peak = self.peak.max(others + memory.peak);
        }
    }

    /// The highest resident memory of the tree that was seen, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.peak
    }
}

/// Resident memory of one process in bytes.
struct Memory {
    now: u64,
    peak: u64,
}

/// Reads `/proc/PID/status`; `None` if the process is gone or has no memory any more.
fn memory_of(process: Pid) -> Option<Memory> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let figure = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_end_matches("kB")
            .trim()
            .parse::<u64>()
            .ok()
            .map(|kib| kib * 1024)
    };
    Some(Memory {
        now: figure("VmRSS:")?,
        peak: figure("VmHWM:")?,
    })
}
