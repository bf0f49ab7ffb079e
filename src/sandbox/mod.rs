//! One program, confined: how it is started, what it may do, what it has used.
//!
//! # Theory of operation
//!
//! [`launch`] forks a process into its own pid, mount, ipc and uts namespaces (as an ordinary user
//! also a user namespace). That first process, the sandbox's *init*, lays out the file system
//! ([`view`]), forks the participant, lends it its memory until it executes its program, and from then
//! on only exists: when it is killed, the kernel kills everything in the sandbox. The participant
//! waits at a barrier until the coordinator traces it (PTRACE_SEIZE with EXITKILL); then it enters its
//! cgroup ([`memory_group`]), runs its set-up steps ([`child`]), loads the system call filter
//! ([`filter`]) and executes the program. Landlock ([`confine`]) is a second wall around files; where
//! the machine gives no namespaces it takes the place of the file system layout, and there is no
//! init. These are the [`way`]s to isolate; what is missing of one is an [`obstacle`].
//!
//! From then on [`tracer`] hears of every fork, thread, exec, exit, signal and refused call, lets
//! everything go on that may, and tells the session in a handful of [`tracer::Happening`]s.
//! [`usage`] answers what the tree has used, [`waiting`] what it waits for.
//!
//! What the machine or its user cannot give is found before the fork: [`identity`], [`reach`],
//! [`resources`].
//!
//! Nothing in here decides a verdict or knows the other participant.

#[expect(unsafe_code, reason = "runs between fork and exec")]
pub mod child;
pub mod claim;
pub mod confine;
pub mod cpus;
pub mod filter;
pub mod identity;
pub mod launch;
pub mod memory_group;
pub mod obstacle;
pub mod policy;
mod proc;
pub mod reach;
pub mod resources;
pub mod slots;
pub mod tracer;
pub mod traffic;
pub mod usage;
pub mod view;
pub mod waiting;
pub mod way;
