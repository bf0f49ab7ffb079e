//! The limit on address space: what is refused, what the report says of it, and that it is the
//! kernel's own limit, call by call.

use std::process::Command;

use super::Test;
use super::harness::identity::Identity;
use super::world::{World, holds, same};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("refusals-are-evidence", refusals_are_evidence),
    ("who-copes-goes-on", who_copes_goes_on),
    ("a-later-failure-is-another", a_later_failure_is_another),
    ("as-the-kernel-does", as_the_kernel_does),
    ("too-small-to-begin", too_small_to_begin),
    ("a-program-executed-that-is-too-large", executed_too_large),
    ("reserved-is-not-used", reserved_is_not_used),
    ("runtimes", runtimes),
    ("hard-limit", hard_limit),
];

const LIMIT: &str = "--json --address-space 64MiB";

fn refusals_are_evidence(world: &World, identity: Identity) -> Result<(), String> {
    for isolation in ["strongest", "landlock"] {
        for (program, end) in [
            ("space fail 100", "exited with code 1"),
            ("space crash 100", "died of signal 11 (SIGSEGV)"),
        ] {
            let flags = format!("{LIMIT} --isolation {isolation}");
            let json = world.exec(identity, &flags, program).ends().judged("ML")?;
            let reason = json["reason"].as_str().unwrap_or_default();
            holds(
                reason.contains("was refused memory (") && reason.contains(end),
                || reason.to_owned(),
            )?;
            holds(reason.contains("64 MiB of address space allowed"), || {
                reason.to_owned()
            })?;
            let refused = json["program"]["refused"].as_array();
            let mmap = refused.and_then(|list| list.iter().find(|entry| entry["call"] == "mmap"));
            let memory = &mmap.ok_or(reason)?["memory"];
            let number = |name: &str| memory[name].as_u64().unwrap_or(0);
            holds(number("asked_bytes") >= 100 << 20, || json.to_string())?;
            holds((1..16 << 20).contains(&number("in_use_bytes")), || {
                json.to_string()
            })?;
            holds(number("allowed_bytes") == 64 << 20, || json.to_string())?;
        }
    }
    Ok(())
}

fn who_copes_goes_on(world: &World, identity: Identity) -> Result<(), String> {
    for (program, refused) in [
        ("space cope 100", "mmap"),
        ("space brk 100", "brk"),
        ("space remap 100", "mremap"),
        ("space replace 50", "mmap"),
        ("space thread 100", "mmap"),
        ("space vfork 40", "mmap"),
        ("space shared 10", "shmget"),
        ("space each 40", ""),
    ] {
        let json = world.exec(identity, LIMIT, program).ends().judged("OK")?;
        let list = json["program"]["refused"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let calls: Vec<&str> = list
            .iter()
            .filter_map(|entry| entry["call"].as_str())
            .collect();
        holds(calls.concat() == refused, || json.to_string())?;
    }
    Ok(())
}

fn a_later_failure_is_another(world: &World, identity: Identity) -> Result<(), String> {
    let json = world
        .exec(identity, LIMIT, "space later 40")
        .ends()
        .judged("RE")?;
    holds(json["reason"] == "the program exited with code 7", || {
        json.to_string()
    })
}

/// The same calls at random, in the sandbox and outside it under RLIMIT_AS.
fn as_the_kernel_does(world: &World, identity: Identity) -> Result<(), String> {
    for seed in 1..=25 {
        let mut bare = Command::new(world.program("space"));
        bare.args(["bare-sequence", "64", &seed.to_string(), "60"]);
        let bare = bare.output().map_err(|e| e.to_string())?;
        let expected = String::from_utf8_lossy(&bare.stdout);
        holds(expected.lines().count() == 60, || format!("{bare:?}"))?;
        holds(
            expected.contains("fails") && expected.contains("succeeds"),
            || format!("seed {seed} tells nothing: {expected}"),
        )?;
        let program = format!("space sequence 64 {seed} 60");
        let ended = world
            .exec(identity, "--address-space 64MiB", &program)
            .ends();
        ended.with(0, &["OK ok"])?;
        let found = String::from_utf8_lossy(&ended.stdout);
        same(&ended.stdout, &bare.stdout)
            .map_err(|e| format!("seed {seed}: {e}\nbare\n{expected}\nsandboxed\n{found}"))?;
    }
    Ok(())
}

fn too_small_to_begin(world: &World, identity: Identity) -> Result<(), String> {
    let json = world
        .exec(identity, "--json --address-space 64KiB", "space cope 100")
        .ends()
        .judged("RE")?;
    let reason = json["reason"].as_str().unwrap_or_default();
    holds(
        reason.contains("could not be started: out of memory"),
        || reason.to_owned(),
    )?;
    // It begins, and its libraries do not fit.
    let json = world
        .exec(identity, "--json --address-space 1MiB", "space cope 100")
        .ends()
        .judged("ML")?;
    let reason = json["reason"].as_str().unwrap_or_default();
    holds(reason.contains("exited with code 127"), || {
        reason.to_owned()
    })
}

/// The kernel kills who has given up its old program and gets no new one.
fn executed_too_large(world: &World, identity: Identity) -> Result<(), String> {
    let Some(node) = identity.find("node") else {
        return Ok(());
    };
    let words = ["/bin/sh", "-c", &format!("exec {} -e 1", node.display())];
    let run = world.command(
        identity,
        "--json --address-space 20MiB",
        words.map(str::to_owned).into(),
    );
    let json = run.ends().judged("RE")?;
    holds(json["program"]["end"]["from_outside"] == false, || {
        json.to_string()
    })
}

fn reserved_is_not_used(world: &World, identity: Identity) -> Result<(), String> {
    let json = world
        .exec(identity, "--json", "space reserve 8192")
        .ends()
        .judged("OK")?;
    let kib = json["program"]["memory_kib"].as_u64().unwrap_or(u64::MAX);
    holds(kib < 16 << 10, || json.to_string())?;
    let json = world
        .exec(identity, "--json --memory 64MiB", "space reserve 8192")
        .ends();
    json.judged("OK")?;
    world
        .exec(identity, LIMIT, "space reserve 8192")
        .ends()
        .judged("ML")
        .map(drop)
}

/// Runtimes that fail for want of address space.
fn runtimes(world: &World, identity: Identity) -> Result<(), String> {
    let python = "import sys\ntry:\n x = bytearray(200 << 20)\nexcept MemoryError:\n sys.exit(5)\n";
    let script = |tool: &str, words: [&str; 2], code: &str, flags: &str| -> Result<(), String> {
        if identity.find(tool).is_none() {
            return Ok(());
        }
        let words = [tool, words[0], words[1]].map(str::to_owned).into();
        let ended = world
            .command(identity, &format!("--json {flags}"), words)
            .ends();
        let json = ended.judged(code)?;
        let evidence = json["reason"].to_string().contains("was refused memory (");
        holds(evidence == (code == "ML"), || json.to_string())
    };
    script("python3", ["-c", python], "ML", "--address-space 128MiB")?;
    script("python3", ["-c", python], "OK", "--address-space 1GiB")?;
    script("python3", ["-c", python], "OK", "")?;
    script(
        "java",
        ["-Xmx64m", "-version"],
        "RE",
        "--address-space 128MiB",
    )
    .or_else(|_| {
        script(
            "java",
            ["-Xmx64m", "-version"],
            "ML",
            "--address-space 128MiB",
        )
    })?;
    script("node", ["-e", "1"], "ML", "--address-space 200MiB")
}

fn hard_limit(world: &World, _: Identity) -> Result<(), String> {
    // Root may raise its own.
    let identity = Identity::possible()[Identity::possible().len() - 1];
    let ended = world
        .exec(identity, "--address-space 16GiB", "space cope 100000")
        .after("ulimit -v 4000000")
        .ends();
    ended.with(0, &[
        "warning the address space is limited to 4000000 KiB: this user's hard limit (`ulimit -Hv`) \
         allows no more",
    ])
}
