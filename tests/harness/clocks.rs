//! Bounds in time that hold on a machine which also does other work.
//!
//! A single run may be late, or be charged more CPU time than on a quiet machine, through no fault
//! of the coordinator's. A hang, a limit that is waited for in vain, or a loop that spins exceeds
//! its bound in every run. So of so many runs in a row one must keep it; and a run during which
//! others left too few CPUs free says nothing about either.

use std::thread;

use super::case::Case;

/// In so many runs in a row a bound must be kept at least once.
pub(crate) const ATTEMPTS: usize = 3;

/// The part of a CPU that others may use of those that a run needs for itself.
const SHARED: f64 = 0.25;

/// What one run took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) wall_ms: u64,
    pub(crate) cpu_ms: u64,
    pub(crate) others_cpu_ms: u64,
}

/// What the runs may take.
pub(crate) struct Bounds {
    wall_ms: Option<u64>,
    cpu_ms: Option<u64>,
    needs_cpus: f64,
}

impl Bounds {
    /// The bounds of the case.
    pub(crate) fn of(case: &Case) -> Bounds {
        Bounds {
            wall_ms: case.max_wall_ms,
            cpu_ms: case.coordinator.max_cpu_ms,
            needs_cpus: f64::from(case.max_wall_needs_cpus),
        }
    }

    /// True while the last runs exceeded a bound and there were too few of them to blame it on
    /// the coordinator.
    pub(crate) fn want_another(&self, runs: &[Taken]) -> bool {
        self.each(runs).iter().any(|(_, bound, taken)| {
            let late = taken.iter().rev().take_while(|ms| *ms > bound).count();
            (1..ATTEMPTS).contains(&late)
        })
    }

    /// The bounds that some runs in a row exceeded, in sentences.
    pub(crate) fn exceeded(&self, runs: &[Taken]) -> Vec<String> {
        self.each(runs)
            .iter()
            .filter(|(_, bound, taken)| {
                taken
                    .windows(ATTEMPTS)
                    .any(|row| row.iter().all(|ms| ms > bound))
            })
            .map(|(what, bound, taken)| {
                format!("{ATTEMPTS} runs in a row took more than {bound} ms of {what}: {taken:?}")
            })
            .collect()
    }

    /// What each bound is on, the bound, and what the runs took of it.
    fn each(&self, runs: &[Taken]) -> Vec<(&'static str, u64, Vec<u64>)> {
        let undisturbed: Vec<&Taken> = runs.iter().filter(|run| self.had_its_cpus(run)).collect();
        let walls = || undisturbed.iter().map(|run| run.wall_ms).collect();
        let cpus = || undisturbed.iter().map(|run| run.cpu_ms).collect();
        let wall = self.wall_ms.map(|bound| ("real time", bound, walls()));
        let cpu = self
            .cpu_ms
            .map(|bound| ("CPU time, programs included", bound, cpus()));
        wall.into_iter().chain(cpu).collect()
    }

    /// True if others left the run the CPUs that its bound supposes.
    fn had_its_cpus(&self, run: &Taken) -> bool {
        let all = thread::available_parallelism().map_or(1.0, |cpus| cpus.get() as f64);
        let others = run.others_cpu_ms as f64 / run.wall_ms.max(1) as f64;
        all - others >= self.needs_cpus - SHARED
    }
}
