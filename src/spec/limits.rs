//! The limits of one participant, as numbers; where they come from does not matter here.

use std::time::Duration;

use crate::evidence::Role;

/// What one participant may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// CPU time of the whole process tree, user and system.
    pub cpu: Duration,
    /// Sum of its own turns in real time.
    pub wall: Duration,
    /// Longest uninterrupted time in which it may neither compute nor ask for input.
    pub idle: Duration,
    /// Resident memory of the whole process tree, in bytes.
    pub memory: u64,
    /// Address space of each of its processes, in bytes, used or not; `None` for no limit.
    pub address_space: Option<u64>,
    /// Bytes it may write to its standard output (and to any one file).
    pub output: u64,
    /// Processes and threads that may be alive at once.
    pub tasks: u32,
    /// Size of the main thread's stack in bytes; `None` follows the memory limit.
    pub stack: Option<u64>,
}

impl Limits {
    /// The limits that hold where nothing else is said.
    pub fn default_for(role: Role) -> Self {
        match role {
            Role::Contestant => Limits {
                cpu: Duration::from_secs(1),
                wall: Duration::from_secs(10),
                idle: Duration::from_secs(2),
                memory: 256 << 20,
                address_space: None,
                output: 64 << 20,
                tasks: 64,
                stack: None,
            },
            Role::Interactor => Limits {
                cpu: Duration::from_secs(10),
                wall: Duration::from_secs(60),
                idle: Duration::from_secs(10),
                memory: 1 << 30,
                address_space: None,
                output: 256 << 20,
                tasks: 64,
                stack: None,
            },
        }
    }

    /// The stack limit in bytes.
    pub fn stack_bytes(&self) -> u64 {
        self.stack.unwrap_or(self.memory)
    }
}
