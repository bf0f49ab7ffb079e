//! Each limit just below and just above, and floods.

use std::fs;

use super::Test;
use super::harness::identity::Identity;
use super::harness::run::invoke;
use super::world::{METHODS, World, holds, same};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("output-to-the-byte", output_to_the_byte),
    ("output-by-one-write-of-far-more", far_more),
    ("floods", floods),
    ("cpu", cpu),
    ("wall", wall),
    ("idle", idle),
    ("memory", memory),
    ("tasks", tasks),
    ("stack", stack),
];

const LIMIT: usize = 10_000;

fn output_to_the_byte(world: &World, identity: Identity) -> Result<(), String> {
    let flags = |method: &str, more: &str| format!("--output {LIMIT}B --capture {method} {more}");
    for method in METHODS {
        for way in ["once", "bytewise", "vectors"] {
            let full = world
                .exec(
                    identity,
                    &flags(method, ""),
                    &format!("writer {way} {LIMIT}"),
                )
                .ends();
            full.with(0, &["OK ok"])?;
            holds(full.stdout.len() == LIMIT, || full.shown())?;
            for beyond in [LIMIT + 1, LIMIT * 50] {
                let program = format!("writer {way} {beyond}");
                let over = world.exec(identity, &flags(method, ""), &program).ends();
                over.with(1, &["OL output limit", "of output"])?;
                over.wrote(&full.stdout)?;
                let into = flags(method, "--stdout out");
                let over = world.exec(identity, &into, &program).ends();
                over.with(1, &["OL output limit"])?;
                let kept = fs::read(over.folder.join("out")).map_err(|e| e.to_string())?;
                same(&kept, &full.stdout).map_err(|e| format!("{method} {way}: {e}"))?;
            }
        }
        let json = world
            .exec(identity, &flags(method, "--json"), "writer once 10001")
            .ends()
            .judged("OL")?;
        holds(json["stdout"]["total"] == LIMIT, || json.to_string())?;
        holds(json["program"]["end"]["limit"] == "output", || {
            json.to_string()
        })?;
    }
    Ok(())
}

fn far_more(world: &World, identity: Identity) -> Result<(), String> {
    for length in ["100000000", "1099511627776", "9223372036854775807"] {
        for method in METHODS {
            let flags = format!("--output 64KiB --capture {method}");
            let program = format!("writer beyond 1000 {length}");
            let ended = world.exec(identity, &flags, &program).ends();
            // How much of it can be read depends on what lies behind the bytes.
            holds([0, 1].contains(&ended.status), || ended.shown())?;
            holds(ended.stdout.len() <= 64 << 10, || ended.shown())?;
        }
    }
    Ok(())
}

/// Neither memory nor disk of ours grows with what a program writes.
fn floods(world: &World, identity: Identity) -> Result<(), String> {
    for method in METHODS {
        let ran = invoke(
            &world.stage,
            identity,
            std::path::Path::new("/"),
            None,
            |folder| {
                let out = folder.join("out").to_string_lossy().into_owned();
                let words = [
                    "exec",
                    "--json",
                    "--output",
                    "16MiB",
                    "--wall",
                    "60s",
                    "--capture",
                    method,
                    "--stdout",
                ];
                let mut words: Vec<String> = words.map(str::to_owned).into();
                words.extend([out, "--".to_owned(), world.program("writer")]);
                words.extend(["endless", "65536"].map(str::to_owned));
                words
            },
        )?;
        let report: serde_json::Value =
            serde_json::from_slice(&ran.stdout).map_err(|e| format!("{e}: {}", ran.shown()))?;
        holds(report["code"] == "OL", || ran.shown())?;
        let kept = fs::metadata(ran.folder.join("out")).map_err(|e| e.to_string())?;
        holds(kept.len() == 16 << 20, || {
            format!("{} bytes kept", kept.len())
        })?;
        let memory = ran.supervised.memory_kib;
        holds(memory < 64 << 10, || {
            format!("{method}: {memory} KiB of memory")
        })?;
        let left = [ran.supervised.left_alive, ran.supervised.left_dead].concat();
        holds(left.is_empty(), || format!("left: {left:?}"))?;
    }
    Ok(())
}

/// It is within its limit, and then it is not.
fn sides(
    world: &World,
    identity: Identity,
    within: (&str, &str),
    beyond: (&str, &str),
    code: &str,
    limit: &str,
) -> Result<(), String> {
    for isolation in ["strongest", "landlock"] {
        let flags = |flags: &str| format!("--json --isolation {isolation} {flags}");
        world
            .exec(identity, &flags(within.0), within.1)
            .ends()
            .judged("OK")?;
        let ended = world.exec(identity, &flags(beyond.0), beyond.1).ends();
        let json = ended.judged(code)?;
        let end = &json["program"]["end"];
        holds(limit.is_empty() || end["limit"] == limit, || {
            json.to_string()
        })?;
        holds(
            limit.is_empty()
                || json["reason"]
                    .as_str()
                    .is_some_and(|r| r.contains("allowed")),
            || json.to_string(),
        )?;
    }
    Ok(())
}

fn cpu(world: &World, identity: Identity) -> Result<(), String> {
    let flags = "--cpu 300ms --wall 60s --idle 60s";
    sides(
        world,
        identity,
        (flags, "actor burn 150"),
        (flags, "actor burn 400"),
        "TL",
        "cpu",
    )
}

fn wall(world: &World, identity: Identity) -> Result<(), String> {
    let within = ("--wall 20s --idle 20s", "actor rest 1 300");
    sides(
        world,
        identity,
        within,
        ("--wall 250ms", "actor rest 3 100"),
        "WL",
        "wall",
    )
}

fn idle(world: &World, identity: Identity) -> Result<(), String> {
    let within = ("--idle 20s --wall 40s", "actor rest 1 300");
    sides(
        world,
        identity,
        within,
        ("--idle 250ms", "actor rest 1 600"),
        "IL",
        "idle",
    )
}

fn memory(world: &World, identity: Identity) -> Result<(), String> {
    let flags = "--memory 48MiB";
    sides(
        world,
        identity,
        (flags, "actor touch 40"),
        (flags, "actor touch 60"),
        "ML",
        "memory",
    )
}

fn tasks(world: &World, identity: Identity) -> Result<(), String> {
    // Refused, and not a failure: what it made is on its standard error.
    for (limit, made) in [(4, 3), (16, 10)] {
        let flags = format!("--json --tasks {limit}");
        let json = world
            .exec(identity, &flags, "actor pthreads 10")
            .ends()
            .judged("OK")?;
        let said = json["program"]["stderr"]["head"].to_string();
        holds(said.contains(&format!("made {made}\\n")), || {
            json.to_string()
        })?;
        holds(json["program"]["tasks"] == made + 1, || json.to_string())?;
    }
    Ok(())
}

fn stack(world: &World, identity: Identity) -> Result<(), String> {
    let (within, beyond) = (
        ("--stack 4MiB", "actor recurse 2000"),
        ("--stack 1MiB", "actor recurse 2000"),
    );
    sides(world, identity, within, beyond, "RE", "")
}
