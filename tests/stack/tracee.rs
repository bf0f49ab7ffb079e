//! A program that is traced until its end, or until it is stopped.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rejoinder::diagnose::cause::cause;
use rejoinder::diagnose::last_words::last_words;
use rejoinder::diagnose::stack::{Registers, Stack, stack};
use rejoinder::sys::{self, Pid, SignalInfo};

/// What was found out about a program.
pub(crate) struct Found {
    pub(crate) stack: Stack,
    pub(crate) signal: Option<SignalInfo>,
    pub(crate) cause: Option<String>,
    pub(crate) took: Duration,
}

const OPTIONS: i32 = libc::PTRACE_O_EXITKILL
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_TRACECLONE;

/// Runs a program until it crashes, and looks at it as it ends.
pub(crate) fn crashed(program: &Path, arguments: &[&str]) -> Found {
    run(program, arguments, false, |pid, signal, registers, said| {
        look(program, pid, signal, registers, said)
    })
}

/// Runs a program until it crashes, and calls `look` as it ends.
pub(crate) fn at_crash<T>(
    program: &Path,
    arguments: &[&str],
    look: impl FnOnce(Pid, &Registers) -> T,
) -> T {
    run(program, arguments, false, |pid, _, registers, _| {
        look(pid, registers)
    })
}

/// Runs a program until it has said something and a moment has passed, and looks at it.
pub(crate) fn stopped(program: &Path, arguments: &[&str]) -> Found {
    run(program, arguments, true, |pid, signal, registers, said| {
        look(program, pid, signal, registers, said)
    })
}

#[expect(
    clippy::zombie_processes,
    reason = "`reap` waits: a tracee also reports its stops"
)]
fn run<T>(
    program: &Path,
    arguments: &[&str],
    stop: bool,
    look: impl FnOnce(Pid, Option<SignalInfo>, &Registers, &[u8]) -> T,
) -> T {
    // The shell waits until it is traced.
    let mut child = Command::new("/bin/sh")
        .args([
            "-c",
            "read go; ulimit -c 0; ulimit -s 8192; exec \"$0\" \"$@\"",
        ])
        .arg(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let main = child.id() as Pid;
    sys::ptrace_seize(main, OPTIONS).unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go\n").unwrap();
    let output = child.stdout.take().unwrap();
    let mut errors = child.stderr.take().unwrap();
    let mut crash: Option<(Pid, SignalInfo, Registers)> = None;
    let mut interrupts = false;
    loop {
        if stop && !interrupts && sys::pipe_bytes(output.as_fd()).unwrap() > 0 {
            wait_until_it_stands(main, arguments[0] == "waits");
            sys::ptrace_interrupt(main).unwrap();
            interrupts = true;
        }
        let Some(report) = sys::wait4(-1, !stop || interrupts).unwrap() else {
            assert!(sys::is_unreaped(main), "it ended without a look at it");
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        let pid = report.pid;
        if !libc::WIFSTOPPED(report.status) {
            assert!(pid != main, "it ended without a crash");
            continue;
        }
        let signal = libc::WSTOPSIG(report.status);
        match report.status >> 16 {
            libc::PTRACE_EVENT_STOP if interrupts && pid == main => {
                let found = look(pid, None, &sys::ptrace_registers(pid).unwrap(), &[]);
                child.kill().unwrap();
                reap(main);
                return found;
            }
            libc::PTRACE_EVENT_EXIT if crash.is_some_and(|(task, _, _)| task == pid) => {
                let (_, signal, registers) = crash.unwrap();
                // Nobody else has the writing end open any more but the program itself, which
                // will write nothing.
                let said = read_what_is_there(&mut errors);
                let found = look(pid, Some(signal), &registers, &said);
                drop(child.kill());
                let _ = sys::ptrace_continue(pid, 0);
                reap(main);
                return found;
            }
            0 => {
                let info = sys::ptrace_signal_info(pid).unwrap();
                if !matches!(signal, libc::SIGUSR1 | libc::SIGALRM | libc::SIGCHLD) {
                    crash = Some((pid, info, sys::ptrace_registers(pid).unwrap()));
                }
                sys::ptrace_continue(pid, signal).unwrap();
            }
            _ => drop(sys::ptrace_continue(pid, 0)),
        }
    }
}

/// Waits for the end of a tracee that was killed, and of its threads before it.
fn reap(main: Pid) {
    while let Ok(Some(report)) = sys::wait4(-1, true) {
        if libc::WIFSTOPPED(report.status) {
            let _ = sys::ptrace_continue(report.pid, 0);
        } else if report.pid == main {
            return;
        }
    }
}

fn look(
    program: &Path,
    pid: Pid,
    signal: Option<SignalInfo>,
    registers: &Registers,
    said: &[u8],
) -> Found {
    let begin = Instant::now();
    let stack = stack(pid, registers, program);
    let took = begin.elapsed();
    Found {
        cause: signal.and_then(|signal| match signal.signal {
            libc::SIGABRT => last_words(said),
            _ => cause(pid, registers, &signal),
        }),
        stack,
        signal,
        took,
    }
}

/// What lies in a pipe, without waiting for more.
fn read_what_is_there(pipe: &mut std::process::ChildStderr) -> Vec<u8> {
    let bytes = sys::pipe_bytes(pipe.as_fd()).unwrap();
    let mut said = vec![0; bytes as usize];
    pipe.read_exact(&mut said).unwrap();
    said
}

/// A program that has said that it is about to compute or to wait still has to return from that.
fn wait_until_it_stands(pid: Pid, waits: bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        std::thread::sleep(Duration::from_millis(20));
        let mut text = String::new();
        let mut file = File::open(format!("/proc/{pid}/syscall")).unwrap();
        file.read_to_string(&mut text).unwrap();
        // A task that computes is "running"; the first field is else the number of the call.
        let stands = match waits {
            true => text.starts_with("0 0x0 "),
            false => text.starts_with("running"),
        };
        if stands || Instant::now() > deadline {
            return;
        }
    }
}
