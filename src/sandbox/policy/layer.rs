//! One file of the policy: groups of calls with what is done about them and why.
//!
//! The format is explained at the beginning of `common.toml`.

use std::sync::Arc;

use nix::errno::Errno;
use serde::Deserialize;
use syscalls::Sysno;

use super::{Action, Condition, Policy, Rule, Watch};

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    allow: Vec<Group>,
    #[serde(default)]
    hide: Vec<Group>,
    #[serde(default)]
    refuse: Vec<Group>,
    #[serde(default)]
    kill: Vec<Group>,
    #[serde(default)]
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

/// The errnos that a group may name.
const ERRNOS: [Errno; 6] = [
    Errno::ENOSYS,
    Errno::EPERM,
    Errno::EACCES,
    Errno::EOPNOTSUPP,
    Errno::EINVAL,
    Errno::EROFS,
];

/// Reads a file. The error says what is wrong in it.
pub(super) fn parse(text: &str) -> Result<Policy, String> {
    let written: Written = toml::from_str(text).map_err(|e| e.to_string())?;
    let mut policy = Policy::default();
    let plain = |action| move |group: &Group| group.plain(action);
    add(&mut policy, written.allow, plain(Action::Allow))?;
    add(&mut policy, written.hide, |g| g.errno().map(Action::Hide))?;
    add(&mut policy, written.refuse, |g| {
        g.errno().map(Action::Refuse)
    })?;
    add(&mut policy, written.kill, plain(Action::Kill))?;
    add(&mut policy, written.watch, |g| g.watch().map(Action::Watch))?;
    for rules in policy.rules.values_mut() {
        rules.sort_by_key(|rule| rule.only_if.is_none());
    }
    Ok(policy)
}

fn add(
    policy: &mut Policy,
    groups: Vec<Group>,
    action: impl Fn(&Group) -> Result<Action, String>,
) -> Result<(), String> {
    for group in groups {
        let action = action(&group)?;
        group.check()?;
        let why: Arc<str> = group.why.into();
        for name in &group.calls {
            let Ok(call) = name.parse::<Sysno>() else {
                return Err(format!("there is no system call `{name}`"));
            };
            let rules = policy.rules.entry(call.id() as u32).or_default();
            if rules.iter().any(|r| both_may_fit(r.only_if, group.only_if)) {
                return Err(format!("two groups name `{name}`, and both may fit"));
            }
            rules.push(Rule {
                only_if: group.only_if,
                action,
                why: Arc::clone(&why),
            });
        }
    }
    Ok(())
}

/// True if it is not plain that only one of two conditions of one file can hold. None at all is
/// for the rest, so it is in nobody's way.
fn both_may_fit(one: Option<Condition>, other: Option<Condition>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => {
            let same_bits = (one.argument, one.mask) == (other.argument, other.mask);
            !same_bits || one.equals == other.equals
        }
        _ => false,
    }
}

impl Group {
    fn check(&self) -> Result<(), String> {
        let calls = &self.calls;
        if self.why.trim().is_empty() {
            return Err(format!("there is no reason for {calls:?}"));
        }
        if calls.is_empty() {
            return Err(format!("the group {:?} names no call", self.why));
        }
        match self.only_if {
            Some(c) if c.argument > 5 => Err(format!("{calls:?}: a call has arguments 0 to 5")),
            Some(c) if c.equals & !c.mask != 0 => {
                Err(format!("{calls:?}: what is masked never equals that"))
            }
            _ => Ok(()),
        }
    }

    fn plain(&self, action: Action) -> Result<Action, String> {
        match (&self.errno, self.watch) {
            (None, None) => Ok(action),
            _ => Err(format!(
                "no `errno` and no `for` belong to {:?}",
                self.calls
            )),
        }
    }

    fn errno(&self) -> Result<i32, String> {
        let named = |errno: &&Errno| self.errno.as_deref() == Some(&format!("{errno:?}"));
        match (ERRNOS.iter().find(named), self.watch) {
            (Some(errno), None) => Ok(*errno as i32),
            (None, _) => Err(format!("no known `errno` in {:?}", self.calls)),
            (_, Some(_)) => Err(format!("no `for` belongs to {:?}", self.calls)),
        }
    }

    fn watch(&self) -> Result<Watch, String> {
        match (&self.errno, self.watch) {
            (None, Some(watch)) => Ok(watch),
            _ => Err(format!("a `for` and no `errno` belong to {:?}", self.calls)),
        }
    }
}
