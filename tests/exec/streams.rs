//! Standard input from everywhere, and standard output to everywhere.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::Test;
use super::harness::identity::{self, Identity};
use super::world::{METHODS, World, holds, same};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("input-files", input_files),
    ("input-that-cannot-be", input_that_cannot_be),
    ("our-own-file-at-an-offset", own_file),
    ("our-own-pipe", own_pipe),
    ("a-slow-pipe", slow_pipe),
    ("a-pipe-that-stays-empty", empty_pipe),
    ("a-terminal", terminal),
    ("nothing", nothing),
    ("our-own-of-another-kind", other_kinds),
    ("more-than-is-read", more_than_is_read),
    ("output-that-cannot-be", output_that_cannot_be),
    ("output-to-devices", output_to_devices),
    ("our-own-output", own_output),
    ("a-full-disk", full_disk),
];

/// Copies its input.
const CAT: &str = "/bin/cat";

fn input_files(world: &World, identity: Identity) -> Result<(), String> {
    for isolation in ["strongest", "landlock"] {
        let flags = format!("--isolation {isolation} --stdin in");
        // As it is, and opened again by its name.
        for program in [CAT, "/bin/cat /dev/stdin"] {
            let ended = world
                .exec(identity, &flags, program)
                .file("in", "a\0b\n")
                .ends();
            ended.with(0, &["OK ok"])?;
            ended.wrote(b"a\0b\n")?;
        }
    }
    let json = world
        .exec(identity, "--json --stdin in", CAT)
        .file("in", vec![b'.'; 70_000])
        .ends()
        .judged("OK")?;
    holds(json["program"]["stdin_bytes"] == 70_000, || {
        json.to_string()
    })?;
    let null = world.exec(identity, "--stdin /dev/null", CAT).ends();
    null.with(0, &["OK ok"])?;
    null.wrote(b"")
}

fn input_that_cannot_be(world: &World, identity: Identity) -> Result<(), String> {
    let run = |path: &str| world.exec(identity, &format!("--stdin {path}"), CAT);
    run("gone")
        .ends()
        .with(2, &["cannot read the input file `gone`: no such file"])?;
    run("/tmp").ends().with(
        2,
        &["the input file `/tmp` is a folder: give the file itself"],
    )?;
    run("/dev/zero")
        .ends()
        .with(2, &["neither a file nor `/dev/null`"])?;
    let fifo = run("fifo");
    let mode = nix::sys::stat::Mode::from_bits_truncate(0o666);
    nix::unistd::mkfifo(&fifo.folder.join("fifo"), mode).map_err(|e| e.to_string())?;
    fifo.ends().with(
        2,
        &["`fifo` is a pipe: leave --stdin out and redirect ours"],
    )?;
    let closed = run("in").file("in", "x");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    fs::set_permissions(closed.folder.join("in"), mode).map_err(|e| e.to_string())?;
    let ended = closed.ends();
    match identity == Identity::Own && identity::is_root() {
        // Root opens it for the program, which gets an open file.
        true => ended.with(0, &["OK ok"]),
        false => ended.with(2, &["cannot read the input file `in`: permission denied"]),
    }
}

fn own_file(world: &World, identity: Identity) -> Result<(), String> {
    let run = world.exec(identity, "", CAT).file("in", "0123456789");
    let mut file = File::open(run.folder.join("in")).map_err(|e| e.to_string())?;
    file.seek(SeekFrom::Start(4)).map_err(|e| e.to_string())?;
    let ours = file.try_clone().map_err(|e| e.to_string())?;
    let ended = run.stdin(ours).ends();
    ended.with(0, &["OK ok"])?;
    ended.wrote(b"456789")?;
    // Its offset is its own.
    holds(file.stream_position().ok() == Some(4), || {
        "our offset has moved".to_owned()
    })?;
    // A file that we were given open, and could not open.
    let run = world.exec(identity, "--json", CAT).file("in", "0123456789");
    let path = run.folder.join("in");
    let mut file = File::open(&path).map_err(|e| e.to_string())?;
    file.seek(SeekFrom::Start(4)).map_err(|e| e.to_string())?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    fs::set_permissions(path, mode).map_err(|e| e.to_string())?;
    let json = run.stdin(file).ends().judged("OK")?;
    holds(json["stdout"]["head"] == "456789", || json.to_string())?;
    holds(json["program"]["stdin_bytes"] == 6, || json.to_string())
}

fn pipe() -> (OwnedFd, File) {
    let flags = nix::fcntl::OFlag::O_CLOEXEC;
    let (read, write) = nix::unistd::pipe2(flags).expect("a pipe");
    (read, File::from(write))
}

fn own_pipe(world: &World, identity: Identity) -> Result<(), String> {
    let sent: Vec<u8> = (0..1_000_000u32).map(|i| ((i * 31) >> 3) as u8).collect();
    for isolation in ["strongest", "landlock"] {
        let (read, mut write) = pipe();
        let bytes = sent.clone();
        let writer = thread::spawn(move || write.write_all(&bytes));
        let flags = format!("--isolation {isolation}");
        let ended = world.exec(identity, &flags, CAT).stdin(read).ends();
        let _ = writer.join();
        ended.with(0, &["OK ok"])?;
        ended.wrote(&sent)?;
    }
    Ok(())
}

/// To wait for input is neither idle nor does it take of the real time, nor of the CPU time.
fn slow_pipe(world: &World, identity: Identity) -> Result<(), String> {
    for isolation in ["strongest", "landlock"] {
        let (read, mut write) = pipe();
        let writer = thread::spawn(move || {
            for byte in b"0123456789" {
                thread::sleep(Duration::from_millis(100));
                let _ = write.write_all(&[*byte]);
            }
        });
        let flags = format!("--json --idle 500ms --wall 700ms --isolation {isolation}");
        let json = world
            .exec(identity, &flags, CAT)
            .stdin(read)
            .ends()
            .judged("OK")?;
        let _ = writer.join();
        holds(json["stdout"]["head"] == "0123456789", || json.to_string())?;
        let get = |name: &str| json["program"][name].as_f64().unwrap_or(f64::NAN);
        holds(get("wall_ms") >= 900.0 && get("turn_ms") < 700.0, || {
            json.to_string()
        })?;
    }
    Ok(())
}

/// It may wait for ever, and whoever holds the other end decides when that is over.
fn empty_pipe(world: &World, identity: Identity) -> Result<(), String> {
    let (read, write) = pipe();
    let holder = thread::spawn(move || {
        thread::sleep(Duration::from_millis(800));
        drop(write);
    });
    let flags = "--idle 200ms --wall 400ms";
    let ended = world.exec(identity, flags, CAT).stdin(read).ends();
    let _ = holder.join();
    ended.with(0, &["OK ok"])?;
    ended.wrote(b"")
}

fn terminal(world: &World, identity: Identity) -> Result<(), String> {
    let open = |path: &str| {
        let opened = File::options().read(true).write(true).open(path);
        opened.map_err(|e| format!("{path}: {e}"))
    };
    let master = open("/dev/ptmx")?;
    let (mut locked, mut number) = (0i32, 0i32);
    // SAFETY: both calls read or write one integer, which lives here.
    let made = unsafe {
        libc::ioctl(master.as_raw_fd(), libc::TIOCSPTLCK, &raw mut locked) == 0
            && libc::ioctl(master.as_raw_fd(), libc::TIOCGPTN, &raw mut number) == 0
    };
    holds(made, || "no terminal can be made".to_owned())?;
    let slave = open(&format!("/dev/pts/{number}"))?;
    let ended = world.exec(identity, "", CAT).stdin(slave).ends();
    ended.with(
        0,
        &[
            "OK ok",
            "warning the input is empty: a terminal is not given",
        ],
    )?;
    ended.wrote(b"")
}

fn nothing(world: &World, identity: Identity) -> Result<(), String> {
    let ended = world.exec(identity, "", CAT).ends();
    ended.with(0, &["OK ok"])?;
    ended.wrote(b"")?;
    let ended = world.exec(identity, "", CAT).after("exec <&-").ends();
    ended.with(0, &["OK ok"])
}

fn other_kinds(world: &World, identity: Identity) -> Result<(), String> {
    let open = |path: &str| File::open(path).map_err(|e| e.to_string());
    let run = || world.exec(identity, "", CAT);
    let refused = |what: &str| format!("our standard input is {what}, which is not given to");
    let folder = run().stdin(open("/tmp")?).ends();
    folder.with(2, &[&refused("a folder")])?;
    run()
        .stdin(open("/dev/zero")?)
        .ends()
        .with(2, &[&refused("a device")])?;
    let (ours, theirs) = UnixStream::pair().map_err(|e| e.to_string())?;
    run()
        .stdin(OwnedFd::from(theirs))
        .ends()
        .with(2, &[&refused("a socket")])?;
    drop(ours);
    // None of it matters where a file is named.
    let named = world.exec(identity, "--stdin in", CAT).file("in", "x");
    let ended = named.stdin(open("/tmp")?).ends();
    ended.wrote(b"x")
}

fn more_than_is_read(world: &World, identity: Identity) -> Result<(), String> {
    let words = ["/bin/dd", "bs=1000", "count=3", "status=none"].map(str::to_owned);
    let run = world.command(identity, "--json --stdin in", words.into());
    let json = run.file("in", vec![b'.'; 100_000]).ends().judged("OK")?;
    holds(json["program"]["stdin_bytes"] == 3000, || json.to_string())?;
    holds(json["program"]["stdout_bytes"] == 3000, || json.to_string())?;
    // Who does not read a pipe does not hold up its writer for longer than it lives.
    let (read, mut write) = pipe();
    let writer = thread::spawn(move || write.write_all(&[b'.'; 1_000_000]).is_err());
    let ended = world.exec(identity, "", "/bin/true").stdin(read).ends();
    ended.with(0, &["OK ok"])?;
    holds(writer.join().unwrap_or(false), || {
        "all of it was taken".to_owned()
    })
}

fn output_that_cannot_be(world: &World, identity: Identity) -> Result<(), String> {
    for method in METHODS {
        let run = |path: &str| {
            world.exec(
                identity,
                &format!("--capture {method} --stdout {path}"),
                "writer once 10",
            )
        };
        let wrong = |run: super::world::Run, words: &str| run.ends().with(2, &[words]);
        wrong(
            run("no/folder/x"),
            "cannot write the output to `no/folder/x`: no such file",
        )?;
        wrong(
            run("/tmp"),
            "cannot write the output to `/tmp`: it is a folder",
        )?;
        wrong(run("/proc/x"), "cannot write the output to `/proc/x`")?;
        let closed = run("closed").file("closed", "x");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o444);
        fs::set_permissions(closed.folder.join("closed"), mode).map_err(|e| e.to_string())?;
        if !(identity == Identity::Own && identity::is_root()) {
            wrong(
                closed,
                "cannot write the output to `closed`: permission denied",
            )?;
        }
    }
    let same_file = world
        .exec(identity, "--stdin in --stdout in", CAT)
        .file("in", "precious");
    let ended = same_file.ends();
    ended.with(
        2,
        &["cannot write the output to `in`: this run reads that file"],
    )?;
    let found = fs::read(ended.folder.join("in")).map_err(|e| e.to_string())?;
    same(&found, b"precious")
}

fn output_to_devices(world: &World, identity: Identity) -> Result<(), String> {
    for method in METHODS {
        let flags = |path: &str| format!("--json --capture {method} --stdout {path}");
        let json = world
            .exec(identity, &flags("/dev/null"), "writer once 5000")
            .ends()
            .judged("OK")?;
        holds(
            json["program"]["stdout_bytes"] == 5000 && json["stdout"].is_null(),
            || json.to_string(),
        )?;
        let over = format!("{} --output 1KiB", flags("/dev/null"));
        world
            .exec(identity, &over, "writer once 5000")
            .ends()
            .judged("OL")?;
        let json = world
            .exec(identity, &flags("/dev/full"), "writer once 5000")
            .ends()
            .judged("IE")?;
        holds(
            json["reason"]
                .to_string()
                .contains("no space left on device"),
            || json.to_string(),
        )?;
    }
    Ok(())
}

fn own_output(world: &World, identity: Identity) -> Result<(), String> {
    for more in ["", "--json"] {
        let run = || world.exec(identity, more, "writer once 500000");
        run().after("exec >&-").ends().with(0, &[])?;
        let (read, write) = pipe();
        drop(read);
        run().stdout(write).ends().with(0, &[])?;
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .map_err(|e| e.to_string())?;
        let ended = run()
            .stdout(
                full.as_fd()
                    .try_clone_to_owned()
                    .map_err(|e| e.to_string())?,
            )
            .ends();
        ended.with(4, &["no space left on device"])?;
        // The report is not lost with it.
        holds(more == "--json" || ended.said().contains("OK ok"), || {
            ended.shown()
        })?;
        let (read, write) = pipe();
        let mut first = [0];
        let reader = thread::spawn(move || File::from(read).read(&mut first).is_ok());
        run().stdout(write).ends().with(0, &[])?;
        let _ = reader.join();
    }
    Ok(())
}

/// What does not fit is the machine's fault, not the program's.
fn full_disk(world: &World, identity: Identity) -> Result<(), String> {
    if identity != Identity::Own || !identity::is_root() {
        return Ok(());
    }
    for method in METHODS {
        let folder = world
            .stage
            .run_folder(identity)
            .map_err(|e| e.to_string())?;
        let small = folder.join("small");
        fs::create_dir(&small).map_err(|e| e.to_string())?;
        let script = format!(
            "mount -t tmpfs -o size=16k none {0} && chmod 1777 {0} && {1} exec --capture {method} \
             --stdout {0}/out -- {2} once 100000; echo $?",
            small.display(),
            world.stage.binary().display(),
            world.program("writer"),
        );
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", &script])
            .current_dir(Path::new("/"));
        let output = command.output().map_err(|e| e.to_string())?;
        let (status, said) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        holds(status == b"4\n", || format!("{method}: {status:?} {said}"))?;
        holds(
            said.contains("no room on the disk") || said.contains("no space left on device"),
            || format!("{method}: {said}"),
        )?;
    }
    Ok(())
}
