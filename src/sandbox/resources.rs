//! The kernel's own limits for a participant.
//!
//! Some are the limit itself (output, stack), others a backstop above one that the coordinator
//! enforces (tasks). A hard limit of ours that lies below must not make the set-up fail: what
//! is lost by it is said.

use std::fs;

use crate::error::{Context, Error, Result};
use crate::spec::limits::Limits;
use crate::sys;

/// Room for the stack beyond the memory limit, where the stack follows it: it is that limit which
/// shall strike.
const ROOM: u64 = 16 << 20;

/// How many processes a program may have beyond its tasks limit that the tracer does not count: those
/// that have ended and were not waited for, and the sandbox's init.
pub const TASKS_ROOM: u32 = 16;

/// The limits to set, as resource and value; `warnings` are about those that had to be lower.
///
/// # Errors
/// If a stack was asked for that this user may not have.
pub fn limits(
    limits: &Limits,
    counted_alone: bool,
    warnings: &mut Vec<String>,
) -> Result<Vec<(u32, u64)>> {
    let hard = |resource| sys::hard_limit(resource).context(|| "read a resource limit".into());
    let lowered = |resource, value: u64| -> Result<Option<u64>> {
        let hard = hard(resource)?;
        Ok((value > hard && !may_raise()).then_some(hard))
    };
    // With 0 no file is written, but a program that takes core dumps (`kernel.core_pattern`) would
    // still be started for each crash. At 1 the kernel does neither.
    let mut list = vec![(libc::RLIMIT_CORE, 1), (libc::RLIMIT_MSGQUEUE, 0)];

    let stack = limits.stack.unwrap_or(limits.memory.saturating_add(ROOM));
    let less = lowered(libc::RLIMIT_STACK, stack)?;
    if let Some(hard) = less {
        if limits.stack.is_some() {
            return Err(Error::usage(format!(
                "a stack of {stack} bytes is more than this user may have ({hard} bytes): raise \
                 the hard limit (`ulimit -Hs`) or ask for less with --stack"
            )));
        }
        warnings.push(format!(
            "the stack is limited to {} KiB, not to the memory limit: this user's hard limit \
             (`ulimit -Hs`) allows no more",
            hard / 1024
        ));
    }
    list.push((libc::RLIMIT_STACK, less.unwrap_or(stack)));

    // The tracer sees every call that takes address space and says which was refused; the kernel
    // holds what needs no call, and reckons alike.
    if let Some(bytes) = limits.address_space {
        let less = lowered(libc::RLIMIT_AS, bytes)?;
        if let Some(hard) = less {
            warnings.push(format!(
                "the address space is limited to {} KiB: this user's hard limit (`ulimit -Hv`) \
                 allows no more",
                hard / 1024
            ));
        }
        list.push((libc::RLIMIT_AS, less.unwrap_or(bytes)));
    }

    let mut others = vec![
        // One byte more than allowed, so that it shows when a program wants to go on.
        (
            libc::RLIMIT_FSIZE,
            limits.output.saturating_add(1),
            Some(("the output", " bytes", 'f')),
        ),
        // None of ours: the kernel counts whole ticks for it, of which a program that mostly runs
        // when they come is charged many times what it used.
        (
            libc::RLIMIT_CPU,
            libc::RLIM_INFINITY,
            Some(("the CPU time", " s", 't')),
        ),
        (libc::RLIMIT_NOFILE, 1024, None),
        (libc::RLIMIT_MEMLOCK, 64 << 10, None),
    ];
    if counted_alone {
        // The sandbox's init and tasks that are just ending count as well.
        others.push((
            libc::RLIMIT_NPROC,
            u64::from(limits.tasks) + u64::from(TASKS_ROOM),
            Some(("the number of processes and threads", "", 'u')),
        ));
    }
    for (resource, value, matters) in others {
        let less = lowered(resource, value)?;
        // That of the CPU time is no news unless it may strike.
        let may_strike =
            |hard: &u64| resource != libc::RLIMIT_CPU || *hard / 4 <= limits.cpu.as_secs();
        if let (Some(hard), Some((what, unit, letter))) = (less.filter(may_strike), matters) {
            warnings.push(format!(
                "{what} is limited to {hard}{unit}: this user's hard limit (`ulimit -H{letter}`) \
                 allows no more"
            ));
        }
        list.push((resource, less.unwrap_or(value)));
    }
    Ok(list)
}

/// Whether this process may raise a hard limit: with CAP_SYS_RESOURCE, and not in a user namespace,
/// where it has no effect.
fn may_raise() -> bool {
    const CAP_SYS_RESOURCE: u64 = 24;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let capabilities = status.lines().find_map(|l| l.strip_prefix("CapEff:"));
    let capabilities = capabilities.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    let users = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let all_users = users.split_whitespace().eq(["0", "0", "4294967295"]);
    all_users && capabilities.is_some_and(|set| set >> CAP_SYS_RESOURCE & 1 == 1)
}
