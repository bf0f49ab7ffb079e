//! Programs in C, compiled when a benchmark begins.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A file of a program: its name and its text.
pub(crate) type Source = (&'static str, &'static str);

/// Compiles a source into the folder, under this name, with `-O2` and more flags.
pub(crate) fn c(folder: &Path, name: &str, text: &'static str, flags: &[&str]) -> Result<PathBuf> {
    let file = format!("{name}.c");
    write(folder, &file, text)?;
    link(folder, name, &[folder.join(file)], flags)
}

/// The same of several sources. Headers are sources that are only written.
pub(crate) fn c_of(
    folder: &Path,
    name: &str,
    sources: &[Source],
    flags: &[&str],
) -> Result<PathBuf> {
    let mut files = Vec::new();
    for (file, text) in sources {
        write(folder, file, text)?;
        files.push(folder.join(file));
    }
    files.retain(|file| file.extension() != Some(OsStr::new("h")));
    link(folder, name, &files, flags)
}

fn write(folder: &Path, file: &str, text: &str) -> Result<()> {
    std::fs::write(folder.join(file), text).with_context(|| format!("failed to write {file}"))
}

fn link(folder: &Path, name: &str, files: &[PathBuf], flags: &[&str]) -> Result<PathBuf> {
    let program = folder.join(name);
    let compiled = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .args(files)
        // A library has its place after what uses it.
        .args(flags)
        .output()
        .context("failed to run `cc`; the benchmark needs a C compiler")?;
    if !compiled.status.success() {
        let complaint = String::from_utf8_lossy(&compiled.stderr);
        bail!("`cc` refused {name}: {complaint}");
    }
    Ok(program)
}
