//! Follows every process and thread of every sandbox of a session.
//!
//! The reactor calls [`Tracer::take`] whenever SIGCHLD came: it takes every report that the kernel
//! has, lets the task go on (a tracee never stays stopped, except in a stop of its own), and tells
//! the session in a few [`Happening`]s. A task may vanish between its report and our answer, so
//! every request to it may fail with ESRCH; its end is then reported later, and nothing is lost.
//!
//! Rules for the cases that have broken other tracers are at the places that keep them: a child
//! that stops, or even ends, before its parent's fork is reported; a thread that executes a program and takes
//! over the leader's id; a leader that ends before its threads; group-stops.

mod births;
mod burial;
mod calls;
mod memory;
pub mod output;
mod signals;
mod standing;

pub use burial::reap_everything;
pub use standing::{Standing, Thread};

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::PathBuf;

use super::policy::Policy;
use super::proc;
use super::usage::Usage;
use crate::error::{Context, Result};
use crate::evidence::{ForbiddenCall, Refusal};
use crate::spec::limits::Limits;
use crate::sys::{self, Pid, Waited};

/// How participants are seized. The kernel kills them if this process dies.
pub const OPTIONS: i32 = libc::PTRACE_O_EXITKILL
    | libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT;

/// The index of a participant in its session.
pub type Who = usize;

/// How a process ended, as the kernel reported it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    Signaled(i32),
}

/// What the session is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A participant's main process ended, with its last thread. Others of its tree may live.
    Ended { who: Who, how: Ending },
    /// Nothing of a participant's tree lives any more: what it wrote is complete.
    Gone { who: Who },
    /// A participant made a call that ends it. It is being killed.
    Forbidden { who: Who, call: ForbiddenCall },
    /// A call was refused, for the first time under this name.
    Refused { who: Who, call: String },
    /// A participant with a [tap](output::Tap) is about to write this.
    Wrote { who: Who, bytes: Vec<u8> },
}

/// A process or thread that is traced.
#[derive(Debug)]
struct Task {
    who: Who,
    /// The process it belongs to (its thread group).
    process: Pid,
    /// It is on its way out and only its report is still to come.
    ending: bool,
    /// It is in a group-stop (SIGSTOP and the like).
    stopped: bool,
    /// It is making a task, which will be a thread (true) or a process of its own.
    making: Option<bool>,
    /// The last signal for a mistake of its own, which it may yet handle.
    fault: Option<Box<standing::Fault>>,
}

/// The tree of one participant.
#[derive(Debug)]
struct Tree {
    main: Pid,
    init: Option<Pid>,
    init_gone: bool,
    usage: Usage,
    most_tasks: u32,
    tasks_limit: u32,
    policy: &'static Policy,
    /// Bytes of address space that each of its processes may have.
    address_space: Option<u64>,
    tap: Option<output::Tap>,
    /// Its standard output and error, as it was given them.
    streams: Vec<calls::FileId>,
    /// In a pid namespace of its own: ids it uses are not ours, and it can name no others.
    own_ids: bool,
    dying: bool,
    /// It was said to be gone. Whoever is heard of later was made by one that was killed at it, and
    /// has never run.
    gone: bool,
    set_timer: bool,
    sent_sigkill: bool,
    lost_a_process: bool,
    /// Socket pairs that it has made.
    pairs: u32,
    /// Processes that have ended and that their parents may yet have to wait for. Only kept where
    /// there is no init.
    unwaited: Vec<Pid>,
    refused: BTreeMap<String, Refusal>,
    /// The file of its program, if where that stands is to be found out.
    explained: Option<PathBuf>,
    standing: Option<Standing>,
}

/// All tracees of one session. They belong to the thread that started them.
#[derive(Debug, Default)]
pub struct Tracer {
    tasks: HashMap<Pid, Task>,
    trees: Vec<Tree>,
    /// Tasks that were heard of before the report of who made them. That report is then old news,
    /// and the task may have ended long since. Empty while nobody is making a task: an id may be
    /// given out again.
    early: HashSet<Pid>,
    /// Tasks that are stopped until the report comes of who made them, with the status of their
    /// stop: nothing but that report can tell whose they are.
    strangers: HashMap<Pid, i32>,
    /// How many tasks were killed while they made another, in sandboxes without an init that would
    /// take it along: perhaps it exists, and nobody will report it.
    unreported: u32,
    /// What was found out between two takes.
    postponed: Vec<Happening>,
}

impl Tracer {
    /// Takes over a participant that is held at its first instruction.
    pub fn adopt(
        &mut self,
        sandbox: &super::launch::Sandbox,
        limits: &Limits,
        tap: Option<output::Tap>,
    ) -> Who {
        let who = self.trees.len();
        let mut usage = Usage::default();
        usage.begins(
            sandbox.main,
            sys::process_cpu_time(sandbox.main).unwrap_or_default(),
        );
        let streams = [libc::STDOUT_FILENO, libc::STDERR_FILENO];
        let streams = streams.map(|fd| calls::FileId::of(sandbox.main, fd));
        self.trees.push(Tree {
            streams: streams.into_iter().flatten().collect(),
            main: sandbox.main,
            init: sandbox.init,
            init_gone: false,
            usage,
            most_tasks: 1,
            tasks_limit: limits.tasks,
            policy: sandbox.policy,
            address_space: limits.address_space,
            tap,
            own_ids: sandbox.init.is_some(),
            dying: false,
            gone: false,
            set_timer: false,
            sent_sigkill: false,
            lost_a_process: false,
            pairs: 0,
            unwaited: Vec::new(),
            refused: BTreeMap::new(),
            explained: None,
            standing: None,
        });
        let main = sandbox.main;
        let task = Task {
            who,
            process: main,
            ending: false,
            stopped: false,
            making: None,
            fault: None,
        };
        self.tasks.insert(main, task);
        who
    }

    /// Lets an adopted participant run.
    pub fn release(&mut self, who: Who) {
        go_on(self.trees[who].main, 0);
    }

    /// Kills what is left of a participant's tree. With the init everybody goes whom it would take
    /// along, known or not, but only once the init has got a CPU, for which a program that stops
    /// again and again may keep it waiting for seconds; so each known process is killed as well.
    pub fn kill(&mut self, who: Who) {
        let tree = &mut self.trees[who];
        tree.dying = true;
        if let Some(init) = tree.init.filter(|_| !tree.init_gone) {
            let _ = sys::kill(init, libc::SIGKILL);
        }
        let of = self.tasks.iter().filter(|(_, task)| task.who == who);
        for (pid, _) in of.filter(|(pid, task)| task.process == **pid) {
            let _ = sys::kill(*pid, libc::SIGKILL);
        }
    }

    /// The account of a participant.
    pub fn usage(&mut self, who: Who) -> &mut Usage {
        &mut self.trees[who].usage
    }

    /// Its living tasks: id and whether it is in a group-stop.
    pub fn tasks(&self, who: Who) -> impl Iterator<Item = (Pid, bool)> {
        let of = self
            .tasks
            .iter()
            .filter(move |(_, t)| t.who == who && !t.ending);
        of.map(|(pid, task)| (*pid, task.stopped))
    }

    /// Its living processes, the main one first.
    pub fn processes(&self, who: Who) -> Vec<Pid> {
        let of = self.tasks.iter().filter(|(_, t)| t.who == who && !t.ending);
        let leaders = of.filter(|(pid, task)| task.process == **pid);
        let mut processes: Vec<Pid> = leaders.map(|(pid, _)| *pid).collect();
        let main = self.trees[who].main;
        processes.sort_by_key(|pid| (*pid != main, *pid));
        processes
    }

    /// True if it has one task, and none that is on its way out.
    pub fn has_one_task(&self, who: Who) -> bool {
        self.tasks.values().filter(|task| task.who == who).count() == 1
    }

    /// How many tasks it has, and the most it had at once.
    pub fn task_counts(&self, who: Who) -> (u32, u32) {
        (self.tasks(who).count() as u32, self.trees[who].most_tasks)
    }

    /// True if it ever set a timer, so that it may wake by itself.
    pub fn set_timer(&self, who: Who) -> bool {
        self.trees[who].set_timer
    }

    /// True if it ever sent SIGKILL to anyone.
    pub fn sent_sigkill(&self, who: Who) -> bool {
        self.trees[who].sent_sigkill
    }

    /// True if a process of it was killed by SIGKILL: perhaps by the kernel, for its memory.
    pub fn lost_a_process(&self, who: Who) -> bool {
        self.trees[who].lost_a_process
    }

    /// The calls that were refused to it.
    pub fn refused(&self, who: Who) -> Vec<Refusal> {
        self.trees[who].refused.values().cloned().collect()
    }

    /// Takes the reports there are, up to a fair share: a program that makes call after call that
    /// stops must not keep its own limits from being looked at. True if there may be more.
    ///
    /// # Errors
    /// If the kernel refuses to wait at all.
    pub fn take(&mut self, happenings: &mut Vec<Happening>) -> Result<bool> {
        const FAIR_SHARE: u32 = 64;
        let waiting = || "wait for the sandboxed programs".to_owned();
        happenings.append(&mut self.postponed);
        for _ in 0..FAIR_SHARE {
            let Some((pid, ended)) = sys::peek_report().context(waiting)? else {
                return Ok(false);
            };
            if ended {
                self.reap(pid, happenings).context(waiting)?;
            } else if let Some(status) = sys::take_stop(pid).context(waiting)? {
                // If there is none any more, it was killed in between; its end, which must not be
                // taken for a stop, is reported next.
                self.stopped(pid, status, happenings);
            }
        }
        Ok(true)
    }

    /// Takes the report of a task that has ended, and was only looked at so far.
    fn reap(&mut self, pid: Pid, happenings: &mut Vec<Happening>) -> io::Result<()> {
        match self.tasks.get(&pid) {
            // As long as it is not reaped, its clock still stands.
            Some(task) if task.process == pid => self.trees[task.who].usage.ends(pid),
            Some(_) => {}
            // One that was never heard of. But an orphan whose end was reported already comes once
            // more, as a child of ours.
            None if is_tracee(pid) => {
                self.strangers.remove(&pid);
                if self.is_anyone_making() {
                    self.early.insert(pid);
                }
                self.unreported = self.unreported.saturating_sub(1);
            }
            None => {}
        }
        if let Some(report) = sys::wait4(pid, false)? {
            self.ended(&report, happenings);
        }
        Ok(())
    }

    fn ended(&mut self, report: &Waited, happenings: &mut Vec<Happening>) {
        let pid = report.pid;
        let Some(task) = self.tasks.remove(&pid) else {
            let init = self.trees.iter_mut().find(|tree| tree.init == Some(pid));
            if let Some(tree) = init {
                tree.init_gone = true;
            }
            return;
        };
        if task.making.is_some() {
            self.settle();
        }
        let who = task.who;
        let tree = &mut self.trees[who];
        if task.making.is_some() && tree.init.is_none() {
            self.unreported += 1;
        }
        if task.process == pid {
            tree.usage.reaped(report.user, report.system);
            tree.lost_a_process |=
                libc::WIFSIGNALED(report.status) && libc::WTERMSIG(report.status) == libc::SIGKILL;
            if tree.init.is_none() {
                tree.unwaited.push(pid);
            }
        }
        if pid == tree.main {
            // The kernel reports a leader only when its last thread has ended.
            let how = match libc::WIFEXITED(report.status) {
                true => Ending::Exited(libc::WEXITSTATUS(report.status)),
                false => Ending::Signaled(libc::WTERMSIG(report.status)),
            };
            happenings.push(Happening::Ended { who, how });
        }
        if !self.tasks.values().any(|task| task.who == who) {
            self.trees[who].gone = true;
            happenings.push(Happening::Gone { who });
        }
    }

    fn stopped(&mut self, pid: Pid, status: i32, happenings: &mut Vec<Happening>) {
        let signal = libc::WSTOPSIG(status);
        let event = status >> 16;
        if !self.tasks.contains_key(&pid) && !self.discover(pid) {
            self.strangers.insert(pid, status);
            return self.settle();
        }
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        match event {
            libc::PTRACE_EVENT_FORK
            | libc::PTRACE_EVENT_CLONE
            | libc::PTRACE_EVENT_VFORK
            | libc::PTRACE_EVENT_EXIT => {}
            // It made none: the kernel refused, or was interrupted and will be asked again.
            _ if task.making.take().is_some() => self.settle(),
            _ => {}
        }
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        match event {
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_VFORK => {
                self.made_a_task(pid, event);
            }
            libc::PTRACE_EVENT_EXEC => self.executed(pid),
            libc::PTRACE_EVENT_EXIT => {
                task.ending = true;
                let (who, process) = (task.who, task.process);
                let last = !self
                    .tasks
                    .values()
                    .any(|t| t.process == process && !t.ending);
                if last {
                    self.trees[who].usage.sample_last(process);
                }
                self.exits(pid);
                go_on(pid, 0);
            }
            libc::PTRACE_EVENT_SECCOMP => self.called(pid, happenings),
            libc::PTRACE_EVENT_STOP => {
                task.stopped = is_group_stop(status);
                leave_stop(pid, task.stopped);
            }
            _ => {
                self.signalled(pid, signal);
                go_on(pid, signal);
            }
        }
    }

    /// A program was executed: of its threads only the caller is left, under the leader's id.
    fn executed(&mut self, pid: Pid) {
        if let Some(who) = self.tasks.get(&pid).map(|task| task.who) {
            self.tasks.retain(|_, task| task.process != pid);
            self.trees[who].usage.executed(pid);
            let task = Task {
                who,
                process: pid,
                ending: false,
                stopped: false,
                making: None,
                fault: None,
            };
            self.tasks.insert(pid, task);
            // Among the others there may have been one that was making a task.
            self.settle();
        }
        go_on(pid, 0);
    }
}

/// True as long as a task, dead or alive, is traced.
fn is_tracee(pid: Pid) -> bool {
    let status = proc::text(pid, "status").unwrap_or_default();
    proc::field(&status, "TracerPid:").is_some_and(|tracer| tracer != "0")
}

/// True of SIGSTOP and the like; a new task's first stop and the end of a group-stop have SIGTRAP.
fn is_group_stop(status: i32) -> bool {
    status >> 16 == libc::PTRACE_EVENT_STOP && libc::WSTOPSIG(status) != libc::SIGTRAP
}

/// A task in a group-stop stays in it until it is continued; from any other stop it goes on.
fn leave_stop(pid: Pid, group_stop: bool) {
    if group_stop {
        let _ = sys::ptrace_listen(pid);
    } else {
        go_on(pid, 0);
    }
}

/// Lets a task go on; that it has vanished is no failure.
fn go_on(pid: Pid, signal: i32) {
    let _ = sys::ptrace_continue(pid, signal);
}

/// Whether a participant that has passed the barrier has executed its program, or ended before.
/// `None` if it is still on its way, which cannot be after a wait that blocks.
pub fn has_executed(main: Pid, block: bool) -> Result<Option<bool>> {
    loop {
        let report = sys::wait4(main, block).context(|| "wait for a sandboxed program".into())?;
        let Some(report) = report else {
            return Ok(block.then_some(false));
        };
        if !libc::WIFSTOPPED(report.status) {
            return Ok(Some(false));
        }
        match report.status >> 16 {
            libc::PTRACE_EVENT_EXEC => return Ok(Some(true)),
            0 => go_on(main, libc::WSTOPSIG(report.status)),
            _ => go_on(main, 0),
        }
    }
}
