//! The ways to isolate a program: which layers each is made of, and which it can have besides.

use crate::spec::layer::Layer;
use crate::spec::plan::Isolation;

/// A way to isolate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Namespaces made with the rights of root.
    Namespaces,
    /// Namespaces inside a user namespace of our own.
    UserNamespace,
    /// Landlock without namespaces.
    Landlock,
}

impl Way {
    /// The ways that this user may try, the strongest first.
    pub fn candidates(isolation: Isolation) -> Vec<Way> {
        let namespaces = match nix::unistd::geteuid().is_root() {
            true => vec![Way::Namespaces, Way::UserNamespace],
            false => vec![Way::UserNamespace],
        };
        match isolation {
            Isolation::Strongest => [namespaces, vec![Way::Landlock]].concat(),
            Isolation::Namespaces => namespaces,
            Isolation::Landlock => vec![Way::Landlock],
        }
    }

    /// The layers without which it cannot be.
    pub fn made_of(self) -> &'static [Layer] {
        use Layer::{Landlock, Namespaces, Ptrace, Seccomp, UserNamespace};
        match self {
            Way::Namespaces => &[Seccomp, Ptrace, Namespaces],
            Way::UserNamespace => &[Seccomp, Ptrace, Namespaces, UserNamespace],
            Way::Landlock => &[Seccomp, Ptrace, Landlock],
        }
    }

    /// The layers that it has where the machine gives them.
    pub fn may_have(self) -> &'static [Layer] {
        use Layer::{Cgroup, Identity, Landlock, Net};
        match self {
            Way::Namespaces => &[Net, Landlock, Identity, Cgroup],
            // Only one id has a meaning in such a namespace: ours.
            Way::UserNamespace => &[Net, Landlock, Cgroup],
            Way::Landlock => &[Identity, Cgroup],
        }
    }

    /// The namespaces it forks into (`CLONE_NEW...`), `net` among them if that is wanted.
    pub fn flags(self, net: bool) -> u64 {
        let flags = match self {
            Way::Namespaces => NAMESPACES,
            Way::UserNamespace => NAMESPACES | libc::CLONE_NEWUSER,
            Way::Landlock => return 0,
        };
        let net = if net { libc::CLONE_NEWNET } else { 0 };
        (flags | net) as u64
    }

    /// What it is called in a message: "cannot isolate by ...".
    pub fn name(self) -> &'static str {
        match self {
            Way::Namespaces => "namespaces",
            Way::UserNamespace => "namespaces in a user namespace",
            Way::Landlock => "Landlock",
        }
    }
}

const NAMESPACES: libc::c_int =
    libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_way_is_made_of_is_not_optional() {
        for way in [Way::Namespaces, Way::UserNamespace, Way::Landlock] {
            assert!(
                !way.made_of()
                    .iter()
                    .any(|layer| way.may_have().contains(layer))
            );
        }
    }

    #[test]
    fn only_what_was_asked_for_is_a_candidate() {
        assert_eq!(Way::candidates(Isolation::Landlock), [Way::Landlock]);
        let namespaces = Way::candidates(Isolation::Namespaces);
        assert!(namespaces.contains(&Way::UserNamespace) && !namespaces.contains(&Way::Landlock));
        assert!(Way::candidates(Isolation::Strongest).starts_with(&namespaces));
    }
}
