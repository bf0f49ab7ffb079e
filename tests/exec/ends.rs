//! How a run ends: mistakes, failures, interruptions, and programs that attack their own output.

use std::time::Duration;

use serde_json::Value;

use super::Test;
use super::harness::identity::Identity;
use super::harness::run::invoke;
use super::harness::supervisor::{Blow, Kill};
use super::world::{METHODS, World, holds};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("no-program", no_program),
    ("failures", failures),
    ("interrupted", interrupted),
    ("killed", killed),
    ("hostile", hostile),
    ("a-fork-bomb", fork_bomb),
    ("memory-of-its-own-output", its_own_output),
];

fn no_program(world: &World, identity: Identity) -> Result<(), String> {
    let run = |program: &str| world.exec(identity, "--json", program);
    run("./gone")
        .ends()
        .with(2, &["there is no file `./gone`"])?;
    run("/tmp")
        .ends()
        .with(2, &["is a folder, not a program"])?;
    run("./data")
        .file("data", "x")
        .ends()
        .with(2, &["rejoinder: "])?;
    run("").ends().with(2, &["<PROGRAM>"])?;
    let ended = run("./a.c")
        .file("a.c", "int main(void) { return x; }\n")
        .ends();
    ended.with(2, &["rejoinder: ", "a.c"])?;
    // A broken executable is only known to be one when it is executed.
    let mut broken = b"\x7fELF\x02\x01\x01".to_vec();
    broken.resize(200, 0);
    let ended = world.exec(identity, "", "./broken").file("broken", broken);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(ended.folder.join("broken"), mode).map_err(|e| e.to_string())?;
    let ended = ended.ends();
    holds([1, 2].contains(&ended.status), || ended.shown())
}

fn failures(world: &World, identity: Identity) -> Result<(), String> {
    for (script, code, reason) in [
        ("exit 7", "RE", "the program exited with code 7"),
        (
            "kill -SEGV $$",
            "RE",
            "the program died of signal 11 (SIGSEGV)",
        ),
        ("exit 137", "RE", "the program exited with code 137"),
    ] {
        for isolation in ["strongest", "landlock"] {
            let words = ["/bin/sh", "-c", script].map(str::to_owned).into();
            let flags = format!("--json --isolation {isolation}");
            let json = world.command(identity, &flags, words).ends().judged(code)?;
            let said = json["reason"].as_str().unwrap_or_default();
            holds(said.starts_with(reason), || said.to_owned())?;
        }
    }
    Ok(())
}

/// One run that gets these signals once its program runs.
fn signalled(
    world: &World,
    identity: Identity,
    method: &str,
    isolation: &str,
    signal: i32,
) -> Result<(super::harness::run::Ran, Option<Value>), String> {
    let kill = Kill {
        after: Duration::from_millis(20),
        once_running: vec!["actor".to_owned()],
        signals: vec![Blow {
            pause_us: 20_000,
            signal,
        }],
        group: false,
    };
    let ran = invoke(
        &world.stage,
        identity,
        std::path::Path::new("/"),
        Some(kill),
        |_| {
            let words = [
                "exec",
                "--json",
                "--isolation",
                isolation,
                "--capture",
                method,
            ];
            let mut words: Vec<String> = words.map(str::to_owned).into();
            let program = ["--wall", "60s", "--idle", "60s", "--"].map(str::to_owned);
            words.extend(program);
            words.push(world.program("actor"));
            words.extend(["rest", "1", "20000"].map(str::to_owned));
            words
        },
    )?;
    holds(ran.supervised.never_ran.is_empty(), || ran.shown())?;
    let left = [
        &ran.supervised.left_alive[..],
        &ran.supervised.left_dead[..],
    ]
    .concat();
    let killed = signal == libc::SIGKILL;
    // Killed, it could reap nobody; but nobody lives.
    let left_over = if killed {
        ran.supervised.left_alive.clone()
    } else {
        left
    };
    holds(left_over.is_empty(), || format!("left: {left_over:?}"))?;
    let json = serde_json::from_slice(&ran.stdout).ok();
    Ok((ran, json))
}

fn interrupted(world: &World, identity: Identity) -> Result<(), String> {
    let signals = [
        (libc::SIGINT, "SIGINT"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGHUP, "SIGHUP"),
    ];
    for (signal, name) in signals {
        for isolation in ["strongest", "landlock"] {
            let (ran, json) = signalled(world, identity, "tmpfs", isolation, signal)?;
            let json = json.ok_or_else(|| ran.shown())?;
            let status = ran.supervised.code;
            holds(status == Some(128 + signal), || ran.shown())?;
            let interrupted = json["interrupted"].as_str().unwrap_or_default();
            holds(interrupted.contains(name) && json["code"] == "IE", || {
                ran.shown()
            })?;
        }
    }
    Ok(())
}

fn killed(world: &World, identity: Identity) -> Result<(), String> {
    for method in METHODS {
        for isolation in ["strongest", "landlock"] {
            let (ran, _) = signalled(world, identity, method, isolation, libc::SIGKILL)?;
            holds(ran.supervised.signal == Some(libc::SIGKILL), || ran.shown())?;
        }
    }
    Ok(())
}

/// What a program can do to a file that is its output, it does to itself only.
fn hostile(world: &World, identity: Identity) -> Result<(), String> {
    let ways = [
        "truncate",
        "grow",
        "punch",
        "map",
        "seal",
        "lock",
        "flags",
        "owner",
        "not-appending",
        "mode",
        "holders",
        "closes",
    ];
    for way in ways {
        for (method, isolation) in METHODS
            .map(|method| (method, "strongest"))
            .into_iter()
            .chain([("tmpfs", "landlock"), ("pipe", "landlock")])
        {
            let flags = format!(
                "--json --output 1MiB --idle 300ms --capture {method} --isolation {isolation}"
            );
            let ended = world
                .exec(identity, &flags, &format!("hostile {way}"))
                .ends();
            let is_a_file = ["file", "tmpfs"].contains(&method);
            let json = match (way, is_a_file) {
                ("closes", _) => {
                    ended.judged("IL")?;
                    continue;
                }
                // A file that shall be longer than its limit is a reason for SIGXFSZ.
                ("grow", true) => ended.judged("RE")?,
                _ => ended.judged("OK")?,
            };
            let stdout = &json["stdout"];
            let total = stdout["total"].as_u64().unwrap_or(u64::MAX);
            holds(total <= 1 << 20, || json.to_string())?;
            let text = stdout["head"].as_str().unwrap_or_default();
            match (way, method) {
                // A file can be changed by whoever may write it; a pipe cannot.
                ("truncate", "file") => holds(text == "end\n", || json.to_string())?,
                ("grow" | "not-appending", "file" | "tmpfs") => {}
                ("map", "file" | "tmpfs") => holds(text.len() == 10, || json.to_string())?,
                _ => holds(text == "begin\nend\n", || json.to_string())?,
            }
        }
    }
    Ok(())
}

fn fork_bomb(world: &World, identity: Identity) -> Result<(), String> {
    for isolation in ["strongest", "landlock"] {
        for method in ["tmpfs", "pipe", "readv"] {
            let flags = format!(
                "--json --tasks 8 --cpu 300ms --idle 300ms --capture {method} --isolation {isolation}"
            );
            let ended = world.exec(identity, &flags, "hostile bomb").ends();
            let json = ended.json()?;
            let limit = json["program"]["end"]["limit"].as_str().unwrap_or_default();
            holds(["idle", "cpu"].contains(&limit), || ended.shown())?;
            let tasks = json["program"]["tasks"].as_u64().unwrap_or(u64::MAX);
            holds(tasks <= 8, || ended.shown())?;
        }
    }
    Ok(())
}

/// Output that is kept elsewhere is not its memory. (Words are read too slowly for so many.)
fn its_own_output(world: &World, identity: Identity) -> Result<(), String> {
    for method in METHODS
        .into_iter()
        .filter(|m| !["tmpfs", "peek"].contains(m))
    {
        let flags =
            format!("--json --memory 64MiB --capture {method} --stdout /dev/null --cpu 10s");
        let json = world
            .exec(identity, &flags, "actor print-and-touch 50000000 40")
            .ends()
            .judged("OK")?;
        holds(json["program"]["stdout_bytes"] == 50_000_000, || {
            json.to_string()
        })?;
    }
    Ok(())
}
