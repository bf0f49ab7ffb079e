//! What a participant waits for, read from outside: the state and system call of each of its tasks.
//!
//! A look costs a few reads of `/proc` and disturbs nothing; the session only looks when nothing
//! has moved for a moment. Everything that a look says was true at some moment during it, so a
//! decision needs either a wait that only we can end, or several looks in a row.

use std::fs;

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
    /// A task sleeps in a way that can end by itself: with a timeout, or in something unknown.
    pub may_wake: bool,
    /// A task is in a group-stop (SIGSTOP).
    pub stopped: bool,
    /// A task is blocked writing into a full pipe.
    pub writes: bool,
}

impl Look {
    /// True if it asks for input: in a read, or in a poll while nothing of it runs.
    pub fn asks(&self) -> bool {
        self.reads || (self.polls && !self.runs)
    }

    /// True if it asks and nothing but input can ever wake it.
    pub fn asks_for_ever(&self) -> bool {
        self.asks() && !self.runs && !self.may_wake && !self.stopped && !self.writes
    }
}

/// Looks at each task: its id, and whether the tracer knows it to be in a group-stop. `stdin` is
/// the inode of the pipe that is the participant's standard input.
pub fn look(tasks: impl Iterator<Item = (Pid, bool)>, stdin: Option<u64>) -> Look {
    let mut look = Look::default();
    for (task, stopped) in tasks {
        if stopped {
            look.stopped = true;
            continue;
        }
        match wait_of(task, stdin) {
            Wait::Runs => look.runs = true,
            Wait::Reads => look.reads = true,
            Wait::Polls { for_ever } => {
                look.polls = true;
                look.may_wake |= !for_ever;
            }
            Wait::Writes => look.writes = true,
            Wait::ForEver => {}
            Wait::MayEnd => look.may_wake = true,
        }
    }
    look
}

/// True if a task has begun to exit, or has ended. The kernel marks it so before it closes the
/// task's descriptors.
pub fn is_leaving(task: Pid) -> bool {
    const PF_EXITING: u64 = 4; // include/linux/sched.h
    let Ok(stat) = fs::read_to_string(format!("/proc/{task}/stat")) else {
        return true;
    };
    // The program's name, in parentheses, may contain anything.
    let mut fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_ascii_whitespace();
    let state = fields.next().unwrap_or("X");
    let flags = fields
        .nth(5)
        .and_then(|flags| flags.parse::<u64>().ok())
        .unwrap_or(PF_EXITING);
    matches!(state, "Z" | "X") || flags & PF_EXITING != 0
}

/// What one task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    Runs,
    Reads,
    Polls {
        for_ever: bool,
    },
    Writes,
    /// Blocked in something that only another task or we can end.
    ForEver,
    MayEnd,
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
            false => Wait::ForEver,
        },
        libc::SYS_write | libc::SYS_writev => Wait::Writes,
        libc::SYS_poll => polls(
            polled(task, args[0], args[1]).any(is_stdin),
            args[2] as i32 == -1,
        ),
        libc::SYS_ppoll => polls(polled(task, args[0], args[1]).any(is_stdin), args[2] == 0),
        libc::SYS_select | libc::SYS_pselect6 => {
            polls(selected(task, args[0], args[1]).any(is_stdin), args[4] == 0)
        }
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            polls(epolled(task, args[0]).any(is_stdin), args[3] as i32 == -1)
        }
        libc::SYS_epoll_pwait2 => polls(epolled(task, args[0]).any(is_stdin), args[3] == 0),
        libc::SYS_futex => {
            const WITH_TIMEOUT: [u64; 3] = [0, 9, 11]; // WAIT, WAIT_BITSET, WAIT_REQUEUE_PI
            let waits = WITH_TIMEOUT.contains(&(args[1] & 0x7f));
            if waits && args[3] != 0 {
                Wait::MayEnd
            } else {
                Wait::ForEver
            }
        }
        libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_pause | libc::SYS_rt_sigsuspend => {
            Wait::ForEver
        }
        libc::SYS_rt_sigtimedwait if args[2] == 0 => Wait::ForEver,
        _ => Wait::MayEnd,
    }
}

fn polls(stdin: bool, for_ever: bool) -> Wait {
    match (stdin, for_ever) {
        (true, for_ever) => Wait::Polls { for_ever },
        (false, true) => Wait::ForEver,
        (false, false) => Wait::MayEnd,
    }
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
