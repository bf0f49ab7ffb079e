//! `rejoinder new`: a problem that works, to begin with.

mod files;
mod folder;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::flags::ProtocolName;
use crate::error::{Error, Result, shown};

/// What the help says at its end.
const AFTER_HELP: &str = "\
The folder stands alone: it has everything that its programs need.

Examples:
  rejoinder new guess
  rejoinder new guess --interactor python --protocol icpc
  rejoinder test guess";

/// Make a problem that works, to be edited
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct New {
    /// The folder to make; the problem is called as its last part
    name: PathBuf,
    /// How the interactor is started, and says what it decided
    #[arg(long, value_enum, default_value = "testlib")]
    protocol: ProtocolName,
    /// The language of the interactor and the solutions
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "cpp")]
    interactor: Tongue,
}

/// The languages that there are templates in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tongue {
    Cpp,
    Rust,
    Python,
}

impl New {
    pub(super) fn execute(&self) -> Result<u8> {
        let name = problem_name(&self.name)?;
        let files = files::of(&name, self.interactor, self.protocol.into());
        folder::make(&self.name, &files)?;
        super::print(&told(&self.name, &files)).map(|()| 0)
    }
}

/// What the problem in this folder is called.
fn problem_name(folder: &Path) -> Result<String> {
    let refused = |why: &str| {
        let folder = shown(folder);
        Error::usage(format!(
            "{folder} is no name for a new folder: {why}; write a name such as `guess`"
        ))
    };
    // `.` is the folder where we stand, by its name.
    let whole = std::path::absolute(folder).map_err(|_| refused("it is empty"))?;
    let name = whole.file_name();
    let name = name.ok_or_else(|| refused("it ends in no name of its own"))?;
    let name = name.to_str().ok_or_else(|| refused("it is no UTF-8"))?;
    match name.contains(char::is_control) {
        true => Err(refused("it has a control character")),
        false => Ok(name.to_owned()),
    }
}

/// What was made, and what to do next.
fn told(folder: &Path, files: &[files::File]) -> String {
    let widest = files.iter().map(|file| file.path.len()).max().unwrap_or(0);
    let mut text = format!("{} is a problem that works:\n\n", shown(folder));
    for file in files {
        text += &format!("  {:widest$}  {}\n", file.path, file.about);
    }
    text + &format!(
        "\nTest it, edit it, and test it again:\n\n  rejoinder test {}\n",
        argument(folder)
    )
}

/// A folder as a word of the shell, which is no flag.
fn argument(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    let text = match text.starts_with('-') {
        true => format!("./{text}"),
        false => text.into_owned(),
    };
    shell_words::quote(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_command_can_be_copied() {
        assert_eq!(argument(Path::new("guess")), "guess");
        assert_eq!(argument(Path::new("a b")), "'a b'");
        assert_eq!(argument(Path::new("--list")), "./--list");
    }

    #[test]
    fn a_problem_is_called_as_its_folder() {
        let name = |folder: &str| problem_name(Path::new(folder));
        assert_eq!(name("a/guess/").expect("a name"), "guess");
        assert_eq!(name("Grüße \"1\"").expect("a name"), "Grüße \"1\"");
        for wrong in ["", "..", "/", "a\nb"] {
            assert!(name(wrong).is_err(), "{wrong:?}");
        }
    }
}
