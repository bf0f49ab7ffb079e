//! The policy compiled for the kernel: two seccomp filters, loaded one after the other.
//!
//! The first answers hidden calls; the second checks the ABI, lets through what is allowed and
//! sends everything else to the tracer. The kernel takes the stricter answer, and an errno is stricter
//! than the tracer. Calls that are allowed whatever their arguments cost next to nothing: the
//! kernel finds that out when the filter is loaded and skips the filter for them.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::policy::{Action, Condition, Policy, Rule, Watch};

/// `AUDIT_ARCH_X86_64` of linux/audit.h: the only ABI that is let through.
pub const NATIVE_ABI: u32 = 0xc000_003e;
/// The bit that marks an x32 call among x86-64 numbers (asm/unistd.h, `__X32_SYSCALL_BIT`).
pub const X32_BIT: u64 = 0x4000_0000;

const SECCOMP_RET_TRACE: u32 = 0x7ff0_0000;
const SECCOMP_RET_ALLOW: u32 = 0x7fff_0000;

/// What decides whether the filter sends signals to the tracer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalsBoundBy {
    /// A pid namespace: nothing outside can be named, so signals need not stop.
    Namespace,
    /// The tracer, which looks at each.
    Tracer,
}

/// Which of the watched calls stop in a sandbox; the others go on as if they were allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stops {
    /// What bounds signals.
    pub signals: SignalsBoundBy,
    /// Calls that take address space.
    pub memory: bool,
    /// Calls that write.
    pub output: bool,
}

/// The filters, in the order in which they are loaded.
pub fn compile(
    policy: &Policy,
    stops: Stops,
) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let mut allowed = BTreeMap::new();
    let mut hidden: BTreeMap<i32, BTreeMap<i64, Vec<SeccompRule>>> = BTreeMap::new();
    for (call, rules) in policy.rules() {
        if let Some(conditions) = free(rules, stops)? {
            allowed.insert(i64::from(call), conditions);
        }
        for rule in rules {
            if let Action::Hide(errno) = rule.action {
                hidden
                    .entry(errno)
                    .or_default()
                    .insert(i64::from(call), vec![]);
            }
        }
    }
    let arch = TargetArch::x86_64;
    let (allow, trace) = (SeccompAction::Allow, SeccompAction::Trace(0));
    let main: BpfProgram = SeccompFilter::new(allowed, trace, allow.clone(), arch)?.try_into()?;
    let mut first = foreign_abis(SECCOMP_RET_TRACE);
    first.extend(main);
    let mut filters = Vec::new();
    for (errno, calls) in hidden {
        let answer = SeccompAction::Errno(errno as u32);
        let hide: BpfProgram =
            SeccompFilter::new(calls, allow.clone(), answer, arch)?.try_into()?;
        // What comes through another ABI is the main filter's business.
        filters.push([foreign_abis(SECCOMP_RET_ALLOW), hide].concat());
    }
    // Last, because under it no further filter can be loaded without a stop.
    filters.push(first);
    Ok(filters)
}

/// The conditions under which a call goes on without a stop: none at all, or any of a list; `None`
/// if it always stops.
fn free(
    rules: &[Rule],
    stops: Stops,
) -> Result<Option<Vec<SeccompRule>>, seccompiler::BackendError> {
    let is_free = |rule: &&Rule| match rule.action {
        Action::Allow => true,
        Action::Watch(Watch::Signal) => stops.signals == SignalsBoundBy::Namespace,
        Action::Watch(Watch::Memory) => !stops.memory,
        Action::Watch(Watch::Output) => !stops.output,
        _ => false,
    };
    let (special, general): (Vec<_>, Vec<_>) = rules.iter().partition(|r| r.only_if.is_some());
    let special = |free: bool| {
        special
            .iter()
            .filter(move |r| is_free(r) == free)
            .filter_map(|rule| rule.only_if)
    };
    if general.first().is_some_and(is_free) {
        let except = special(false).map(unequal).collect::<Result<Vec<_>, _>>()?;
        return Ok(Some(if except.is_empty() {
            vec![]
        } else {
            vec![SeccompRule::new(except)?]
        }));
    }
    let only = special(true).map(equal).collect::<Result<Vec<_>, _>>()?;
    Ok((!only.is_empty()).then_some(only))
}

/// Holds where `c` does not; such conditions compare a whole 32-bit argument.
fn unequal(c: Condition) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(
        c.argument,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::Ne,
        c.equals,
    )
}

fn equal(c: Condition) -> Result<SeccompRule, seccompiler::BackendError> {
    let compare = SeccompCmpOp::MaskedEq(c.mask);
    let condition = SeccompCondition::new(c.argument, SeccompCmpArgLen::Qword, compare, c.equals)?;
    SeccompRule::new(vec![condition])
}

/// Instructions that come before everything else and give an answer for another architecture's
/// calls (`int 0x80`) and for x32 calls. In the end they go to the tracer, which ends the program
/// and can say what it was.
fn foreign_abis(answer: u32) -> BpfProgram {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    const NUMBER: u32 = 0; // offsetof(struct seccomp_data, nr)
    const ARCH: u32 = 4; // offsetof(struct seccomp_data, arch)
    let at = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        at(LOAD, 0, 0, ARCH),
        at(EQUAL, 1, 0, NATIVE_ABI),
        at(RETURN, 0, 0, answer),
        at(LOAD, 0, 0, NUMBER),
        at(AT_LEAST, 0, 1, X32_BIT as u32),
        at(RETURN, 0, 0, answer),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_policy_compiles_and_fits_the_kernel() {
        for (signals, memory, output) in [
            (SignalsBoundBy::Namespace, false, false),
            (SignalsBoundBy::Tracer, true, true),
        ] {
            let stops = Stops {
                signals,
                memory,
                output,
            };
            let filters = compile(Policy::built_in(), stops).expect("filters");
            assert_eq!(filters.len(), 2);
            for filter in &filters {
                assert!(filter.len() < 4096, "{} instructions", filter.len());
            }
        }
    }
}
