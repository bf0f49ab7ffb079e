//! What a participant waits for, read from outside: the state and system call of each of its tasks.
//!
//! A look costs a few reads of `/proc` and disturbs nothing; the session only looks when nothing
//! has moved for a moment. Everything that a look says was true at some moment during it, so a
//! decision needs either a wait that only we can end, or several looks in a row.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::sys::{self, Pid};

/// What one look at a participant's tasks showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// A task is blocked in a read of its standard input.
    pub reads: bool,
    /// A task waits in poll, select or epoll for its standard input, perhaps among others.
    pub polls: bool,
    /// A task runs, or could run if it had a CPU.
    pub runs: bool,
    /// When the tasks that sleep go on by themselves.
    pub ends: Ends,
    /// A task is in a group-stop (SIGSTOP).
    pub stopped: bool,
    /// A task is blocked writing into a full pipe.
    pub writes: bool,
}

/// When waits end by themselves, if nobody else ends them: the latest of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// At most this long after they began, of which nobody knows when that was.
    pub span: Duration,
    /// This long from now.
    pub from_now: Duration,
    /// At any time: it is in something that is not known here.
    pub unknown: bool,
}

/// What is over already is about to be noticed, and is not the same as never.
const SOON: Duration = Duration::from_nanos(1);

impl Ends {
    /// Only another task, a signal or we can end it.
    pub const NEVER: Ends = Ends {
        span: Duration::ZERO,
        from_now: Duration::ZERO,
        unknown: false,
    };
    const UNKNOWN: Ends = Ends {
        unknown: true,
        ..Ends::NEVER
    };

    fn within(span: Duration) -> Ends {
        Ends {
            span: span.max(SOON),
            ..Ends::NEVER
        }
    }

    /// What comes only after this time counts as never. That is asked of each wait by itself: a
    /// long one must not stand for a short one beside it.
    fn within_reach(self, reach: Duration) -> Ends {
        let reached = |time: Duration| Some(time).filter(|time| *time < reach).unwrap_or_default();
        Ends {
            span: reached(self.span),
            from_now: reached(self.from_now),
            unknown: self.unknown,
        }
    }

    fn later(self, other: Ends) -> Ends {
        Ends {
            span: self.span.max(other.span),
            from_now: self.from_now.max(other.from_now),
            unknown: self.unknown || other.unknown,
        }
    }
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
/// the inode of the pipe that is the participant's standard input. A task that goes on by itself
/// only after `reach` is as good as asleep for ever.
pub fn look(tasks: impl Iterator<Item = (Pid, bool)>, stdin: Option<u64>, reach: Duration) -> Look {
    let mut look = Look::default();
    for (task, stopped) in tasks {
        if stopped {
            look.stopped = true;
            continue;
        }
        match wait_of(task, stdin) {
            Wait::Runs => look.runs = true,
            Wait::Reads => look.reads = true,
            Wait::Polls(ends) => {
                look.polls = true;
                look.ends = look.ends.later(ends.within_reach(reach));
            }
            Wait::Writes => look.writes = true,
            Wait::Sleeps(Ends::NEVER) => {}
            Wait::Sleeps(ends) if keeps_house(task, ends) => {}
            Wait::Sleeps(ends) => look.ends = look.ends.later(ends.within_reach(reach)),
        }
    }
    look
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
    let stat = fs::read_to_string(format!("/proc/{task}/stat")).ok()?;
    // The program's name, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let flags = fields.nth(5)?.parse().ok()?;
    Some((state, flags))
}

/// What one task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    Runs,
    Reads,
    Polls(Ends),
    Writes,
    /// Blocked in something else.
    Sleeps(Ends),
}

fn wait_of(task: Pid, stdin: Option<u64>) -> Wait {
    let Ok(text) = fs::read_to_string(format!("/proc/{task}/syscall")) else {
        return Wait::Runs;
    };
    let Some((call, args)) = parse(&text) else {
        // "running", or stopped by us for a moment.
        return Wait::Runs;
    };
    let is_stdin = |fd: u64| stdin.is_some_and(|inode| is_pipe(task, fd, inode));
    match call {
        libc::SYS_read
        | libc::SYS_readv
        | libc::SYS_pread64
        | libc::SYS_preadv
        | libc::SYS_preadv2
        | libc::SYS_splice
        | libc::SYS_tee => match is_stdin(args[0]) {
            true => Wait::Reads,
            false => Wait::Sleeps(Ends::NEVER),
        },
        libc::SYS_write | libc::SYS_writev => Wait::Writes,
        libc::SYS_poll => polls(
            polled(task, args[0], args[1]).any(is_stdin),
            milliseconds(args[2]),
        ),
        libc::SYS_ppoll => polls(
            polled(task, args[0], args[1]).any(is_stdin),
            span(task, args[2]),
        ),
        libc::SYS_select => polls(
            selected(task, args[0], args[1]).any(is_stdin),
            time_of(task, args[4], MICROSECOND).map_or(Ends::NEVER, Ends::within),
        ),
        libc::SYS_pselect6 => polls(
            selected(task, args[0], args[1]).any(is_stdin),
            span(task, args[4]),
        ),
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            polls(epolled(task, args[0]).any(is_stdin), milliseconds(args[3]))
        }
        libc::SYS_epoll_pwait2 => polls(epolled(task, args[0]).any(is_stdin), span(task, args[3])),
        libc::SYS_futex => Wait::Sleeps(futex(task, &args)),
        libc::SYS_nanosleep => Wait::Sleeps(span(task, args[0])),
        libc::SYS_clock_nanosleep => {
            let until = args[1] as i32 & libc::TIMER_ABSTIME != 0;
            Wait::Sleeps(match until {
                true => moment(task, args[2], args[0] as libc::clockid_t),
                false => span(task, args[2]),
            })
        }
        libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_pause | libc::SYS_rt_sigsuspend => {
            Wait::Sleeps(Ends::NEVER)
        }
        libc::SYS_rt_sigtimedwait => Wait::Sleeps(span(task, args[2])),
        _ => Wait::Sleeps(Ends::UNKNOWN),
    }
}

fn futex(task: Pid, args: &[u64; 6]) -> Ends {
    // Of linux/futex.h: the operations that take a timeout, which is a span for the first and a
    // moment for the others.
    const WAIT: u64 = 0;
    const UNTIL: [u64; 4] = [6, 9, 11, 13]; // LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2
    const COMMAND: u64 = 0x7f;
    const CLOCK_REALTIME: u64 = 256;
    match args[1] & COMMAND {
        WAIT => span(task, args[3]),
        6 => moment(task, args[3], libc::CLOCK_REALTIME),
        command if UNTIL.contains(&command) => {
            let clock = match args[1] & CLOCK_REALTIME {
                0 => libc::CLOCK_MONOTONIC,
                _ => libc::CLOCK_REALTIME,
            };
            moment(task, args[3], clock)
        }
        _ => Ends::NEVER,
    }
}

fn polls(stdin: bool, ends: Ends) -> Wait {
    match stdin {
        true => Wait::Polls(ends),
        false => Wait::Sleeps(ends),
    }
}

/// A timeout in milliseconds; negative for none.
fn milliseconds(timeout: u64) -> Ends {
    u64::try_from(timeout as i32).map_or(Ends::NEVER, |ms| Ends::within(Duration::from_millis(ms)))
}

const NANOSECOND: u64 = 1;
const MICROSECOND: u64 = 1000;

/// A timeout as a pointer to a span of time; null for none.
fn span(task: Pid, address: u64) -> Ends {
    time_of(task, address, NANOSECOND).map_or(Ends::NEVER, Ends::within)
}

/// A timeout as a pointer to a moment on a clock; null for none.
fn moment(task: Pid, address: u64, clock: libc::clockid_t) -> Ends {
    let Some(moment) = time_of(task, address, NANOSECOND) else {
        return Ends::NEVER;
    };
    let now = nix::time::clock_gettime(clock.into()).map(Duration::from);
    now.map_or(Ends::UNKNOWN, |now| Ends {
        from_now: moment.saturating_sub(now).max(SOON),
        ..Ends::NEVER
    })
}

/// Two words at an address: seconds, and parts of a second in this unit. `None` for a null pointer;
/// what cannot be read is no time at all.
fn time_of(task: Pid, address: u64, unit: u64) -> Option<Duration> {
    if address == 0 {
        return None;
    }
    let mut words = [0; 16];
    let _ = sys::read_memory(task, address, &mut words);
    let [seconds, parts] =
        [&words[..8], &words[8..]].map(|bytes| bytes.try_into().map_or(0, u64::from_ne_bytes));
    let rest = Duration::from_nanos(parts.saturating_mul(unit));
    Some(Duration::from_secs(seconds).saturating_add(rest))
}

/// Threads of the Java virtual machine that wake now and then and never do anything for the
/// program, by the names that it gives them (cut to 15 bytes by the kernel).
const HOUSEKEEPERS: [&str; 10] = [
    "C1 CompilerThre",
    "C2 CompilerThre",
    "Common-Cleaner",
    "G1 Main Marker",
    "G1 Refine#0",
    "G1 Service",
    "Monitor Deflati",
    "Service Thread",
    "Sweeper thread",
    "VM Periodic Tas",
];

/// The thread that ends the Java virtual machine, and else wakes once a second for nothing.
const VM_THREAD: &str = "VM Thread";
/// While other threads are in system calls, such as a read, it waits for them before it ends the
/// machine: for this long, again and again, but in all for no longer than 300 ms (HotSpot's
/// `VM_Exit::wait_for_threads_in_native_to_block`).
const VM_THREAD_WAITS: Duration = Duration::from_millis(10);

fn name_of(task: Pid) -> String {
    let name = fs::read_to_string(format!("/proc/{task}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
}

fn is_housekeeper(task: Pid) -> bool {
    HOUSEKEEPERS.contains(&name_of(task).as_str())
}

/// True if what a task sleeps for is nothing to the program.
fn keeps_house(task: Pid, ends: Ends) -> bool {
    let name = name_of(task);
    let long = !ends.unknown && ends.span.max(ends.from_now) > VM_THREAD_WAITS;
    HOUSEKEEPERS.contains(&name.as_str()) || (name == VM_THREAD && long)
}

/// How often each task has gone to sleep. Those that do it for the runtime's sake are left out.
/// `None` if the kernel does something for one of them, such as reading from a disk: that ends by
/// itself, whatever it is blocked in.
pub fn sleeps(tasks: impl Iterator<Item = Pid>) -> Option<BTreeMap<Pid, u64>> {
    let mut all = BTreeMap::new();
    for task in tasks.filter(|task| !is_housekeeper(*task)) {
        // One that cannot be read has just ended.
        let status = fs::read_to_string(format!("/proc/{task}/status")).unwrap_or_default();
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
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.map(str::trim_start)
    };
    if field("State:")?.starts_with('D') {
        return Some(Rest::Served);
    }
    let times = field("voluntary_ctxt_switches:")?.trim().parse().ok()?;
    Some(Rest::Slept(times))
}

/// Reads a line of `/proc/PID/syscall`: the call's number and its arguments.
fn parse(text: &str) -> Option<(libc::c_long, [u64; 6])> {
    let mut words = text.split_ascii_whitespace();
    let call = words.next()?.parse().ok()?;
    let mut args = [0; 6];
    for arg in &mut args {
        *arg = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    }
    Some((call, args))
}

fn is_pipe(task: Pid, fd: u64, inode: u64) -> bool {
    let link = fs::read_link(format!("/proc/{task}/fd/{}", fd as i32));
    link.is_ok_and(|target| target.as_os_str() == format!("pipe:[{inode}]").as_str())
}

/// How many descriptors of a poll or select are looked at; the numbers come from the program.
const MOST: u64 = 1024;

/// The descriptors in an array of `struct pollfd`.
fn polled(task: Pid, address: u64, count: u64) -> impl Iterator<Item = u64> {
    let mut bytes = vec![0; (count.min(MOST) * 8) as usize];
    let length = sys::read_memory(task, address, &mut bytes).unwrap_or(0);
    bytes.truncate(length);
    let entries: Vec<u64> = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .filter(|[.., low, _, _, _]| i16::from(*low) & libc::POLLIN != 0)
        .map(|[a, b, c, d, ..]| u64::from(u32::from_ne_bytes([*a, *b, *c, *d])))
        .collect();
    entries.into_iter()
}

/// The descriptors in an `fd_set`.
fn selected(task: Pid, count: u64, address: u64) -> impl Iterator<Item = u64> {
    let mut bytes = vec![0; (count.min(MOST) as usize).div_ceil(8)];
    let length = match address {
        0 => 0,
        _ => sys::read_memory(task, address, &mut bytes).unwrap_or(0),
    };
    bytes.truncate(length);
    (0..length as u64 * 8).filter(move |fd| bytes[(fd / 8) as usize] >> (fd % 8) & 1 == 1)
}

/// The descriptors that an epoll instance watches.
fn epolled(task: Pid, epoll: u64) -> impl Iterator<Item = u64> {
    let info = fs::read_to_string(format!("/proc/{task}/fdinfo/{}", epoll as i32));
    let targets: Vec<u64> = info
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            line.strip_prefix("tfd:")?
                .split_ascii_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .collect();
    targets.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_line() {
        let line = "0 0x0 0x7ffc 0x400 0x1 0x0 0xffffffffffffffff 0x7ffc 0x7f12\n";
        assert_eq!(parse(line), Some((0, [0, 0x7ffc, 0x400, 1, 0, u64::MAX])));
        assert_eq!(parse("running\n"), None);
        assert_eq!(parse("-1 0x7ffc 0x7f12\n"), None);
        assert_eq!(parse(""), None);
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
    fn we_are_not_leaving() {
        assert!(!is_leaving(std::process::id() as Pid));
        assert!(is_leaving(Pid::MAX));
    }

    #[test]
    fn timeouts_are_read_as_the_calls_take_them() {
        let us = std::process::id() as Pid;
        let time = libc::timespec {
            tv_sec: 2,
            tv_nsec: 500_000_000,
        };
        let address = &raw const time as u64;
        let (two, half) = (Duration::from_secs(2), Duration::from_millis(500));
        assert_eq!(span(us, 0), Ends::NEVER);
        assert_eq!(span(us, address), Ends::within(two + half));
        assert_eq!(time_of(us, address, MICROSECOND), Some(two + half * 1000));
        // Long ago.
        let past = moment(us, address, libc::CLOCK_REALTIME);
        assert_eq!(past.from_now, Duration::from_nanos(1));
        assert_eq!(milliseconds(u64::from(u32::MAX)), Ends::NEVER);
        assert_eq!(milliseconds(7), Ends::within(Duration::from_millis(7)));
        let both = Ends::within(two).later(past).later(Ends::within(half));
        assert_eq!((both.span, both.from_now), (two, past.from_now));
        assert_eq!(Ends::within(two).within_reach(two), Ends::NEVER);
        assert_eq!(both.within_reach(two + half), both);
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
