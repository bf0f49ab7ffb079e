//! What a participant's tree has used: CPU time and resident memory.
//!
//! CPU time is the sum of the processes' own clocks, read while a process lives and once more
//! between its death and its reaping; `rusage` would count a reaped child twice, and a living one
//! not at all. Memory is the cgroup's count where there is one; otherwise the kernel's high-water
//! mark of each process (`VmHWM`, which starts anew with each program, unlike `ru_maxrss`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::proc;
use crate::sys::{self, Pid};

/// The CPU and memory account of one participant.
#[derive(Debug, Default)]
pub struct Usage {
    /// Processes that live, with what their clocks showed before the program was theirs.
    alive: BTreeMap<Pid, Duration>,
    /// Those of them that live in the memory of another (vfork), and whose it is.
    borrowing: BTreeMap<Pid, Pid>,
    /// Those of them that have begun to exit: their memory is going and was looked at.
    leaving: BTreeSet<Pid>,
    /// CPU time of processes that have ended.
    ended: Duration,
    /// User and system time of the processes that were reaped, to divide the total by.
    user: Duration,
    system: Duration,
    /// The highest sum of resident memory that was seen, in bytes.
    peak: u64,
    /// Before this moment the memory of several processes is not looked at again.
    rest_until: Option<Instant>,
}

/// A look at the memory that processes share takes the kernel a while. Looking at it takes at most
/// one part in so many of the time, because the program waits for it on the same CPU.
const SHARE: u32 = 10;

impl Usage {
    /// A process of the tree begins; `before` is time on its clock that is not the program's.
    pub fn begins(&mut self, process: Pid, before: Duration) {
        self.alive.insert(process, before);
    }

    /// A process has ended and is not reaped yet: its clock shows its last word.
    pub fn ends(&mut self, process: Pid) {
        self.borrowing.remove(&process);
        self.leaving.remove(&process);
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

    /// A process lives in the memory of its parent until it executes a program (vfork).
    pub fn borrows(&mut self, process: Pid, lender: Pid) {
        self.borrowing.insert(process, lender);
    }

    /// A process has executed a program: its memory is its own now.
    pub fn executed(&mut self, process: Pid) {
        self.borrowing.remove(&process);
    }

    /// Looks at the resident memory of every living process.
    pub fn sample_memory(&mut self) {
        let counted: Vec<Pid> = self.counted().collect();
        match counted.as_slice() {
            [] => {}
            [alone] => {
                let now = figure(*alone, "status", "VmRSS:").unwrap_or(0);
                self.peak = self.peak.max(now);
            }
            several => self.sample_several(several),
        }
    }

    /// Looks at a process that is about to end, with its own high-water mark.
    pub fn sample_last(&mut self, process: Pid) {
        let mark = figure(process, "status", "VmHWM:").unwrap_or(0);
        self.peak = self.peak.max(mark);
        self.sample_memory();
        self.leaving.insert(process);
    }

    /// Pages that several processes share are counted once: each is charged its part of them.
    fn sample_several(&mut self, processes: &[Pid]) {
        let start = Instant::now();
        if self.rest_until.is_some_and(|until| start < until) {
            return;
        }
        let sum = || -> u64 {
            let parts = processes.iter();
            parts
                .filter_map(|p| figure(*p, "smaps_rollup", "Pss:"))
                .sum()
        };
        let mut resident = sum();
        if resident > self.peak {
            // The processes are looked at one after the other. If one let go of shared pages in
            // between, another was charged for them once more.
            resident = resident.min(sum());
        }
        self.peak = self.peak.max(resident);
        let end = Instant::now();
        self.rest_until = Some(end + (end - start) * SHARE);
    }

    /// The processes whose memory is their own and stays.
    fn counted(&self) -> impl Iterator<Item = Pid> {
        let stays = |p: &Pid| self.alive.contains_key(p) && !self.leaving.contains(p);
        let is_counted = move |p: &Pid| {
            let lender = self.borrowing.get(p);
            stays(p) && !lender.is_some_and(stays)
        };
        self.alive.keys().copied().filter(is_counted)
    }

    /// The highest resident memory of the tree that was seen, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.peak
    }
}

/// A figure in KiB from a file of `/proc/PID`, in bytes; `None` if the process is gone or has no
/// memory any more.
fn figure(process: Pid, file: &str, name: &str) -> Option<u64> {
    let kib: u64 = proc::number(&proc::text(process, file)?, name)?;
    Some(kib * 1024)
}
