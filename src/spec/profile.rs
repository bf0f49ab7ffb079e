//! Runtime profiles: what the system call policy knows about the runtime that executes a program.
//!
//! A profile is a name; what it changes is in `sandbox/policy/runtimes/NAME.toml`. A language names
//! its profile in the language table; a program that is nothing but an executable is `native`.

use serde::{Deserialize, Serialize};

/// The runtime that executes a program.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Nothing but the program and its libraries, or a runtime that tries nothing unusual.
    #[default]
    Native,
    /// The Java virtual machine.
    Java,
    /// Node.js.
    Node,
    /// Mono, which executes .NET programs.
    Mono,
    /// A shell, which starts other programs.
    Shell,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 5] = [
        Profile::Native,
        Profile::Java,
        Profile::Node,
        Profile::Mono,
        Profile::Shell,
    ];

    /// The name in language tables, and of its file.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Native => "native",
            Profile::Java => "java",
            Profile::Node => "node",
            Profile::Mono => "mono",
            Profile::Shell => "shell",
        }
    }
}
