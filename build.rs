//! Checks the files of the system call policy and makes them a table of the program, so that a
//! mistake in one is found here, and a start reads none.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use rule::Group;

#[path = "src/sandbox/policy/layer.rs"]
mod layer;
#[expect(unreachable_pub, reason = "the program shows it")]
#[path = "src/sandbox/policy/rule.rs"]
mod rule;

const FOLDERS: [&str; 2] = ["src/sandbox/policy", "src/sandbox/policy/runtimes"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut code = String::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "toml"));
        paths.sort();
        for path in paths {
            let wrong = |e: String| format!("{} is wrong: {e}", path.display());
            let groups = layer::parse(&fs::read_to_string(&path)?).map_err(wrong)?;
            write_table(&mut code, &path, &groups)?;
        }
    }
    let target = std::env::var("OUT_DIR")?;
    fs::write(Path::new(&target).join("policy.rs"), code)?;
    Ok(())
}

/// A constant with the file's groups, in the order in which they were read.
fn write_table(code: &mut String, path: &Path, groups: &[Group]) -> Result<(), Box<dyn Error>> {
    let name = path.file_stem().ok_or("a file has no name")?;
    let name = name.to_string_lossy().to_uppercase();
    writeln!(code, "pub(super) const {name}: &[Group] = &[")?;
    for group in groups {
        let Group {
            why,
            calls,
            only_if,
            action,
        } = group;
        // What these types print for a programmer is how they are written in Rust.
        writeln!(
            code,
            "    Group {{ why: Cow::Borrowed({why:?}), calls: Cow::Borrowed(&{calls:?}), \
             only_if: {only_if:?}, action: {action:?} }},"
        )?;
    }
    writeln!(code, "];")?;
    Ok(())
}
