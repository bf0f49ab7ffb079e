//! The system call policy as data: what a call leads to, and why.
//!
//! Each file below `policy/` is a *layer* ([`layer`]). A participant's policy is a stack of up to
//! three ([`files`]): `common.toml`, the file of its role, and that of its runtime profile. A later
//! layer's rule takes the place of an earlier one's for the same call under the same condition, and
//! is looked at before others with a condition. A call that no layer names fails with ENOSYS.
//!
//! [`filter`](super::filter) compiles a policy for the kernel; [`tracer`](super::tracer) asks it
//! again for the calls that stop.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use syscalls::Sysno;

use crate::evidence::Role;
use crate::spec::profile::Profile;

mod files;
mod layer;
#[cfg(test)]
mod tests;

/// What is done about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The kernel lets it go on; the tracer never hears of it.
    Allow,
    /// The kernel answers with this errno; the tracer never hears of it.
    Hide(i32),
    /// It fails with this errno and is counted.
    Refuse(i32),
    /// It ends the program.
    Kill,
    /// The tracer looks at it and decides.
    Watch(Watch),
}

/// Why the tracer looks at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watch {
    /// It makes a process or thread.
    Task,
    /// It sends a signal.
    Signal,
    /// It sends SIGKILL.
    Sigkill,
    /// It takes address space. It only stops where that is limited.
    Memory,
    /// It writes. It only stops where a capture reads what is written.
    Output,
    /// It sets a timer.
    Timer,
    /// It makes a pair of sockets.
    Pair,
    /// It opens a file for writing.
    OpenForWriting,
    /// It reads or sets the resource limits of a process that it names.
    OwnLimit,
}

/// A condition on one argument: `args[argument] & mask == equals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub argument: u8,
    pub mask: u64,
    pub equals: u64,
}

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
    pub only_if: Option<Condition>,
    pub action: Action,
    /// Why, as the policy file says it.
    pub why: Arc<str>,
}

/// The rules for every call that is named. Of a call's rules the first that fits counts; the one
/// without a condition, if there is one, is the last.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    rules: BTreeMap<u32, Vec<Rule>>,
}

impl Policy {
    /// The policy for a participant. Each is put together once for each process.
    pub fn of(role: Role, profile: Profile) -> &'static Policy {
        const PROFILES: usize = Profile::ALL.len();
        static COMMON: OnceLock<Policy> = OnceLock::new();
        static POLICIES: [[OnceLock<Policy>; PROFILES]; 2] =
            [const { [const { OnceLock::new() }; PROFILES] }; 2];
        POLICIES[role as usize][profile as usize].get_or_init(|| {
            let mut policy = COMMON.get_or_init(|| built_in(files::COMMON)).clone();
            policy.lay_over(built_in(files::of_role(role)));
            if let Some(file) = files::of_profile(profile) {
                policy.lay_over(built_in(file));
            }
            policy
        })
    }

    /// Puts a later layer over this one.
    fn lay_over(&mut self, later: Policy) {
        for (call, mut rules) in later.rules {
            let earlier = self.rules.entry(call).or_default();
            earlier.retain(|old| rules.iter().all(|new| new.only_if != old.only_if));
            rules.append(earlier);
            rules.sort_by_key(|rule| rule.only_if.is_none());
            *earlier = rules;
        }
    }

    /// All rules, by call number.
    pub fn rules(&self) -> impl Iterator<Item = (u32, &[Rule])> {
        self.rules
            .iter()
            .map(|(call, rules)| (*call, rules.as_slice()))
    }

    /// What is done about this very call, and why.
    pub fn decide(&self, call: u64, args: &[u64; 6]) -> (Action, &str) {
        u32::try_from(call)
            .ok()
            .and_then(|call| self.rules.get(&call))
            .and_then(|rules| {
                rules
                    .iter()
                    .find(|r| r.only_if.is_none_or(|c| c.holds(args)))
            })
            .map_or((UNNAMED, "not in the policy"), |rule| {
                (rule.action, &rule.why)
            })
    }
}

/// What is done about a call that no rule fits.
pub const UNNAMED: Action = Action::Refuse(libc::ENOSYS);

fn built_in(file: files::File) -> Policy {
    match layer::parse(file.text) {
        Ok(policy) => policy,
        // The files are part of the program and a unit test parses each.
        Err(e) => panic!("{} is wrong: {e}", file.name),
    }
}

/// A call as a message names it: its name, or its number where it has none.
pub fn call_name(number: u64) -> String {
    match usize::try_from(number).ok().and_then(Sysno::new) {
        Some(call) => call.name().to_owned(),
        None => format!("system call {number}"),
    }
}
