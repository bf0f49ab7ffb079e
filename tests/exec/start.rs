//! How a program finds itself at its first instruction, as the kernel tells it.

use super::Test;
use super::harness::identity::Identity;
use super::world::{World, holds};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("signals", signals),
    ("timer-slack", timer_slack),
    ("no-cpu-limit-of-the-kernels", no_cpu_limit),
    ("mounts", mounts),
];

/// What a program that is started prints of these files; `None` where it has no `/proc` of its own.
fn read(world: &World, identity: Identity, file: &str) -> Option<Result<String, String>> {
    let ended = world.exec(identity, "", &format!("/bin/cat {file}")).ends();
    if !ended.said().contains("namespaces") {
        return None;
    }
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    Some(ended.with(0, &["OK ok"]).map(|()| text))
}

/// Whatever the coordinator and the init do with signals for themselves (the coordinator ignores
/// SIGPIPE and catches SIGINT, the init ignores SIGCHLD), a program has all at their default.
fn signals(world: &World, identity: Identity) -> Result<(), String> {
    let Some(status) = read(world, identity, "/proc/self/status") else {
        return Ok(());
    };
    let status = status?;
    for field in ["SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"] {
        let line = format!("{field}:\t0000000000000000\n");
        holds(status.contains(&line), || format!("{field}: {status}"))?;
    }
    Ok(())
}

/// How late a timeout may be is the kernel's default, whatever it is for who starts the coordinator.
/// Otherwise a wait that has a timeout could not be told from one that has none.
fn timer_slack(world: &World, identity: Identity) -> Result<(), String> {
    let set = |nanoseconds: u64| {
        nix::sys::prctl::set_timerslack(nanoseconds).map_err(|e| format!("prctl: {e}"))
    };
    set(900_000_000)?;
    let slack = read(world, identity, "/proc/self/timerslack_ns");
    set(50_000)?;
    let Some(slack) = slack else {
        return Ok(());
    };
    let slack = slack?;
    holds(slack == "50000\n", || format!("{slack} nanoseconds"))
}

/// The kernel's own limit on CPU time counts ticks, and would strike before it is used up.
fn no_cpu_limit(world: &World, identity: Identity) -> Result<(), String> {
    let Some(limits) = read(world, identity, "/proc/self/limits") else {
        return Ok(());
    };
    let limits = limits?;
    let ours = std::fs::read_to_string("/proc/self/limits").map_err(|e| e.to_string())?;
    let cpu = |text: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("Max cpu time"));
        let words = line.unwrap_or_default().split_whitespace();
        words.map(str::to_owned).nth(1)
    };
    holds(cpu(&limits) == cpu(&ours), || limits)
}

/// Nothing of the tree can be changed, and in the part that is no mount of the host's, nothing can be
/// executed either.
fn mounts(world: &World, identity: Identity) -> Result<(), String> {
    let Some(mounts) = read(world, identity, "/proc/self/mountinfo") else {
        return Ok(());
    };
    let mounts = mounts?;
    let mut roots = 0;
    for line in mounts.lines() {
        let mut words = line.split(' ').skip(4);
        let (Some(place), Some(options)) = (words.next(), words.next()) else {
            return Err(format!("not understood: {line}"));
        };
        let has = |wanted: &str| options.split(',').any(|option| option == wanted);
        let wanted: &[&str] = match place {
            "/" => &["ro", "nosuid", "nodev", "noexec"],
            "/proc" => &["nosuid", "nodev", "noexec"],
            device if device.starts_with("/dev/") => &[],
            _ => &["ro", "nosuid", "nodev"],
        };
        roots += usize::from(place == "/");
        holds(wanted.iter().all(|option| has(option)), || line.to_owned())?;
    }
    holds(roots == 1, || format!("{roots} roots: {mounts}"))
}
