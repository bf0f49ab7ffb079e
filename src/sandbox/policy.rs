//! The system call policy as data: what a call leads to, and why.
//!
//! Each file below `policy/` is a *layer*. The build script checks them and makes them a table
//! (`layer`, `../../../build.rs`). A participant's policy is a stack of up to three ([`files`]):
//! `common.toml`, the file of its role, and that of its runtime profile. A later layer's rule takes
//! the place of an earlier one's for the same call under the same condition, and is looked at before
//! others with a condition. A call that no layer names fails with ENOSYS.
//!
//! [`filter`](super::filter) compiles a policy for the kernel; [`tracer`](super::tracer) asks it
//! again for the calls that stop.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use syscalls::Sysno;

use crate::evidence::Role;
use crate::spec::profile::Profile;

mod files;
#[cfg(test)]
mod layer;
mod rule;
#[cfg(test)]
mod tests;

pub use rule::{Action, Condition, Group, Watch};

impl Condition {
    /// True if the arguments fulfil it.
    pub fn holds(&self, args: &[u64; 6]) -> bool {
        args.get(usize::from(self.argument))
            .is_some_and(|a| a & self.mask == self.equals)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mask {
            0xffff_ffff => write!(f, "argument {} is {:#x}", self.argument, self.equals),
            mask => write!(
                f,
                "argument {} & {mask:#x} is {:#x}",
                self.argument, self.equals
            ),
        }
    }
}

/// One rule for a call.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The call's number.
    pub call: u32,
    pub only_if: Option<Condition>,
    pub action: Action,
    /// Why, as the policy file says it.
    pub why: Cow<'static, str>,
}

/// The rules for every call that is named. Of a call's rules the first that fits counts; the one
/// without a condition, if there is one, is the last.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// By call, and within a call in the order in which they are looked at.
    rules: Vec<Rule>,
}

impl Policy {
    /// The policy for a participant. Each is put together once for each process.
    pub fn of(role: Role, profile: Profile) -> &'static Policy {
        const PROFILES: usize = Profile::ALL.len();
        static POLICIES: [[OnceLock<Policy>; PROFILES]; 2] =
            [const { [const { OnceLock::new() }; PROFILES] }; 2];
        POLICIES[role as usize][profile as usize].get_or_init(|| {
            let role = files::of_role(role);
            Policy::stack(&[files::COMMON, role, files::of_profile(profile)])
        })
    }

    /// The policy of layers, each of which lies over those before it.
    fn stack(layers: &[&[Group]]) -> Policy {
        let groups = layers.iter().rev().flat_map(|layer| layer.iter());
        let mut rules: Vec<Rule> = groups.flat_map(Group::rules).collect();
        // A stable order: of one call's rules, those of later layers stay before those of earlier ones.
        rules.sort_by_key(|rule| (rule.call, rule.only_if.is_none()));
        let mut kept: Vec<Rule> = Vec::with_capacity(rules.len());
        for rule in rules {
            let of_this_call = kept.iter().rev().take_while(|k| k.call == rule.call);
            if of_this_call.into_iter().all(|k| k.only_if != rule.only_if) {
                kept.push(rule);
            }
        }
        Policy { rules: kept }
    }

    /// The rules of each call that is named, by call number.
    pub fn rules(&self) -> impl Iterator<Item = (u32, &[Rule])> {
        let calls = self.rules.chunk_by(|one, next| one.call == next.call);
        calls.filter_map(|rules| Some((rules.first()?.call, rules)))
    }

    /// What is done about this very call, and why.
    pub fn decide(&self, call: u64, args: &[u64; 6]) -> (Action, &str) {
        let first = self
            .rules
            .partition_point(|rule| u64::from(rule.call) < call);
        let rules = self.rules.iter().skip(first);
        rules
            .take_while(|rule| u64::from(rule.call) == call)
            .find(|rule| rule.only_if.is_none_or(|c| c.holds(args)))
            .map_or((UNNAMED, "not in the policy"), |rule| {
                (rule.action, &rule.why)
            })
    }
}

impl Group {
    /// Its rule for each of its calls.
    fn rules(&self) -> impl Iterator<Item = Rule> {
        self.calls.iter().map(|call| Rule {
            call: *call,
            only_if: self.only_if,
            action: self.action,
            why: self.why.clone(),
        })
    }
}

/// What is done about a call that no rule fits.
pub const UNNAMED: Action = Action::Refuse(libc::ENOSYS);

/// A call as a message names it: its name, or its number where it has none.
pub fn call_name(number: u64) -> String {
    match usize::try_from(number).ok().and_then(Sysno::new) {
        Some(call) => call.name().to_owned(),
        None => format!("system call {number}"),
    }
}
