//! The CPUs of a session: one that no other session uses, those that were asked for, or all.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use super::slots::Slot;
use crate::error::{Context, Error, Result};
use crate::spec::plan::Cpus;

/// What a session runs on.
#[derive(Debug)]
pub struct Chosen {
    /// Keeps other sessions off the CPU.
    pub slot: Option<Slot>,
    /// The CPUs; `None` for no restriction.
    pub cpus: Option<Vec<usize>>,
}

/// Chooses the CPUs of a session.
///
/// # Errors
/// If one was asked for that this process may not use.
pub fn choose(wanted: &Cpus) -> Result<Chosen> {
    let mine = sched_getaffinity(Pid::from_raw(0)).context(|| "read our CPUs".into())?;
    let allowed: Vec<usize> = (0..CpuSet::count())
        .filter(|cpu| mine.is_set(*cpu).unwrap_or(false))
        .collect();
    let (slot, cpus) = match wanted {
        Cpus::All => (None, None),
        Cpus::Set(cpus) => match cpus.iter().find(|cpu| !allowed.contains(cpu)) {
            None => (None, Some(cpus.clone())),
            Some(cpu) => {
                return Err(Error::usage(format!(
                    "CPU {cpu} of --cpu-set cannot be used: this process may run on {allowed:?}"
                )));
            }
        },
        Cpus::OneOfOurOwn => {
            let slot = Slot::cpu(&allowed)?;
            let cpus = slot.as_ref().map(|slot| vec![slot.number as usize]);
            (slot, cpus)
        }
    };
    Ok(Chosen { slot, cpus })
}

/// How many CPUs these are; `None` stands for all that there are.
pub fn count(cpus: Option<&[usize]>) -> u32 {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    cpus.map_or_else(all, <[usize]>::len) as u32
}

/// This thread, kept to some CPUs. Dropping it puts them back to what they were.
#[derive(Debug)]
pub struct Pinned(CpuSet);

impl Pinned {
    /// The coordinator runs where its participants do: they take turns, and a wake-up on the same
    /// CPU is several times cheaper than one across.
    ///
    /// # Errors
    /// If the kernel does not let us.
    pub fn to(cpus: &[usize]) -> Result<Pinned> {
        let before = sched_getaffinity(Pid::from_raw(0)).context(|| "read our CPUs".into())?;
        let mut set = CpuSet::new();
        for cpu in cpus {
            set.set(*cpu).context(|| format!("use CPU {cpu}"))?;
        }
        sched_setaffinity(Pid::from_raw(0), &set).context(|| "set our CPUs".into())?;
        Ok(Pinned(before))
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // It was allowed before; if it is no more, there is nothing to go back to.
        let _ = sched_setaffinity(Pid::from_raw(0), &self.0);
    }
}
