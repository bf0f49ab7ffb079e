//! The programs, each compiled once for each set of flags.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// A program that was compiled, and its source.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    source: &'static str,
}

type Built = Arc<OnceLock<Option<PathBuf>>>;

fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stack");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/stack")
        .join(name)
}

/// Compiles a source; `None` if there is no compiler for it, which is said.
pub(crate) fn program(name: &'static str, flags: &[&str]) -> Option<Program> {
    static PROGRAMS: Mutex<Option<HashMap<String, Built>>> = Mutex::new(None);
    let key = format!("{name} {}", flags.join(" "));
    let built = {
        let mut programs = PROGRAMS.lock().unwrap();
        let programs = programs.get_or_insert_default();
        programs.entry(key.clone()).or_default().clone()
    };
    let path = built.get_or_init(|| compile(name, flags, &key)).clone()?;
    Some(Program { path, source: name })
}

fn compile(name: &str, flags: &[&str], key: &str) -> Option<PathBuf> {
    let compiler = match name.rsplit('.').next() {
        Some("c") => "gcc",
        Some("cpp") => "g++",
        _ => "rustc",
    };
    let short: String = key
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let path = folder().join(format!("{short}-{}", std::process::id()));
    let mut command = Command::new(compiler);
    command
        .current_dir(folder())
        .args(flags)
        .arg("-o")
        .arg(&path);
    if compiler != "rustc" {
        command.arg("-w");
    }
    command.arg(source(name));
    if flags.contains(&"-DLIBRARY") {
        let library = library(flags)?;
        let at = library.parent()?.display().to_string();
        command.arg(&library).arg(format!("-Wl,-rpath,{at}"));
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: `{compiler}` is not to be had: {error}");
            return None;
        }
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {key}: {said}");
    Some(path)
}

fn library(flags: &[&str]) -> Option<PathBuf> {
    let path = folder().join(format!(
        "librarys-{}-{}.so",
        flags.len(),
        std::process::id()
    ));
    let mut command = Command::new("gcc");
    command.args(["-shared", "-fPIC", "-O2", "-g", "-o"]);
    let status = command.arg(&path).arg(source("library.c")).status().ok()?;
    status.success().then_some(path)
}

impl Program {
    /// The number of the line that is marked so.
    pub(crate) fn line(&self, mark: &str) -> u32 {
        line(self.source, mark)
    }
}

/// The number of the line of a source that is marked so.
pub(crate) fn line(name: &str, mark: &str) -> u32 {
    let text = std::fs::read_to_string(source(name)).unwrap();
    let mark = format!("// here: {mark}");
    let at = text.lines().position(|line| line.ends_with(&mark));
    at.unwrap_or_else(|| panic!("{name} has no line {mark:?}")) as u32 + 1
}
