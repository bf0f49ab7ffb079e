//! Programs that make themselves hard to read.

use super::programs::program;
use std::fs::{self, File};
use std::time::{Duration, Instant};

use rejoinder::diagnose::stack::{Registers, stack};
use rejoinder::sys::Pid;

use super::tracee::{at_crash, crashed};

const FLAGS: &[&str] = &["-O2", "-g", "-pthread"];

#[test]
fn forged_stacks_come_to_an_end() {
    let Some(program) = program("ends.c", FLAGS) else {
        return;
    };
    let found = crashed(&program.path, &["circle"]);
    assert_eq!(found.stack.frames[0].function.as_deref(), Some("circle"));
    let found = crashed(&program.path, &["no-stack"]);
    assert_eq!(found.stack.frames[0].function.as_deref(), Some("no_stack"));
    assert!(found.stack.cut);
    let found = crashed(&program.path, &["forged"]);
    assert!(found.stack.frames.len() <= 300);
    assert!(found.stack.cut);
}

/// No look may take longer, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(5);

fn looks_at(pid: Pid, registers: &Registers, file: &std::path::Path) -> usize {
    let begin = Instant::now();
    let stack = stack(pid, registers, file);
    assert!(begin.elapsed() < LONGEST, "{:?}", begin.elapsed());
    assert!(stack.frames.len() < 3000);
    stack.lines().len()
}

/// The file on our side has other bytes than what is loaded, or what the compiler wrote; only its
/// beginning is the same.
#[test]
fn damaged_files_are_survived() {
    for (name, flags, way) in [
        ("ends.c", FLAGS, "inlined"),
        ("ends.c", &["-O2", "-g", "-pthread", "-static"], "sorts"),
        ("ends.cpp", &["-O2", "-g", "-std=gnu++20"], "throws"),
    ] {
        let Some(program) = program(name, flags) else {
            return;
        };
        let whole = fs::read(&program.path).unwrap();
        let file = program.path.with_extension("damaged");
        at_crash(&program.path, &[way], |pid, registers| {
            // A generator of numbers that are the same each time (xorshift).
            let mut state = 0x9e37_79b9_7f4a_7c15_u64;
            let mut next = |below: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % below as u64) as usize
            };
            for round in 0..60 {
                let mut bytes = whole.clone();
                let holes = 1 << (round % 14);
                for _ in 0..holes {
                    let at = 64 + next(bytes.len() - 64);
                    bytes[at] = match next(4) {
                        0 => 0,
                        1 => 0xff,
                        _ => next(256) as u8,
                    };
                }
                fs::write(&file, &bytes).unwrap();
                looks_at(pid, registers, &file);
            }
            for length in [0, 10, 64, 100, 5000, whole.len() / 2, whole.len() - 1] {
                fs::write(&file, &whole[..length]).unwrap();
                looks_at(pid, registers, &file);
            }
        });
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_file_of_500_mb() {
    let Some(program) = program("ends.c", FLAGS) else {
        return;
    };
    let file = program.path.with_extension("large");
    fs::copy(&program.path, &file).unwrap();
    let length = 500 << 20;
    File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(length)
        .unwrap();
    let found = crashed(&file, &["inlined"]);
    assert_eq!(found.stack.frames[0].function.as_deref(), Some("deepest"));
    assert!(found.took < LONGEST);
    fs::remove_file(&file).unwrap();
}

/// Entries within entries within entries: whoever reads them by calling itself has no stack left.
#[test]
fn debug_information_that_is_nested_deep() {
    let bomb = program("bomb.c", &["-O2", "-DNESTED"]);
    let Some(program) = bomb else { return };
    let found = crashed(&program.path, &[]);
    assert!(found.took < LONGEST, "{:?}", found.took);
    let mut frames = found.stack.frames.iter();
    assert!(frames.any(|frame| frame.function.as_deref() == Some("main")));
}

/// A million attributes that take no bytes, in each of a million entries.
#[test]
fn debug_information_that_expands() {
    let bomb = program("bomb.c", &["-O2", "-DWIDE"]);
    let Some(program) = bomb else { return };
    let found = crashed(&program.path, &[]);
    assert!(found.took < LONGEST, "{:?}", found.took);
    let mut frames = found.stack.frames.iter();
    assert!(frames.any(|frame| frame.function.as_deref() == Some("main")));
}
