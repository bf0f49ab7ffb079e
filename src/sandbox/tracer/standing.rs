//! Where a participant's program stood when it crashed, or when it is about to be stopped.
//!
//! Only for whoever owns the program, and asks for it ([`Tracer::explain`]). A crash is seen twice:
//! when the signal is about to be delivered, with the registers and the reason, and when the task
//! exits, at which it is certain that the signal was not handled and the memory is still there. A
//! program that is to be stopped is interrupted first, and read while it stands still.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Pid, Tracer, Who};
use crate::diagnose::cause::cause;
use crate::diagnose::stack::{Registers, Stack, stack};
use crate::sandbox::{proc, view, waiting};
use crate::sys::{self, SignalInfo};

/// The signals that a program gets for what it does itself: faults, and the kernel's own limits.
const FAULTS: [i32; 9] = [
    libc::SIGXFSZ,
    libc::SIGXCPU,
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
];

/// How long a task may take to stop when it is interrupted: it must get a CPU for that, which
/// others may want as well.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long it may take if it is in a wait that nothing interrupts, such as that for a child of
/// vfork.
const PATIENCE_IN_VAIN: Duration = Duration::from_millis(5);
const NAP: Duration = Duration::from_micros(50);

/// The state of a task at a signal, which may turn out to end it.
#[derive(Debug)]
pub(super) struct Fault {
    registers: Registers,
    info: SignalInfo,
}

/// Which task of a participant's main process is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thread {
    /// The first one.
    Main,
    /// The one that has used the most CPU time.
    Busiest,
}

/// Where a participant's program stood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The calls that had not returned.
    pub stack: Stack,
    /// Why a signal ended it, if more is known than the signal: see [`cause`].
    pub cause: Option<String>,
}

impl Tracer {
    /// From now on, finds out where this participant's program stands when it ends by a fault.
    /// `program` is the file that it was started from, as our side knows it.
    pub fn explain(&mut self, who: Who, program: &Path) {
        self.trees[who].explained = Some(program.to_owned());
    }

    /// True if it is found out where this participant's program stands.
    pub fn is_explained(&self, who: Who) -> bool {
        self.trees[who].explained.is_some()
    }

    /// Where the participant's program stood: when it crashed, or at the first call of
    /// [`Tracer::locate`]. `None` where it was not to be explained, or nothing of both has happened.
    pub fn standing(&self, who: Who) -> Option<&Standing> {
        self.trees[who].standing.as_ref()
    }

    /// Finds out where the participant's program stands, if it is to be explained and that is not
    /// known yet. It goes on afterwards. What it was about to report is told at the next
    /// [`Tracer::take`].
    pub fn locate(&mut self, who: Who, thread: Thread) {
        let tree = &self.trees[who];
        if tree.explained.is_none() || tree.standing.is_some() || tree.dying {
            return;
        }
        let Some(pid) = self.chosen(who, thread) else {
            return;
        };
        let Some(status) = interrupt(pid) else {
            return;
        };
        if let Ok(registers) = sys::ptrace_registers(pid) {
            self.stood(pid, who, &registers, None);
        }
        // Whatever it is stopped for, it is answered as always.
        let mut happenings = std::mem::take(&mut self.postponed);
        self.stopped(pid, status, &mut happenings);
        self.postponed = happenings;
    }

    fn chosen(&self, who: Who, thread: Thread) -> Option<Pid> {
        let main = self.trees[who].main;
        let alive = |(_, task): &(&Pid, &super::Task)| task.process == main && !task.ending;
        let mut threads = self.tasks.iter().filter(alive).map(|(pid, _)| *pid);
        match thread {
            Thread::Main => threads.find(|pid| *pid == main),
            Thread::Busiest => threads.max_by_key(|pid| (cpu_time(*pid), -*pid)),
        }
    }

    /// A signal is about to be delivered to a task.
    pub(super) fn signalled(&mut self, pid: Pid, signal: i32) {
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        let tree = &self.trees[task.who];
        if tree.explained.is_none() || task.process != tree.main || !FAULTS.contains(&signal) {
            return;
        }
        task.fault = match (sys::ptrace_registers(pid), sys::ptrace_signal_info(pid)) {
            (Ok(registers), Ok(info)) => Some(Box::new(Fault { registers, info })),
            _ => None,
        };
    }

    /// A task is on its way out; its memory is still there.
    pub(super) fn exits(&mut self, pid: Pid) {
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        let (who, process, fault) = (task.who, task.process, task.fault.take());
        let tree = &self.trees[who];
        if tree.explained.is_none() || tree.standing.is_some() || process != tree.main {
            return;
        }
        let status = sys::ptrace_event_message(pid, libc::PTRACE_EVENT_EXIT).unwrap_or(0) as i32;
        let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status));
        match fault {
            Some(fault) if signal == Some(fault.info.signal) => {
                self.stood(pid, who, &fault.registers, Some(&fault.info));
            }
            // Not by us: the kernel takes it down, perhaps for its memory.
            _ if signal == Some(libc::SIGKILL) && !tree.dying => {
                if let Ok(registers) = sys::ptrace_registers(pid) {
                    self.stood(pid, who, &registers, None);
                }
            }
            _ => {}
        }
    }

    /// Reads the stack of a task that is stopped.
    fn stood(&mut self, pid: Pid, who: Who, registers: &Registers, info: Option<&SignalInfo>) {
        let tree = &mut self.trees[who];
        let Some(program) = &tree.explained else {
            return;
        };
        // The stack of an interpreter says nothing of the program that it runs.
        let installed = view::SYSTEM
            .iter()
            .any(|folder| program.starts_with(folder));
        tree.standing = Some(Standing {
            stack: match installed {
                true => Stack::default(),
                false => stack(pid, registers, program),
            },
            cause: info.and_then(|info| cause(pid, registers, info)),
        });
    }
}

/// Stops a task; the status of the stop. `None` if it did not stop in time, or has ended.
fn interrupt(pid: Pid) -> Option<i32> {
    sys::ptrace_interrupt(pid).ok()?;
    let begin = Instant::now();
    loop {
        match sys::take_stop(pid) {
            Ok(Some(status)) => return Some(status),
            Ok(None) => {}
            Err(_) => return None,
        }
        let waited = begin.elapsed();
        if waited >= PATIENCE || waited >= PATIENCE_IN_VAIN && !waiting::can_be_interrupted(pid) {
            return None;
        }
        std::thread::sleep(NAP);
    }
}

/// The CPU time that a task has used, in nanoseconds.
fn cpu_time(pid: Pid) -> u64 {
    let figures = proc::text(pid, "schedstat").unwrap_or_default();
    let first = figures.split_whitespace().next();
    first.and_then(|text| text.parse().ok()).unwrap_or(0)
}
