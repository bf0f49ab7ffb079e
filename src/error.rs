//! The kinds of failure that are not verdicts, and the exit status of each.

use std::path::{Path, PathBuf};

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
    #[error("failed to {action}: {source}")]
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

/// A path as it is shown in messages.
pub fn shown(path: &Path) -> String {
    format!("`{}`", PathBuf::from(path).display())
}

/// An I/O error without the `(os error N)` that the standard library appends.
pub fn reason(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => crate::evidence::errno_text(code).to_lowercase(),
        None => error.to_string(),
    }
}
