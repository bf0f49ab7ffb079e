//! The kinds of failure that are not verdicts, and the exit status of each.

use std::path::Path;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user's mistake: an argument, a problem file, a source that does not compile. The text
    /// says what is wrong, where, and what to do. Exit status 2.
    #[error("{0}")]
    Usage(String),
    /// This machine does not give what is needed (a right, a namespace, space). Exit status 4.
    #[error("{0}")]
    Environment(String),
    /// A system call of ours failed where it should not. Exit status 4.
    #[error("failed to {action}: {}{}", reason(source), advice(source))]
    System {
        /// What was tried, in words that read after "failed to".
        action: String,
        source: std::io::Error,
    },
    /// The program was told to end, by this signal, before there was anything to report. Exit
    /// status 128 + n.
    #[error("interrupted by {}", crate::evidence::signal_name(*.0))]
    Interrupted(i32),
}

/// The result of everything that can fail in this crate outside a verdict.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A user's mistake, in one sentence.
    pub fn usage(text: impl Into<String>) -> Self {
        Error::Usage(text.into())
    }

    /// The exit status that reports this failure.
    pub fn exit_status(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Environment(_) | Error::System { .. } => 4,
            Error::Interrupted(signal) => 128u8.saturating_add(*signal as u8),
        }
    }
}

/// Turns the error of a system call into [`Error::System`] with the words for what was tried.
pub trait Context<T> {
    /// `action` reads after "failed to".
    fn context(self, action: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<std::io::Error>> Context<T> for std::result::Result<T, E> {
    fn context(self, action: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|source| Error::System {
            action: action(),
            source: source.into(),
        })
    }
}

/// A file that could not be read, as the user's mistake: its path and the kernel's reason.
pub fn unreadable(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::usage(format!(
        "cannot read the {what} {}: {}",
        shown(path),
        reason(error)
    ))
}

/// The temporary folder cannot be used.
pub fn no_temporary_files(error: &std::io::Error) -> Error {
    Error::Environment(format!(
        "cannot make a file in the temporary folder {}: {}: set TMPDIR to a folder that you can \
         write to",
        shown(&std::env::temp_dir()),
        reason(error)
    ))
}

/// A path as it is shown in messages. Control characters are escaped: a file's name must not steer
/// the terminal, or look like a line of ours.
pub fn shown(path: &Path) -> String {
    let mut text = String::from("`");
    for c in path.to_string_lossy().chars() {
        match c.is_control() {
            true => text.extend(c.escape_default()),
            false => text.push(c),
        }
    }
    text + "`"
}

/// An I/O error without the `(os error N)` that the standard library appends.
pub fn reason(error: &std::io::Error) -> String {
    match code(error) {
        // Its usual text, "try again", is no reason.
        Some(libc::EAGAIN) => "resource temporarily unavailable".to_owned(),
        Some(code) => crate::evidence::errno_text(code).to_lowercase(),
        None => error.to_string(),
    }
}

/// The kernel's error code. Where a library has wrapped the error, to add a path that our messages
/// name already, only the text still has it.
fn code(error: &std::io::Error) -> Option<i32> {
    error.raw_os_error().or_else(|| {
        let text = error.to_string();
        let (_, rest) = text.split_once("(os error ")?;
        rest.split_once(')')?.0.parse().ok()
    })
}

/// What the user can do about the kernel's reason, where that is the same whatever was tried.
fn advice(error: &std::io::Error) -> &'static str {
    match code(error) {
        Some(libc::EMFILE) => ": allow more with `ulimit -n`",
        Some(libc::EAGAIN) => ": this user may have no more processes (`ulimit -u`)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: i32) -> String {
        let source = std::io::Error::from_raw_os_error(code);
        let action = "make a pipe".to_owned();
        Error::System { action, source }.to_string()
    }

    #[test]
    fn the_kernels_reason_is_in_our_words() {
        assert_eq!(
            failed(libc::ENOSPC),
            "failed to make a pipe: no space left on device"
        );
        assert_eq!(
            failed(libc::EMFILE),
            "failed to make a pipe: too many open files: allow more with `ulimit -n`"
        );
        let wrapped = tempfile::tempdir_in("/dev/null/folder").unwrap_err();
        assert_eq!(reason(&wrapped), "not a directory");
    }

    #[test]
    fn names_do_not_steer_the_terminal() {
        let name = Path::new("a\u{1b}[31mb\nc");
        assert_eq!(shown(name), "`a\\u{1b}[31mb\\nc`");
    }
}
