//! User ids of the programs' own: whether this process can give one.
//!
//! The ids themselves are handed out in [`slots`](super::slots).

use std::fs;

use super::slots::{FIRST_IDENTITY, IDENTITIES, Slot};
use crate::error::Result;

/// The capabilities to change to an id and to give it a file (capabilities(7)).
const NEEDED: [(u32, &str); 3] = [(0, "CAP_CHOWN"), (6, "CAP_SETGID"), (7, "CAP_SETUID")];

/// Identities for so many programs; none where this process can give none.
///
/// # Errors
/// If all are in use.
pub fn take(count: usize) -> Result<Vec<Slot>> {
    match obstacle() {
        None => (0..count).map(|_| Slot::identity()).collect(),
        Some(_) => Ok(Vec::new()),
    }
}

/// Why this process can give no identities; `None` if it can.
pub fn obstacle() -> Option<String> {
    if !nix::unistd::geteuid().is_root() {
        return Some("only root can give a program a user id of its own".to_owned());
    }
    let read = |file: &str| fs::read_to_string(format!("/proc/self/{file}")).unwrap_or_default();
    hindrance(&read("status"), &read("uid_map"), &read("gid_map"))
}

/// As [`obstacle`] for root, from the texts of `/proc/self/status`, `uid_map` and `gid_map`.
fn hindrance(status: &str, users: &str, groups: &str) -> Option<String> {
    let capabilities = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let capabilities = capabilities.and_then(|set| u64::from_str_radix(set.trim(), 16).ok())?;
    let lacking = NEEDED
        .iter()
        .filter(|(bit, _)| capabilities >> bit & 1 == 0);
    let lacking: Vec<&str> = lacking.map(|(_, name)| *name).collect();
    if !lacking.is_empty() {
        return Some(format!("this root lacks {}", lacking.join(", ")));
    }
    (!holds_ours(users) || !holds_ours(groups)).then(|| {
        let last = u64::from(FIRST_IDENTITY) + IDENTITIES - 1;
        format!("the user namespace that we are in has no ids {FIRST_IDENTITY} to {last}")
    })
}

/// Whether a map of ids (user_namespaces(7)) has all of the identities.
fn holds_ours(map: &str) -> bool {
    let first = u64::from(FIRST_IDENTITY);
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(inside)), Some(Ok(_)), Some(Ok(count))) => {
                inside <= first && first + IDENTITIES <= inside + count
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "         0          0 4294967295\n";

    #[test]
    fn a_root_that_may_everything_can_give_identities() {
        assert_eq!(hindrance("CapEff:\t000001ffffffffff\n", ALL, ALL), None);
    }

    #[test]
    fn a_root_in_a_container_may_lack_what_it_takes() {
        assert_eq!(
            hindrance("CapEff:\t0000000000000041\n", ALL, ALL),
            Some("this root lacks CAP_SETUID".to_owned())
        );
        let few = "0 100000 65536\n";
        let expected = "the user namespace that we are in has no ids 1900000000 to 1900004095";
        for (users, groups) in [(few, ALL), (ALL, few), ("", "")] {
            let found = hindrance("CapEff:\t000001ffffffffff\n", users, groups);
            assert_eq!(found.as_deref(), Some(expected));
        }
    }
}
