//! The last reports: nothing of a sandbox may be left, not even as a zombie.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::{Tracer, go_on};
use crate::sys::{self, Pid};

impl Tracer {
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
