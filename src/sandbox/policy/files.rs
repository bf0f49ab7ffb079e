//! The files of the policy, as the build script has read them.

use std::borrow::Cow;

use super::rule::Action::*;
use super::rule::Watch::*;
use super::rule::{Condition, Group};
use crate::evidence::Role;
use crate::spec::profile::Profile;

// A constant for each file, named like it.
include!(concat!(env!("OUT_DIR"), "/policy.rs"));

/// What differs for a role.
pub(super) const fn of_role(role: Role) -> &'static [Group] {
    match role {
        Role::Contestant => CONTESTANT,
        Role::Interactor => INTERACTOR,
    }
}

/// What differs for a runtime; for a native program nothing does.
pub(super) const fn of_profile(profile: Profile) -> &'static [Group] {
    match profile {
        Profile::Native => &[],
        Profile::Java => JAVA,
        Profile::Node => NODE,
        Profile::Mono => MONO,
        Profile::Shell => SHELL,
    }
}

/// Every file: its path below `policy/`, and what is in it.
#[cfg(test)]
pub(super) fn all() -> Vec<(String, &'static [Group])> {
    let file = |name: &str, groups| (format!("{name}.toml"), groups);
    let runtimes = Profile::ALL.into_iter().filter(|p| *p != Profile::Native);
    let runtimes = runtimes.map(|p| file(&format!("runtimes/{}", p.name()), of_profile(p)));
    [
        file("common", COMMON),
        file("contestant", CONTESTANT),
        file("interactor", INTERACTOR),
    ]
    .into_iter()
    .chain(runtimes)
    .collect()
}
