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
    let mut code = Code::default();
    let native = code.decision(&segments(policy, stops));
    let native = code.after(load(NUMBER), native);
    // Another ABI goes to the tracer, which ends the program and can say what it was. So does x32,
    // whose numbers no rule has.
    let other = code.leaf(&Leaf::Answer(SECCOMP_RET_TRACE));
    let first = code.test(JUMP_IF_EQUAL, NATIVE_ABI, native, other);
    code.after(load(ARCH), first);
    code.backwards.reverse();
    code.backwards
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

/// A place in the code: how many instructions there are from it to the end.
type Place = usize;

/// The code while it is written, from its end to its beginning: a jump only goes forward, so what it
/// leads to is there already. What leads to the same is written once.
#[derive(Default)]
struct Code {
    /// The last instruction first.
    backwards: Vec<sock_filter>,
    /// What has been written, and where.
    leaves: Vec<(Leaf, Place)>,
}

impl Code {
    /// So many tests for single numbers may follow each other.
    const MOST_IN_A_ROW: usize = 4;
    /// How far a conditional jump may be planned to reach. It reaches 255 instructions; before it
    /// is written there may be one more.
    const REACH: usize = 254;

    /// Writes an instruction before everything else.
    fn put(&mut self, instruction: sock_filter) -> Place {
        self.backwards.push(instruction);
        self.backwards.len()
    }

    /// Writes an instruction that is followed by what is at `next`.
    fn after(&mut self, instruction: sock_filter, next: Place) -> Place {
        match self.distance(next) {
            0 => {}
            distance => drop(self.put(jump(distance as u32))),
        }
        self.put(instruction)
    }

    /// How many instructions the next one would have to jump over.
    fn distance(&self, place: Place) -> usize {
        self.backwards.len() - place
    }

    /// A place within reach from which it goes on at `place`.
    fn near(&mut self, place: Place) -> Place {
        match self.distance(place) {
            0..=Self::REACH => place,
            distance => self.put(jump(distance as u32)),
        }
    }

    /// Compares what is loaded with `value`.
    fn test(&mut self, how: u16, value: u32, yes: Place, no: Place) -> Place {
        let (yes, no) = (self.near(yes), self.near(no));
        let (yes, no) = (self.distance(yes) as u8, self.distance(no) as u8);
        self.put(instruction(how, value, yes, no))
    }

    /// Finds the segment of the loaded number.
    fn decision(&mut self, segments: &[(u32, Leaf)]) -> Place {
        if let Some(place) = self.exceptions(segments) {
            return place;
        }
        let (low, high) = segments.split_at(segments.len() / 2);
        let first = high.first().map_or(0, |(first, _)| *first);
        let (high, low) = (self.decision(high), self.decision(low));
        self.test(JUMP_IF_AT_LEAST, first, high, low)
    }

    /// The same as [`decision`](Self::decision) where all leads to the same but for a few single
    /// numbers: one test for each is less than the two that would cut it out.
    fn exceptions(&mut self, segments: &[(u32, Leaf)]) -> Option<Place> {
        let (_, common) = segments.first()?;
        let different: Vec<usize> = (0..segments.len())
            .filter(|at| segments[*at].1 != *common)
            .collect();
        let is_single = |at: &usize| {
            let next = segments.get(at + 1);
            next.is_some_and(|(next, _)| *next == segments[*at].0 + 1)
        };
        if different.len() > Self::MOST_IN_A_ROW || !different.iter().all(is_single) {
            return None;
        }
        let mut place = self.leaf(common);
        for at in different {
            let (number, leaf) = &segments[at];
            let found = self.leaf(leaf);
            place = self.test(JUMP_IF_EQUAL, *number, found, place);
        }
        Some(place)
    }

    /// Tests the arguments, where they matter, and answers.
    fn leaf(&mut self, leaf: &Leaf) -> Place {
        let written = self.leaves.iter().rev().find(|(other, _)| other == leaf);
        if let Some((_, place)) = written
            && self.distance(*place) <= Self::REACH
        {
            return *place;
        }
        let place = match leaf {
            Leaf::Answer(value) => self.put(answer(*value)),
            Leaf::Choice(choice, otherwise) => self.choice(choice, *otherwise),
        };
        self.leaves.push((leaf.clone(), place));
        place
    }

    /// Tests the conditions in their order.
    fn choice(&mut self, choice: &[(Condition, u32)], otherwise: u32) -> Place {
        let mut unmet = self.leaf(&Leaf::Answer(otherwise));
        // What is loaded stays loaded when a test fails: conditions on the same bits share that.
        let share = |(one, _): &(Condition, u32), (other, _): &(Condition, u32)| {
            (one.argument, one.mask) == (other.argument, other.mask) && halves(one).count() == 1
        };
        let runs: Vec<_> = choice.chunk_by(share).collect();
        for run in runs.into_iter().rev() {
            for (index, (condition, value)) in run.iter().enumerate().rev() {
                let mut met = self.leaf(&Leaf::Answer(*value));
                for (place, mask, equals) in halves(condition) {
                    met = self.test(JUMP_IF_EQUAL, equals, met, unmet);
                    if index == 0 {
                        if mask != u32::MAX {
                            met = self.after(and(mask), met);
                        }
                        met = self.after(load(place), met);
                    }
                }
                unmet = met;
            }
        }
        unmet
    }
}

/// The halves of an argument that a condition looks at: place, mask, value; little-endian.
fn halves(condition: &Condition) -> impl Iterator<Item = (u32, u32, u32)> + use<> {
    let place = ARGUMENTS + 8 * u32::from(condition.argument);
    let (mask, equals) = (condition.mask, condition.equals);
    let low = (place, mask as u32, equals as u32);
    let high = (place + 4, (mask >> 32) as u32, (equals >> 32) as u32);
    [low, high].into_iter().filter(|(_, mask, _)| *mask != 0)
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

const fn answer(value: u32) -> sock_filter {
    instruction(RETURN, value, 0, 0)
}

#[cfg(test)]
mod tests;
