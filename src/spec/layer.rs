//! The layers between a program and the rest of the machine, by name.
//!
//! A layer is what a machine can give or lack on its own. This module is their vocabulary: what
//! each adds, and what is open without it. How a layer is applied is
//! [`sandbox`](crate::sandbox)'s business, whether this machine has it [`doctor`](crate::doctor)'s.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::nearest::{listed, nearest};

/// A layer, in the order in which reports name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// A filter on system calls.
    Seccomp,
    /// The tracer.
    Ptrace,
    /// A mount, a pid, an ipc and a uts namespace, which are made together.
    Namespaces,
    /// A user namespace, in which an ordinary user may make the others.
    UserNamespace,
    /// A network namespace.
    Net,
    /// Rules about files, which the program puts on itself.
    Landlock,
    /// A user id of the program's own.
    Identity,
    /// A memory cgroup.
    Cgroup,
}

impl Layer {
    /// All of them.
    pub const ALL: [Layer; 8] = [
        Layer::Seccomp,
        Layer::Ptrace,
        Layer::Namespaces,
        Layer::UserNamespace,
        Layer::Net,
        Layer::Landlock,
        Layer::Identity,
        Layer::Cgroup,
    ];

    /// Its name in reports, in JSON and after `--require`.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Seccomp => "seccomp",
            Layer::Ptrace => "ptrace",
            Layer::Namespaces => "namespaces",
            Layer::UserNamespace => "user-namespace",
            Layer::Net => "net",
            Layer::Landlock => "landlock",
            Layer::Identity => "identity",
            Layer::Cgroup => "cgroup",
        }
    }

    /// What it adds, in one sentence without a full stop.
    pub fn adds(self) -> &'static str {
        match self {
            Layer::Seccomp => "the kernel answers or reports every system call by a fixed policy",
            Layer::Ptrace => {
                "every process and thread is followed from its birth, and dies with rejoinder"
            }
            Layer::Namespaces => {
                "a file tree, process ids, System V objects and a host name of the program's own"
            }
            Layer::UserNamespace => "an ordinary user may make the other namespaces",
            Layer::Net => "no network interface exists in the sandbox, not even to look at",
            Layer::Landlock => {
                "the kernel checks every file that is opened against rules that cannot be taken \
                 off again"
            }
            Layer::Identity => "a user id that owns nothing and that no other program has",
            Layer::Cgroup => {
                "the kernel counts all resident memory, and kills as soon as the limit is passed"
            }
        }
    }

    /// What is open or slower without it, in one sentence without a full stop.
    pub fn without(self) -> &'static str {
        match self {
            Layer::Seccomp | Layer::Ptrace => "nothing can be run",
            Layer::Namespaces => {
                "Landlock hides the files alone: their names, sizes and the ids of processes can \
                 be found out"
            }
            Layer::UserNamespace => {
                "only root can make namespaces; an ordinary user's programs have Landlock alone"
            }
            Layer::Net => {
                "addresses and open connections can be read in /proc/net; sockets are refused by \
                 the filter in any case"
            }
            Layer::Landlock => {
                "the file tree of the namespaces is the only wall around files, and where there \
                 are no namespaces nothing can be run"
            }
            Layer::Identity => {
                "programs run under your own id, so only the other layers keep them from your \
                 files and processes"
            }
            Layer::Cgroup => {
                "memory is sampled about every 5 ms, so a program can be over its limit for some \
                 milliseconds"
            }
        }
    }

    /// The layer of that name.
    ///
    /// # Errors
    /// A sentence that lists those that there are.
    pub fn named(name: &str) -> Result<Layer, String> {
        let found = Layer::ALL.into_iter().find(|layer| layer.name() == name);
        found.ok_or_else(|| {
            let names = || Layer::ALL.map(Layer::name);
            let meant = nearest(name, names());
            let meant = meant.map_or(String::new(), |meant| format!(" (did you mean `{meant}`?)"));
            format!(
                "`{name}` is no layer{meant}: the layers are {}",
                listed(names())
            )
        })
    }
}

impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Layer::named(&name).map_err(D::Error::custom)
    }
}

/// Layers in a row, as a report has them.
pub fn names(layers: &[Layer]) -> String {
    layers
        .iter()
        .map(|layer| layer.name())
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for layer in Layer::ALL {
            assert_eq!(Layer::named(layer.name()), Ok(layer));
        }
        let sorted = Layer::ALL.is_sorted();
        assert!(sorted, "reports name them in the order of the enum");
    }

    #[test]
    fn a_wrong_name_is_told_the_right_ones() {
        insta::assert_snapshot!(Layer::named("landlok").unwrap_err(), @"`landlok` is no layer (did you mean `landlock`?): the layers are `seccomp`, `ptrace`, `namespaces`, `user-namespace`, `net`, `landlock`, `identity` and `cgroup`");
        insta::assert_snapshot!(Layer::named("chroot").unwrap_err(), @"`chroot` is no layer: the layers are `seccomp`, `ptrace`, `namespaces`, `user-namespace`, `net`, `landlock`, `identity` and `cgroup`");
    }

    #[test]
    fn the_documentation_has_a_row_for_each() {
        let text = include_str!("../../docs/sandbox.md");
        for layer in Layer::ALL {
            let row = format!("| `{}` |", layer.name());
            assert!(text.contains(&row), "docs/sandbox.md has no row {row}");
        }
    }
}
