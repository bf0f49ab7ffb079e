//! The system call policy as data: `policy/calls.toml`, read into a table.
//!
//! [`filter`](super::filter) compiles the table for the kernel; [`tracer`](super::tracer) asks it
//! again for the calls that stop. A call that the table does not name is refused with ENOSYS.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use nix::errno::Errno;
use serde::Deserialize;
use syscalls::Sysno;

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

/// One rule for a call.
#[derive(Debug, Clone)]
pub struct Rule {
    pub only_if: Option<Condition>,
    pub action: Action,
    /// Why, as the policy file says it.
    pub why: String,
}

/// The rules for every call that the policy names, those with a condition first.
#[derive(Debug)]
pub struct Policy {
    rules: BTreeMap<u32, Vec<Rule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    allow: Vec<Group>,
    hide: Vec<Group>,
    refuse: Vec<Group>,
    kill: Vec<Group>,
    watch: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    why: String,
    calls: Vec<String>,
    #[serde(rename = "if")]
    only_if: Option<Condition>,
    errno: Option<String>,
    #[serde(rename = "for")]
    watch: Option<Watch>,
}

impl Policy {
    /// The policy that is built in. It is read once for each process.
    pub fn built_in() -> &'static Policy {
        static POLICY: OnceLock<Policy> = OnceLock::new();
        POLICY.get_or_init(|| match Policy::parse(include_str!("policy/calls.toml")) {
            Ok(policy) => policy,
            // The file is part of the program and a unit test parses it.
            Err(e) => panic!("the built-in policy is wrong: {e}"),
        })
    }

    fn parse(text: &str) -> Result<Policy, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        let mut policy = Policy {
            rules: BTreeMap::new(),
        };
        policy.add(file.allow, |_| Ok(Action::Allow))?;
        policy.add(file.hide, |g| Ok(Action::Hide(errno(g)?)))?;
        policy.add(file.refuse, |g| Ok(Action::Refuse(errno(g)?)))?;
        policy.add(file.kill, |_| Ok(Action::Kill))?;
        policy.add(file.watch, |g| {
            g.watch
                .map(Action::Watch)
                .ok_or_else(|| format!("no `for` in {:?}", g.calls))
        })?;
        for rules in policy.rules.values_mut() {
            rules.sort_by_key(|rule| rule.only_if.is_none());
        }
        Ok(policy)
    }

    fn add(
        &mut self,
        groups: Vec<Group>,
        action: impl Fn(&Group) -> Result<Action, String>,
    ) -> Result<(), String> {
        for group in groups {
            let action = action(&group)?;
            for name in &group.calls {
                // A call that this architecture's table does not have cannot be made either.
                let Ok(call) = name.parse::<Sysno>() else {
                    return Err(format!("there is no system call `{name}`"));
                };
                let rules = self.rules.entry(call.id() as u32).or_default();
                if rules.iter().any(|r| r.only_if == group.only_if) {
                    return Err(format!("two groups name `{name}`"));
                }
                let why = group.why.clone();
                rules.push(Rule {
                    only_if: group.only_if,
                    action,
                    why,
                });
            }
        }
        Ok(())
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
            .map_or(
                (Action::Refuse(libc::ENOSYS), "not in the policy"),
                |rule| (rule.action, rule.why.as_str()),
            )
    }
}

fn errno(group: &Group) -> Result<i32, String> {
    match group.errno.as_deref() {
        Some("ENOSYS") => Ok(Errno::ENOSYS as i32),
        Some("EPERM") => Ok(Errno::EPERM as i32),
        Some("EACCES") => Ok(Errno::EACCES as i32),
        Some("EINVAL") => Ok(Errno::EINVAL as i32),
        other => Err(format!(
            "errno {other:?} for {:?} is not known here",
            group.calls
        )),
    }
}

/// A call as a message names it: its name, or its number where it has none.
pub fn call_name(number: u64) -> String {
    match usize::try_from(number).ok().and_then(Sysno::new) {
        Some(call) => call.name().to_owned(),
        None => format!("system call {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(name: &str, args: [u64; 6]) -> Action {
        let call = name.parse::<Sysno>().expect("a call's name");
        Policy::built_in().decide(call.id() as u64, &args).0
    }

    #[test]
    fn the_built_in_policy_is_well_formed() {
        Policy::parse(include_str!("policy/calls.toml")).expect("policy");
    }

    #[test]
    fn conditions_come_before_the_general_rule() {
        assert_eq!(
            decide("openat", [0, 0, libc::O_CLOEXEC as u64, 0, 0, 0]),
            Action::Allow
        );
        let writing = [0, 0, libc::O_RDWR as u64, 0, 0, 0];
        assert_eq!(
            decide("openat", writing),
            Action::Watch(Watch::OpenForWriting)
        );
        assert_eq!(decide("ptrace", [0; 6]), Action::Refuse(libc::EPERM));
        assert_eq!(decide("ptrace", [16, 1, 0, 0, 0, 0]), Action::Kill);
        assert_eq!(
            decide("prctl", [4, 0, 0, 0, 0, 0]),
            Action::Refuse(libc::EPERM)
        );
        assert_eq!(decide("prctl", [15, 0, 0, 0, 0, 0]), Action::Allow);
        let set_flags = [0, 0x4008_6602, 0, 0, 0, 0];
        assert_eq!(decide("ioctl", set_flags), Action::Refuse(libc::EPERM));
        assert_eq!(decide("ioctl", [0, 0x5401, 0, 0, 0, 0]), Action::Allow);
    }

    #[test]
    fn unknown_calls_are_refused_as_by_a_kernel_without_them() {
        assert_eq!(
            Policy::built_in().decide(9999, &[0; 6]).0,
            Action::Refuse(libc::ENOSYS)
        );
        assert_eq!(
            Policy::built_in().decide(u64::MAX, &[0; 6]).0,
            Action::Refuse(libc::ENOSYS)
        );
        assert_eq!(call_name(9999), "system call 9999");
        assert_eq!(call_name(165), "mount");
    }

    #[test]
    fn a_call_in_two_groups_is_an_error() {
        let text = "[[allow]]\nwhy=''\ncalls=['read','read']\nhide=[]\n";
        assert!(Policy::parse(text).is_err());
    }
}
