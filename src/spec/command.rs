//! A program to start, checked: an absolute executable, its arguments, what it must be able to read.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::spec::profile::Profile;

/// One program as it will be started in a sandbox. Every path is absolute and exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The file that is executed.
    pub program: PathBuf,
    /// `argv[0]` and the arguments.
    pub argv: Vec<OsString>,
    /// Files and folders that the program may read besides the system's own libraries and
    /// runtimes: itself, its script, the runtime it needs.
    pub reads: Vec<PathBuf>,
    /// Files that its source says it imports. The source may name any file, so they are shown only to
    /// a program that is trusted: see [`Command::with_imports`].
    pub imports: Vec<PathBuf>,
    /// What a message calls it: the path or the source as the user wrote it.
    pub shown: String,
    /// The language of the source, if it is known (a name of the language table).
    pub language: Option<String>,
    /// The runtime that executes it, for the system call policy.
    pub profile: Profile,
}

impl Command {
    /// The same program, which may read what it imports as well. Never for a contestant, who would
    /// import the interactor.
    pub fn with_imports(mut self) -> Self {
        self.reads.append(&mut self.imports);
        self
    }
}
