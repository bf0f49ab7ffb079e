//! What arrives by each method is what a pipe would have got, byte for byte.

use std::fs;
use std::process::{Command, Stdio};

use base64::Engine;
use serde_json::Value;

use super::Test;
use super::harness::identity::{self, Identity};
use super::world::{METHODS, World, same};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("every-way-of-writing", every_way),
    ("five-megabytes", five_megabytes),
    ("opened-by-name", opened_by_name),
    (
        "opened-by-name-under-landlock",
        opened_by_name_under_landlock,
    ),
    ("into-a-file", into_a_file),
    ("into-json", into_json),
];

/// Ways that every method sees.
const WAYS: [&str; 20] = [
    "once 0",
    "once 1",
    "once 300000",
    "bytewise 5000",
    "stdio 100000",
    "vectors 100000",
    "many-vectors 3000",
    "offsets 100000",
    "copy 20000",
    "passed 20000",
    "child 20000",
    "exec 20000",
    "thread 300000",
    "sendfile 10000",
    "splice 20000",
    "copy-range 10000",
    "edges 5000",
    "wrong 777",
    "left-behind 100",
    "once 4097",
];

/// What the writer sends into a pipe without any sandbox.
fn through_a_pipe(world: &World, way: &str) -> Result<Vec<u8>, String> {
    // What it leaves behind holds the pipe, which is read to its end.
    let way = way.replace("left-behind", "once");
    let mut command = Command::new(world.program("writer"));
    command.args(way.split_whitespace()).stderr(Stdio::null());
    let output = command.output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("`writer {way}` fails by itself: {}", output.status)),
    }
}

fn every_way(world: &World, identity: Identity) -> Result<(), String> {
    for way in WAYS {
        let expected = through_a_pipe(world, way)?;
        for method in METHODS {
            let ended = world
                .exec(
                    identity,
                    &format!("--capture {method}"),
                    &format!("writer {way}"),
                )
                .ends();
            ended.with(0, &["OK ok"])?;
            ended.wrote(&expected)?;
            world.stage.discard(&ended.folder);
        }
    }
    Ok(())
}

fn five_megabytes(world: &World, identity: Identity) -> Result<(), String> {
    let expected = through_a_pipe(world, "stdio 5000000")?;
    for method in METHODS {
        // Reading words takes the tracer seconds, which are nobody's CPU time but its own.
        let flags = format!("--capture {method} --wall 60s");
        let ended = world.exec(identity, &flags, "writer stdio 5000000").ends();
        ended.with(0, &["OK ok"])?;
        ended.wrote(&expected)?;
        world.stage.discard(&ended.folder);
    }
    Ok(())
}

/// True for the methods that read what a descriptor is given, and know none but copies of it.
fn knows_only_copies(method: &str) -> bool {
    ["peek", "readv"].contains(&method)
}

fn opened_by_name(world: &World, identity: Identity) -> Result<(), String> {
    let ways = [
        "by-name 20000 /dev/stdout",
        "by-name 20000 /proc/self/fd/1",
        "by-name 20000 /dev/fd/1",
        "by-copy-name 20000",
    ];
    for way in ways {
        let expected = through_a_pipe(world, way)?;
        for method in METHODS {
            let flags = format!("--capture {method}");
            let ended = world
                .exec(identity, &flags, &format!("writer {way}"))
                .ends();
            ended.with(0, &["OK ok"])?;
            match knows_only_copies(method) {
                true => ended.wrote(&expected[..10000])?,
                false => ended.wrote(&expected)?,
            }
        }
        // A file that the user named belongs to the user, and programs have an id of their own.
        let ended = world
            .exec(
                identity,
                "--capture file --stdout named",
                &format!("writer {way}"),
            )
            .ends();
        let found = fs::read(ended.folder.join("named")).map_err(|e| e.to_string())?;
        match identity == Identity::Own && identity::is_root() {
            true => {
                ended.with(1, &["exited with code 3", "Permission denied"])?;
                same(&found, &expected[..10000])?;
            }
            false => {
                ended.with(0, &["OK ok"])?;
                same(&found, &expected)?;
            }
        }
    }
    Ok(())
}

fn opened_by_name_under_landlock(world: &World, identity: Identity) -> Result<(), String> {
    let way = "writer by-name 20000 /dev/stdout";
    let expected = through_a_pipe(world, "once 20000")?;
    for method in METHODS {
        let flags = format!("--isolation landlock --capture {method}");
        let ended = world.exec(identity, &flags, way).ends();
        ended.with(0, &["OK ok"])?;
        match knows_only_copies(method) {
            true => ended.wrote(&expected[..10000])?,
            false => ended.wrote(&expected)?,
        }
    }
    Ok(())
}

fn into_a_file(world: &World, identity: Identity) -> Result<(), String> {
    let expected = through_a_pipe(world, "vectors 100000")?;
    for method in METHODS {
        for isolation in ["strongest", "landlock"] {
            let flags = format!("--capture {method} --stdout out --isolation {isolation}");
            let ended = world
                .exec(identity, &flags, "writer vectors 100000")
                .file("out", vec![b'x'; 200_000])
                .ends();
            ended.with(0, &["OK ok"])?;
            ended.wrote(b"")?;
            let found = fs::read(ended.folder.join("out")).map_err(|e| e.to_string())?;
            same(&found, &expected).map_err(|e| format!("{method}: {e}"))?;
        }
    }
    Ok(())
}

fn into_json(world: &World, identity: Identity) -> Result<(), String> {
    for way in ["once 0", "once 1", "once 1000", "stdio 65536"] {
        let expected = through_a_pipe(world, way)?;
        for method in METHODS {
            let flags = format!("--json --capture {method}");
            let ended = world
                .exec(identity, &flags, &format!("writer {way}"))
                .ends();
            let json = ended.judged("OK")?;
            let stdout = &json["stdout"];
            let found = [bytes(&stdout["head"])?, bytes(&stdout["tail"])?].concat();
            same(&found, &expected).map_err(|e| format!("{method}: {e}"))?;
            if stdout["total"] != expected.len()
                || json["program"]["stdout_bytes"] != expected.len()
            {
                return Err(format!("other totals: {}", ended.shown()));
            }
        }
    }
    // The middle of a long one is not kept.
    let expected = through_a_pipe(world, "once 300000")?;
    let json = world
        .exec(identity, "--json", "writer once 300000")
        .ends()
        .judged("OK")?;
    let (head, tail) = (
        bytes(&json["stdout"]["head"])?,
        bytes(&json["stdout"]["tail"])?,
    );
    same(&head, &expected[..head.len()])?;
    same(&tail, &expected[expected.len() - tail.len()..])?;
    match json["stdout"]["total"] == 300_000 && head.len() == 32 << 10 && tail.len() == 32 << 10 {
        true => Ok(()),
        false => Err("other lengths".to_owned()),
    }
}

/// Exact bytes, as the JSON has them.
fn bytes(value: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = value.as_str() {
        return Ok(text.as_bytes().to_owned());
    }
    let text = value["base64"].as_str().ok_or("neither text nor base64")?;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|e| e.to_string())
}
