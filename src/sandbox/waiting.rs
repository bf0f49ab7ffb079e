//! What a participant waits for, read from outside: the state and system call of each of its tasks.
//!
//! A look costs a few reads of `/proc` and disturbs nothing; the session only looks when nothing
//! has moved for a moment. Everything that a look says was true at some moment during it, so a
//! decision needs either a wait that only we can end, or several looks in a row.

mod ends;
mod housekeepers;
mod search;
mod task;

use std::collections::BTreeMap;
use std::time::Duration;

pub use ends::Ends;
use housekeepers::{is_housekeeper, keeps_house};
use search::Search;
use task::{Wait, wait_of};

use super::proc;
use crate::sys::Pid;

/// What one look at a participant's tasks showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// A task is blocked in a read of its standard input.
    pub reads: bool,
    /// A task waits in poll, select or epoll for its standard input, perhaps among others.
    pub polls: bool,
    /// A task runs, or could run if it had a CPU.
    pub runs: bool,
    /// A task sleeps, or waits with a timeout for something other than its standard input.
    pub naps: bool,
    /// When the tasks that sleep go on by themselves.
    pub ends: Ends,
    /// A task is in a group-stop (SIGSTOP).
    pub stopped: bool,
    /// A task is blocked writing into a full pipe.
    pub writes: bool,
}

/// How far a look reaches in time.
#[derive(Debug, Clone, Copy)]
pub struct Horizon {
    /// A task that goes on by itself only after so long is as good as asleep for ever.
    pub reach: Duration,
    /// How long the program has lived: no wait of it is older.
    pub lived: Duration,
}

impl Look {
    /// What shows first, in words that read after "waits in".
    pub fn words(&self) -> &'static str {
        match () {
            () if self.reads => "a read of its standard input",
            () if self.polls => "a poll of its standard input",
            () if self.stopped => "a stop by a signal",
            () if self.writes => "a write that is not taken",
            () if self.runs => "nothing: it runs",
            () if self.naps => "a sleep, or in another wait with a timeout",
            () => "something other than its input",
        }
    }

    /// True if it asks for input: in a read, or in a poll while nothing of it runs.
    pub fn asks(&self) -> bool {
        self.reads || (self.polls && !self.runs)
    }

    /// True if it asks and nothing but input can ever wake it.
    pub fn asks_for_ever(&self) -> bool {
        self.asks() && !self.runs && self.ends == Ends::NEVER && !self.stopped && !self.writes
    }
}

/// Looks at each task: its id, and whether the tracer knows it to be in a group-stop. `stdin` is
/// the inode of the pipe that is the participant's standard input.
pub fn look(
    tasks: impl Iterator<Item = (Pid, bool)>,
    stdin: Option<u64>,
    horizon: Horizon,
) -> Look {
    let mut look = Look::default();
    let mut search = Search::new(stdin);
    for (task, stopped) in tasks {
        if stopped {
            look.stopped = true;
            continue;
        }
        match wait_of(task, &mut search) {
            Wait::Runs => look.runs = true,
            Wait::Reads => look.reads = true,
            Wait::Polls(ends) => {
                look.polls = true;
                look.ends = look.ends.later(left(task, ends, horizon));
            }
            Wait::Writes => look.writes = true,
            Wait::Sleeps(Ends::NEVER) => {}
            Wait::Sleeps(ends) if keeps_house(task, ends) => {}
            Wait::Sleeps(ends) => {
                look.naps = true;
                look.ends = look.ends.later(left(task, ends, horizon));
            }
        }
    }
    look
}

/// What is left of a wait, if it ends within the horizon's reach.
fn left(task: Pid, ends: Ends, horizon: Horizon) -> Ends {
    if ends.span.is_zero() {
        return ends.within_reach(horizon.reach);
    }
    match rested(task) {
        Some(age) => ends.after(age).within_reach(horizon.reach),
        // It may have begun a moment ago, or when the program did.
        None if ends.after(horizon.lived).within_reach(horizon.reach) == Ends::NEVER => Ends::NEVER,
        None => ends,
    }
}

/// For how long a task has had no CPU, and at least so long has it been in its wait. `None` if the
/// kernel does not tell (before Linux 6.15 it needs `CONFIG_SCHED_DEBUG`), or if the task last ran
/// on another CPU than we do: each has a clock of its own for that, which leaves out what it spent
/// on interrupts and what the host took from it.
fn rested(task: Pid) -> Option<Duration> {
    let task = |file: &str| proc::text(task, file);
    let cpu = |stat: String| proc::stat_field(&stat, 39)?.parse::<usize>().ok();
    if cpu(task("stat")?)? != cpu(proc::own_text("stat")?)? {
        return None;
    }
    // This thread has been put on its CPU a moment ago.
    let now = last_run(&proc::own_text("sched")?)?;
    Some(now.saturating_sub(last_run(&task("sched")?)?))
}

/// When a task was last accounted for CPU time.
fn last_run(sched: &str) -> Option<Duration> {
    let line = sched
        .lines()
        .find(|line| line.starts_with("se.exec_start"))?;
    // Milliseconds.
    let (_, milliseconds) = line.split_once(':')?;
    let seconds = milliseconds.trim().parse::<f64>().ok()? / 1000.0;
    Duration::try_from_secs_f64(seconds).ok()
}

/// True if a task has begun to exit, or has ended. The kernel marks it so before it closes the
/// task's descriptors.
pub fn is_leaving(task: Pid) -> bool {
    const PF_EXITING: u64 = 4; // include/linux/sched.h
    match state_and_flags(task) {
        Some((state, flags)) => matches!(state, 'Z' | 'X') || flags & PF_EXITING != 0,
        None => true,
    }
}

/// True if nothing is left of a task but its report.
pub fn is_zombie(task: Pid) -> bool {
    state_and_flags(task).is_some_and(|(state, _)| state == 'Z')
}

/// False if a task is in a wait that only its own end or that of the wait interrupts.
pub fn can_be_interrupted(task: Pid) -> bool {
    state_and_flags(task).is_some_and(|(state, _)| state != 'D')
}

/// The state of a task, by the kernel's letter, and its flags (`PF_...`). `None` if it has ended.
fn state_and_flags(task: Pid) -> Option<(char, u64)> {
    let stat = proc::text(task, "stat")?;
    let state = proc::stat_field(&stat, 3)?.chars().next()?;
    let flags = proc::stat_field(&stat, 9)?.parse().ok()?;
    Some((state, flags))
}

/// How often each task has gone to sleep. Those that do it for the runtime's sake are left out.
/// `None` if the kernel does something for one of them, such as reading from a disk: that ends by
/// itself, whatever it is blocked in.
pub fn sleeps(tasks: impl Iterator<Item = Pid>) -> Option<BTreeMap<Pid, u64>> {
    let mut all = BTreeMap::new();
    for task in tasks.filter(|task| !is_housekeeper(*task)) {
        // One that cannot be read has just ended.
        let status = proc::text(task, "status").unwrap_or_default();
        match rest(&status) {
            Some(Rest::Served) => return None,
            Some(Rest::Slept(times)) => drop(all.insert(task, times)),
            None => {}
        }
    }
    Some(all)
}

/// What `/proc/PID/status` says of a task's sleep.
#[derive(Debug, PartialEq, Eq)]
enum Rest {
    /// No signal would wake it: the kernel is busy with what it asked for.
    Served,
    /// It has gone to sleep so many times.
    Slept(u64),
}

fn rest(status: &str) -> Option<Rest> {
    if proc::field(status, "State:")? == "D" {
        return Some(Rest::Served);
    }
    proc::number(status, "voluntary_ctxt_switches:").map(Rest::Slept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_first_is_told() {
        let told = |change: fn(&mut Look)| {
            let mut look = Look::default();
            change(&mut look);
            look.words()
        };
        assert_eq!(told(|_| ()), "something other than its input");
        assert_eq!(
            told(|look| look.naps = true),
            "a sleep, or in another wait with a timeout"
        );
        assert_eq!(
            told(|look| (look.naps, look.polls) = (true, true)),
            "a poll of its standard input"
        );
    }

    #[test]
    fn a_task_that_the_kernel_serves_is_not_asleep() {
        let status = |state: &str| {
            format!(
                "Name:\tD (x)\nState:\t{state}\nvoluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t3\n"
            )
        };
        assert_eq!(rest(&status("S (sleeping)")), Some(Rest::Slept(7)));
        assert_eq!(rest(&status("D (disk sleep)")), Some(Rest::Served));
        assert_eq!(rest(""), None);
        let us = std::process::id() as Pid;
        let counted = sleeps([us, Pid::MAX].into_iter());
        // Other threads of the tests may be in the kernel's hands, not this process's first.
        assert!(counted.is_none_or(|all| all.keys().eq([&us])));
    }

    #[test]
    fn who_sleeps_has_had_no_cpu_since() {
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let sleeper = std::thread::spawn(move || {
            tell.send(nix::unistd::gettid().as_raw()).unwrap();
            let _ = ended.recv();
        });
        let task: Pid = told.recv().unwrap();
        std::thread::sleep(Duration::from_millis(30));
        if let Some(rested) = rested(task) {
            assert!(rested >= Duration::from_millis(10), "{rested:?}");
        }
        drop(end);
        sleeper.join().unwrap();
        assert_eq!(rested(Pid::MAX), None);
    }

    #[test]
    fn we_are_not_leaving() {
        assert!(!is_leaving(std::process::id() as Pid));
        assert!(is_leaving(Pid::MAX));
    }

    #[test]
    fn a_poll_counts_as_asking_only_while_nothing_runs() {
        let polls = Look {
            polls: true,
            ..Look::default()
        };
        assert!(polls.asks() && polls.asks_for_ever());
        assert!(
            !Look {
                runs: true,
                ..polls
            }
            .asks()
        );
        // A write into a full pipe goes on as soon as someone reads it, perhaps we.
        let writes = Look {
            writes: true,
            ..polls
        };
        assert!(!writes.asks_for_ever());
        let reads = Look {
            reads: true,
            runs: true,
            ..Look::default()
        };
        assert!(reads.asks() && !reads.asks_for_ever());
    }
}
