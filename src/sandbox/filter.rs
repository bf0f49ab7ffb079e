//! The policy compiled for the kernel: one seccomp filter.
//!
//! It checks the ABI, finds the call's number by bisection, tests the conditions of that call's
//! rules in their order, and answers: go on, fail with an errno, or stop for the tracer. Calls that
//! go on whatever their arguments cost next to nothing: the kernel finds them when the filter is
//! loaded, because no argument is looked at on their way, and skips the filter for them.

use libc::sock_filter;

use super::policy::{Action, Condition, Policy, Rule, UNNAMED, Watch};

/// `AUDIT_ARCH_X86_64` of linux/audit.h: the only ABI that is let through.
pub const NATIVE_ABI: u32 = 0xc000_003e;
/// The bit that marks an x32 call among x86-64 numbers (asm/unistd.h, `__X32_SYSCALL_BIT`).
pub const X32_BIT: u64 = 0x4000_0000;

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

/// The filter for a policy.
pub fn compile(policy: &Policy, stops: Stops) -> Vec<sock_filter> {
    let mut code = vec![
        load(ARCH),
        // Another ABI goes to the tracer, which ends the program and can say what it was. So does
        // x32, whose numbers no rule has.
        jump_if_equal(NATIVE_ABI, 1, 0),
        answer(SECCOMP_RET_TRACE),
        load(NUMBER),
    ];
    code.extend(bisect(&segments(policy, stops)));
    code
}

/// What a range of call numbers leads to.
#[derive(Clone, PartialEq)]
enum Leaf {
    /// The same answer whatever the arguments.
    Answer(u32),
    /// The answer of the first condition that holds, or the last one.
    Choice(Vec<(Condition, u32)>, u32),
}

/// The call numbers from 0 to the highest, cut where the answer changes: (first number, answer).
fn segments(policy: &Policy, stops: Stops) -> Vec<(u32, Leaf)> {
    let unnamed = || Leaf::Answer(answer_to(UNNAMED, stops));
    let mut segments = vec![(0, unnamed())];
    let mut put = |number: u32, leaf: Leaf| match segments.last_mut() {
        Some((first, last)) if *first == number => *last = leaf,
        Some((_, last)) if *last == leaf => {}
        _ => segments.push((number, leaf)),
    };
    for (call, rules) in policy.rules() {
        put(call, leaf(rules, stops));
        put(call + 1, unnamed());
    }
    segments
}

fn leaf(rules: &[Rule], stops: Stops) -> Leaf {
    let mut choice = Vec::new();
    let mut otherwise = answer_to(UNNAMED, stops);
    for rule in rules {
        let answer = answer_to(rule.action, stops);
        match rule.only_if {
            Some(condition) => choice.push((condition, answer)),
            None => otherwise = answer,
        }
    }
    // A condition that makes no difference is not worth a look.
    while choice
        .last()
        .is_some_and(|(_, answer)| *answer == otherwise)
    {
        choice.pop();
    }
    match choice.is_empty() {
        true => Leaf::Answer(otherwise),
        false => Leaf::Choice(choice, otherwise),
    }
}

/// What the kernel is told about an action.
fn answer_to(action: Action, stops: Stops) -> u32 {
    let goes_on = match action {
        Action::Allow => true,
        Action::Hide(errno) => return SECCOMP_RET_ERRNO | errno as u32,
        Action::Watch(Watch::Signal) => stops.signals == SignalsBoundBy::Namespace,
        Action::Watch(Watch::Memory) => !stops.memory,
        Action::Watch(Watch::Output) => !stops.output,
        Action::Watch(_) | Action::Refuse(_) | Action::Kill => false,
    };
    match goes_on {
        true => SECCOMP_RET_ALLOW,
        false => SECCOMP_RET_TRACE,
    }
}

/// Finds the segment of the loaded number.
fn bisect(segments: &[(u32, Leaf)]) -> Vec<sock_filter> {
    let (low, high) = segments.split_at(segments.len() / 2);
    let [(first, leaf), ..] = high else {
        return Vec::new();
    };
    if low.is_empty() {
        return arguments(leaf);
    }
    let (low, mut rest) = (bisect(low), bisect(high));
    // A conditional jump reaches 255 instructions, a plain one any.
    let mut code = match u8::try_from(low.len()) {
        Ok(beyond) => vec![jump_if_at_least(*first, beyond, 0)],
        Err(_) => vec![jump_if_at_least(*first, 0, 1), jump(low.len() as u32)],
    };
    code.extend(low);
    code.append(&mut rest);
    code
}

/// Tests the arguments, where they matter, and answers.
fn arguments(leaf: &Leaf) -> Vec<sock_filter> {
    let (choice, otherwise) = match leaf {
        Leaf::Answer(value) => return vec![answer(*value)],
        Leaf::Choice(choice, otherwise) => (choice, otherwise),
    };
    let mut code = Vec::new();
    for (condition, value) in choice {
        // Both halves of the argument, as far as the mask covers them; little-endian.
        let place = ARGUMENTS + 8 * u32::from(condition.argument);
        let halves = [
            (place, condition.mask as u32, condition.equals as u32),
            (
                place + 4,
                (condition.mask >> 32) as u32,
                (condition.equals >> 32) as u32,
            ),
        ];
        let mut test = vec![answer(*value)];
        for (place, mask, equals) in halves.into_iter().rev().filter(|(_, mask, _)| *mask != 0) {
            let beyond = test.len() as u8;
            let masked = (mask != u32::MAX).then(|| and(mask));
            test.splice(
                0..0,
                std::iter::once(load(place))
                    .chain(masked)
                    .chain([jump_if_equal(equals, 0, beyond)]),
            );
        }
        code.extend(test);
    }
    code.push(answer(*otherwise));
    code
}

// The instructions of linux/bpf_common.h and the answers of linux/seccomp.h that are needed.

const SECCOMP_RET_ERRNO: u32 = 0x0005_0000;
const SECCOMP_RET_TRACE: u32 = 0x7ff0_0000;
const SECCOMP_RET_ALLOW: u32 = 0x7fff_0000;

/// The places of `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
const AND: u16 = 0x54; // BPF_ALU | BPF_AND | BPF_K
const JUMP: u16 = 0x05; // BPF_JMP | BPF_JA
const JUMP_IF_EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const RETURN: u16 = 0x06; // BPF_RET | BPF_K

const fn instruction(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

const fn load(place: u32) -> sock_filter {
    instruction(LOAD, place, 0, 0)
}

const fn and(mask: u32) -> sock_filter {
    instruction(AND, mask, 0, 0)
}

const fn jump(beyond: u32) -> sock_filter {
    instruction(JUMP, beyond, 0, 0)
}

const fn jump_if_equal(value: u32, then: u8, otherwise: u8) -> sock_filter {
    instruction(JUMP_IF_EQUAL, value, then, otherwise)
}

const fn jump_if_at_least(value: u32, then: u8, otherwise: u8) -> sock_filter {
    instruction(JUMP_IF_AT_LEAST, value, then, otherwise)
}

const fn answer(value: u32) -> sock_filter {
    instruction(RETURN, value, 0, 0)
}

#[cfg(test)]
mod tests;
