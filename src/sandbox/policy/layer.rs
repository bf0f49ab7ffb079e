//! One file of the policy: groups of calls with what is done about them and why.
//!
//! The format is explained at the beginning of `common.toml`. The build script reads the files with
//! this, so that a mistake in one is found when the program is built, and a start has nothing to
//! read.

use serde::Deserialize;
use syscalls::x86_64::Sysno;

use super::rule::{Action, Condition, Group, Watch};

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    allow: Vec<WrittenGroup>,
    #[serde(default)]
    hide: Vec<WrittenGroup>,
    #[serde(default)]
    refuse: Vec<WrittenGroup>,
    #[serde(default)]
    kill: Vec<WrittenGroup>,
    #[serde(default)]
    watch: Vec<WrittenGroup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGroup {
    why: String,
    calls: Vec<String>,
    #[serde(rename = "if")]
    only_if: Option<Condition>,
    errno: Option<String>,
    #[serde(rename = "for")]
    watch: Option<Watch>,
}

/// The errnos that a group may name, as asm-generic/errno.h numbers them.
const ERRNOS: [(&str, i32); 6] = [
    ("EPERM", 1),
    ("EACCES", 13),
    ("EINVAL", 22),
    ("EROFS", 30),
    ("ENOSYS", 38),
    ("EOPNOTSUPP", 95),
];

/// Reads a file. The error says what is wrong in it.
pub(crate) fn parse(text: &str) -> Result<Vec<Group>, String> {
    let written: Written = toml::from_str(text).map_err(|e| e.to_string())?;
    let mut groups = Vec::new();
    let plain = |action| move |group: &WrittenGroup| group.plain(action);
    add(&mut groups, written.allow, plain(Action::Allow))?;
    add(&mut groups, written.hide, |g| g.errno().map(Action::Hide))?;
    add(&mut groups, written.refuse, |g| {
        g.errno().map(Action::Refuse)
    })?;
    add(&mut groups, written.kill, plain(Action::Kill))?;
    add(&mut groups, written.watch, |g| g.watch().map(Action::Watch))?;
    Ok(groups)
}

fn add(
    groups: &mut Vec<Group>,
    written: Vec<WrittenGroup>,
    action: impl Fn(&WrittenGroup) -> Result<Action, String>,
) -> Result<(), String> {
    for group in written {
        let action = action(&group)?;
        group.check()?;
        let mut calls = Vec::new();
        for name in &group.calls {
            let Ok(call) = name.parse::<Sysno>() else {
                return Err(format!("there is no system call `{name}`"));
            };
            let call = call.id() as u32;
            let also_fits = |other: &Group| {
                other.calls.contains(&call) && both_may_fit(other.only_if, group.only_if)
            };
            if calls.contains(&call) || groups.iter().any(also_fits) {
                return Err(format!("two groups name `{name}`, and both may fit"));
            }
            calls.push(call);
        }
        groups.push(Group {
            why: group.why.into(),
            calls: calls.into(),
            only_if: group.only_if,
            action,
        });
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

impl WrittenGroup {
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
        let named = |(name, _): &&(&str, i32)| self.errno.as_deref() == Some(name);
        match (ERRNOS.iter().find(named), self.watch) {
            (Some((_, errno)), None) => Ok(*errno),
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
