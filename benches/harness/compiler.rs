//! The programs that are measured, made from their sources when a benchmark begins.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A file of a program: its name and its text.
pub(crate) type Source = (&'static str, &'static str);

/// Writes the sources into a folder and makes `name` of them there with `cc`. Headers are sources
/// that are only written.
pub(crate) fn compile(
    folder: &Path,
    name: &str,
    sources: &[Source],
    flags: &[&str],
) -> Result<PathBuf> {
    let mut files = Vec::new();
    for (file, text) in sources {
        let path = folder.join(file);
        std::fs::write(&path, text).with_context(|| format!("failed to write {file}"))?;
        if path.extension() != Some(OsStr::new("h")) {
            files.push(path);
        }
    }
    let program = folder.join(name);
    let compiled = Command::new("cc")
        .arg("-O2")
        .args(flags)
        .arg("-o")
        .arg(&program)
        .args(&files)
        .output()
        .context("failed to run `cc`; the benchmark needs a C compiler")?;
    if !compiled.status.success() {
        bail!(
            "`cc` refused {name}: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
    }
    Ok(program)
}
