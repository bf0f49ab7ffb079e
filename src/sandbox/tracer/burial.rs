//! The last reports: nothing of a sandbox may be left, not even as a zombie.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::{Tracer, Who, go_on};
use crate::sandbox::waiting::is_zombie;
use crate::sys::{self, Pid};

impl Tracer {
    /// True if a task is on its way out, which may take it long where others want the CPU. That
    /// wakes whoever waits for its end, or for the end of what it held: a parent only once we have
    /// taken the report.
    pub fn has_one_leaving(&self, who: Who) -> bool {
        let of = || self.tasks.iter().filter(move |(_, task)| task.who == who);
        of().filter(|(_, task)| task.ending).any(|(pid, task)| {
            // A leader is reported after its last thread, until when it wakes nobody.
            let has_threads = || of().any(|(_, t)| t.process == *pid && !t.ending);
            task.process != *pid || !has_threads() || !is_zombie(*pid)
        })
    }

    /// Waits until the inits of the sandboxes, which were killed, are gone as well. The kernel is
    /// taking their namespaces down meanwhile, which nobody had to wait for before.
    pub fn bury(&mut self) {
        while self
            .trees
            .iter()
            .any(|tree| tree.init.is_some() && !tree.init_gone)
        {
            match sys::wait4(-1, true) {
                Ok(Some(report)) if libc::WIFSTOPPED(report.status) => go_on(report.pid, 0),
                Ok(Some(report)) => self.ended(&report, &mut Vec::new()),
                _ => return,
            }
        }
        self.bury_unreported();
        self.bury_orphans();
    }

    /// Reaps what the programs did not wait for themselves, and what has become a child of ours
    /// because there is no init that it could go to.
    fn bury_orphans(&mut self) {
        while let Ok(Some((pid, true))) = sys::peek_report() {
            if self.reap(pid, &mut Vec::new()).is_err() {
                return;
            }
        }
    }

    /// Waits a moment for the first and last signs of tasks that were never reported.
    fn bury_unreported(&mut self) {
        const PATIENCE: Duration = Duration::from_millis(50);
        const NAP: Duration = Duration::from_micros(500);
        let begin = Instant::now();
        while self.unreported > 0 && begin.elapsed() < PATIENCE {
            let done = match sys::peek_report() {
                Ok(Some((pid, true))) => self.reap(pid, &mut Vec::new()),
                Ok(Some((pid, false))) => sys::take_stop(pid).map(|_| {
                    let _ = sys::kill(pid, libc::SIGKILL);
                    go_on(pid, 0);
                }),
                // It does not exist yet, or never will.
                Ok(None) => {
                    std::thread::sleep(NAP);
                    Ok(())
                }
                Err(e) => Err(e),
            };
            if done.is_err() {
                return;
            }
        }
    }
}

/// Takes reports until these processes, which were killed, are reaped: no zombie stays. One that
/// was reaped before is not waited for.
pub fn reap_everything(processes: &[Option<Pid>]) {
    let left = processes.iter().flatten().copied();
    let mut missing: HashSet<Pid> = left.filter(|pid| sys::is_unreaped(*pid)).collect();
    while !missing.is_empty() {
        // Whatever else the sandbox started must be reaped too before its init can end.
        match sys::wait4(-1, true) {
            Ok(Some(report)) if libc::WIFSTOPPED(report.status) => go_on(report.pid, 0),
            Ok(Some(report)) => {
                missing.remove(&report.pid);
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Task;
    use super::*;

    #[test]
    fn one_that_is_on_its_way_out_wakes_others() {
        let mut tracer = Tracer::default();
        let us = std::process::id() as Pid;
        let mut put = |pid: Pid, process: Pid, ending: bool| {
            let task = Task {
                who: 0,
                process,
                ending,
                stopped: false,
                making: None,
                fault: None,
            };
            tracer.tasks.insert(pid, task);
            (tracer.has_one_leaving(0), tracer.has_one_leaving(1))
        };
        assert_eq!(put(us, us, false), (false, false));
        // A child, and a thread.
        assert_eq!(put(7, 7, true), (true, false));
        assert_eq!(put(7, 7, false), (false, false));
        assert_eq!(put(7, us, true), (true, false));
        assert_eq!(put(7, us, false), (false, false));
        // A leader that has threads.
        assert_eq!(put(us, us, true), (true, false));
    }

    #[test]
    fn a_leader_that_has_ended_before_its_threads_wakes_nobody() {
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let leader = ended.id() as Pid;
        while !is_zombie(leader) {
            std::thread::yield_now();
        }
        let mut tracer = Tracer::default();
        for (pid, ending) in [(leader, true), (7, false)] {
            let task = Task {
                who: 0,
                process: leader,
                ending,
                stopped: false,
                making: None,
                fault: None,
            };
            tracer.tasks.insert(pid, task);
        }
        assert!(!tracer.has_one_leaving(0));
        tracer.tasks.remove(&7);
        assert!(tracer.has_one_leaving(0));
        ended.wait().unwrap();
    }
}
