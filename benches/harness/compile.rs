//! Programs in C, compiled when a benchmark begins.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Compiles a source into the folder, under this name, with `-O2` and more flags.
pub(crate) fn c(folder: &Path, name: &str, text: &str, flags: &[&str]) -> Result<PathBuf> {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text).with_context(|| format!("failed to write {name}.c"))?;
    let program = folder.join(name);
    let compiled = Command::new("cc")
        .args(["-O2", "-o"])
        .args([&program, &source])
        // A library has its place after what uses it.
        .args(flags)
        .output()
        .context("failed to run `cc`; the benchmark needs a C compiler")?;
    if !compiled.status.success() {
        let complaint = String::from_utf8_lossy(&compiled.stderr);
        bail!("`cc` refused {name}.c: {complaint}");
    }
    Ok(program)
}
