//! Tasks that begin: whose they are, whichever report comes first.
//!
//! A task that makes another stops before the call, and after it, when it can say whom it has made.
//! The new task's own first stop, or even its end, may be reported before that; and the maker may be
//! killed in between, so that nobody says it.

use super::{Pid, Task, Tracer, Who, go_on, is_group_stop, leave_stop};
use crate::sandbox::proc;
use crate::sys;

impl Tracer {
    pub(super) fn is_anyone_making(&self) -> bool {
        self.tasks.values().any(|task| task.making.is_some())
    }

    /// Once nobody is making a task, nobody is left whose a stranger could be: the one that made it
    /// was killed at it.
    pub(super) fn settle(&mut self) {
        let idle = self.strangers.is_empty() && self.early.is_empty();
        if idle || self.is_anyone_making() {
            return;
        }
        self.early.clear();
        for (pid, _) in self.strangers.drain() {
            let _ = sys::kill(pid, libc::SIGKILL);
            go_on(pid, 0);
        }
    }

    /// A task reported that it has made another one, whose own first stop may come before or after.
    pub(super) fn made_a_task(&mut self, parent: Pid, event: i32) {
        let Some(task) = self.tasks.get_mut(&parent) else {
            return;
        };
        let (who, process) = (task.who, task.process);
        let is_thread = task.making.take().unwrap_or(false);
        let borrows_memory = event == libc::PTRACE_EVENT_VFORK;
        // Killed in between, it cannot say whom it has made; the child will be discovered.
        if let Ok(child) = sys::ptrace_event_message(parent, event) {
            let child = child as Pid;
            let stopped = self.strangers.remove(&child);
            if !self.early.remove(&child) {
                let process = if is_thread { process } else { child };
                self.begins(child, who, process);
            }
            if let Some(task) = self.tasks.get_mut(&child)
                && let Some(status) = stopped
            {
                task.stopped = is_group_stop(status);
                leave_stop(child, task.stopped);
            }
            if borrows_memory && self.tasks.contains_key(&child) {
                self.trees[who].usage.borrows(child, process);
            }
        }
        self.settle();
        go_on(parent, 0);
    }

    /// A stop of a task that nobody has reported yet: finds out from the kernel whose it is.
    pub(super) fn discover(&mut self, pid: Pid) -> bool {
        let Some((process, parent)) = read_status(pid) else {
            return false;
        };
        let owner = |pid: Pid| {
            let of_task = self.tasks.get(&pid).map(|task| task.who);
            of_task.or_else(|| self.trees.iter().position(|tree| tree.init == Some(pid)))
        };
        let relative = if process != pid { process } else { parent };
        let Some(who) = owner(relative).filter(|who| !self.trees[*who].gone) else {
            return false;
        };
        if self.is_anyone_making() {
            self.early.insert(pid);
        }
        self.begins(pid, who, process);
        true
    }

    /// A new task of a tree.
    fn begins(&mut self, pid: Pid, who: Who, process: Pid) {
        let task = Task {
            who,
            process,
            ending: false,
            stopped: false,
            making: None,
            fault: None,
        };
        self.tasks.insert(pid, task);
        let alive = self.tasks(who).count() as u32;
        let tree = &mut self.trees[who];
        tree.most_tasks = tree.most_tasks.max(alive);
        if process == pid {
            tree.usage.begins(pid, Default::default());
        }
        if tree.dying {
            let _ = sys::kill(pid, libc::SIGKILL);
        }
    }
}

/// The process that a task belongs to, and that process's parent; `None` if there is none.
fn read_status(pid: Pid) -> Option<(Pid, Pid)> {
    let status = proc::text(pid, "status")?;
    let field = |name| proc::number(&status, name);
    Some((field("Tgid:")?, field("PPid:")?))
}
