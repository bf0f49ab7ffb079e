//! The files of the policy, which are part of the program.

use crate::evidence::Role;
use crate::spec::profile::Profile;

/// A file and what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct File {
    /// Its path below `policy/`.
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

macro_rules! file {
    ($name:literal) => {
        File {
            name: $name,
            text: include_str!($name),
        }
    };
}

/// What every participant gets.
pub(super) const COMMON: File = file!("common.toml");

/// What differs for a role.
pub(super) const fn of_role(role: Role) -> File {
    match role {
        Role::Contestant => file!("contestant.toml"),
        Role::Interactor => file!("interactor.toml"),
    }
}

/// What differs for a runtime; for a native program nothing does.
pub(super) const fn of_profile(profile: Profile) -> Option<File> {
    match profile {
        Profile::Native => None,
        Profile::Java => Some(file!("runtimes/java.toml")),
        Profile::Node => Some(file!("runtimes/node.toml")),
        Profile::Mono => Some(file!("runtimes/mono.toml")),
        Profile::Shell => Some(file!("runtimes/shell.toml")),
    }
}

/// Every file.
#[cfg(test)]
pub(super) fn all() -> Vec<File> {
    let roles = [Role::Contestant, Role::Interactor].map(of_role);
    let runtimes = Profile::ALL.into_iter().filter_map(of_profile);
    std::iter::once(COMMON)
        .chain(roles)
        .chain(runtimes)
        .collect()
}
