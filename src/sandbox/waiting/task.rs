//! What one task waits in: its system call and the arguments, read from `/proc` and its memory.

use std::time::Duration;

use super::ends::{Ends, SOON};
use super::search::{Search, TooMuch};
use crate::sandbox::proc;
use crate::sys::{self, Pid};

/// What one task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Runs,
    Reads,
    Polls(Ends),
    Writes,
    /// Blocked in something else.
    Sleeps(Ends),
}

pub(super) fn wait_of(task: Pid, search: &mut Search) -> Wait {
    let Some(text) = proc::text(task, "syscall") else {
        return Wait::Runs;
    };
    let Some((call, args)) = parse(&text) else {
        // "running", or stopped by us for a moment.
        return Wait::Runs;
    };
    let mut polls = |fds: &mut dyn Iterator<Item = u64>, ends| match search.tells(task, fds) {
        Ok(true) => Wait::Polls(ends),
        Ok(false) => Wait::Sleeps(ends),
        Err(TooMuch) => Wait::Sleeps(Ends::UNKNOWN),
    };
    match call {
        libc::SYS_read
        | libc::SYS_readv
        | libc::SYS_pread64
        | libc::SYS_preadv
        | libc::SYS_preadv2 => match search.is_stdin(task, args[0]) {
            true => Wait::Reads,
            false => Wait::Sleeps(Ends::NEVER),
        },
        // Of two pipes it is not known which one it waits for, so the input goes first.
        libc::SYS_splice | libc::SYS_tee => match search.is_stdin(task, args[0]) {
            true => Wait::Reads,
            false => Wait::Writes,
        },
        libc::SYS_write
        | libc::SYS_writev
        | libc::SYS_pwritev2
        | libc::SYS_sendfile
        | libc::SYS_vmsplice => Wait::Writes,
        libc::SYS_poll => polls(&mut polled(task, args[0], args[1]), milliseconds(args[2])),
        libc::SYS_ppoll => polls(&mut polled(task, args[0], args[1]), span(task, args[2])),
        libc::SYS_select => polls(
            &mut selected(task, args[0], args[1]),
            time_of(task, args[4], MICROSECOND).map_or(Ends::NEVER, Ends::within),
        ),
        libc::SYS_pselect6 => polls(&mut selected(task, args[0], args[1]), span(task, args[4])),
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            polls(&mut [args[0]].into_iter(), milliseconds(args[3]))
        }
        libc::SYS_epoll_pwait2 => polls(&mut [args[0]].into_iter(), span(task, args[3])),
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
        .filter(|[.., low, _, _, _]| i16::from(*low) & (libc::POLLIN | libc::POLLRDNORM) != 0)
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
        // Over already, and not to be read: soon, which is not the same as never.
        for soon in [
            milliseconds(0),
            span(us, u64::MAX - 64),
            moment(us, u64::MAX - 64, libc::CLOCK_MONOTONIC),
        ] {
            assert_eq!(soon.span.max(soon.from_now), SOON);
        }
    }
}
