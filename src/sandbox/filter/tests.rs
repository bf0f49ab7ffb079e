//! The filter answers what the policy decides: both are asked about every call, with arguments that
//! every condition makes a difference for.

use super::*;
use crate::evidence::Role;
use crate::spec::profile::Profile;

const STOPS: [Stops; 3] = [
    Stops {
        signals: SignalsBoundBy::Namespace,
        memory: false,
        output: false,
    },
    Stops {
        signals: SignalsBoundBy::Tracer,
        memory: true,
        output: false,
    },
    Stops {
        signals: SignalsBoundBy::Namespace,
        memory: false,
        output: true,
    },
];

fn policies() -> impl Iterator<Item = &'static Policy> {
    let roles = [Role::Contestant, Role::Interactor];
    roles.into_iter().flat_map(|role| {
        let of = move |profile: &Profile| Policy::of(role, *profile);
        Profile::ALL.iter().map(of)
    })
}

/// Executes a filter as the kernel does. The answer, and whether it looked at an argument.
fn execute(filter: &[sock_filter], arch: u32, number: u32, args: &[u64; 6]) -> (u32, bool) {
    let (mut at, mut value, mut looked) = (0, 0_u32, false);
    loop {
        let sock_filter { code, jt, jf, k } = filter[at];
        at += 1;
        match code {
            LOAD => {
                looked |= k >= ARGUMENTS;
                value = match k {
                    NUMBER => number,
                    ARCH => arch,
                    place => {
                        let place = (place - ARGUMENTS) as usize;
                        let whole = args[place / 8];
                        (if place.is_multiple_of(8) {
                            whole
                        } else {
                            whole >> 32
                        }) as u32
                    }
                }
            }
            AND => value &= k,
            JUMP => at += k as usize,
            JUMP_IF_EQUAL => at += usize::from(if value == k { jt } else { jf }),
            JUMP_IF_AT_LEAST => at += usize::from(if value >= k { jt } else { jf }),
            RETURN => return (k, looked),
            _ => panic!("{code:#x} is no instruction that the compiler makes"),
        }
    }
}

/// What the kernel must be told, from what the policy decides.
fn wanted(policy: &Policy, stops: Stops, number: u32, args: &[u64; 6]) -> u32 {
    match policy.decide(u64::from(number), args).0 {
        Action::Allow => 0x7fff_0000,
        Action::Hide(errno) => 0x0005_0000 + errno as u32,
        Action::Watch(Watch::Signal) if stops.signals == SignalsBoundBy::Namespace => 0x7fff_0000,
        Action::Watch(Watch::Memory) if !stops.memory => 0x7fff_0000,
        Action::Watch(Watch::Output) if !stops.output => 0x7fff_0000,
        _ => 0x7ff0_0000,
    }
}

/// Arguments for which each condition holds, holds but for one bit, and holds with other bits set.
fn samples(rules: &[Rule]) -> Vec<[u64; 6]> {
    let mut samples = vec![[0; 6], [u64::MAX; 6], [1, 2, 3, 4, 5, 6]];
    for condition in rules.iter().filter_map(|rule| rule.only_if) {
        let Condition {
            argument,
            mask,
            equals,
        } = condition;
        let mut values = vec![equals, equals | !mask, equals | 1 << 40];
        values.extend((0..64).map(|bit| equals ^ 1 << bit));
        for others in [0, u64::MAX] {
            samples.extend(values.iter().map(|value| {
                let mut args = [others; 6];
                args[usize::from(argument)] = *value;
                args
            }));
        }
    }
    samples
}

#[test]
fn the_filter_answers_what_the_policy_decides() {
    for policy in policies() {
        for stops in STOPS {
            let filter = compile(policy, stops);
            let numbers = (0..1000).chain([0x3fff_ffff, 0x4000_0027, 1 << 31, u32::MAX]);
            for number in numbers {
                let rules = policy.rules().find(|(call, _)| *call == number);
                for args in samples(rules.map_or(&[], |(_, rules)| rules)) {
                    assert_eq!(
                        execute(&filter, NATIVE_ABI, number, &args).0,
                        wanted(policy, stops, number, &args),
                        "call {number}, arguments {args:x?}, {stops:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn another_abi_goes_to_the_tracer_whatever_the_call() {
    const I386: u32 = 0x4000_0003;
    let filter = compile(Policy::of(Role::Contestant, Profile::Native), STOPS[0]);
    for number in (0..500).chain([u32::MAX]) {
        assert_eq!(execute(&filter, I386, number, &[0; 6]).0, SECCOMP_RET_TRACE);
    }
}

/// Otherwise each read and write would run through the filter.
#[test]
fn what_goes_on_whatever_its_arguments_is_found_without_a_look_at_them() {
    for policy in policies() {
        let filter = compile(policy, STOPS[0]);
        for (call, rules) in policy.rules() {
            if let [only] = rules
                && only.action == Action::Allow
            {
                let found = execute(&filter, NATIVE_ABI, call, &[0; 6]);
                assert_eq!(found, (SECCOMP_RET_ALLOW, false), "call {call}");
            }
        }
    }
}

#[test]
fn every_filter_fits_the_kernel() {
    const MOST: usize = 4096; // BPF_MAXINSNS of linux/bpf_common.h
    for policy in policies() {
        for stops in STOPS {
            let length = compile(policy, stops).len();
            assert!(length < MOST, "{length} instructions");
        }
    }
}

#[test]
fn masks_of_both_halves_of_an_argument_are_tested() {
    let rule = |mask, equals| Rule {
        call: 0,
        only_if: Some(Condition {
            argument: 5,
            mask,
            equals,
        }),
        action: Action::Hide(1),
        why: "".into(),
    };
    for rule in [
        rule(u64::MAX, 0x1_0000_0002),
        rule(0xff << 32, 7 << 32),
        rule(0xff, 7),
        rule(0, 0),
    ] {
        let mut code = Code::default();
        code.leaf(&leaf(std::slice::from_ref(&rule), STOPS[0]));
        let code: Vec<_> = code.backwards.into_iter().rev().collect();
        for args in samples(std::slice::from_ref(&rule)) {
            let holds = rule.only_if.is_some_and(|c| c.holds(&args));
            let wanted = if holds {
                SECCOMP_RET_ERRNO + 1
            } else {
                SECCOMP_RET_TRACE
            };
            assert_eq!(execute(&code, NATIVE_ABI, 0, &args).0, wanted, "{args:x?}");
        }
    }
}

/// No policy is so long today that a jump would not reach.
#[test]
fn code_that_is_longer_than_a_jump_reaches_finds_every_number() {
    let leaf = |number: u32| match number % 3 {
        0 => Leaf::Answer(number / 7),
        1 => Leaf::Answer(1),
        _ => {
            let condition = |equals| Condition {
                argument: 1,
                mask: 0xff,
                equals,
            };
            let choice = (0..5).map(|equals| (condition(equals), 1000 + number + equals as u32));
            Leaf::Choice(choice.collect(), number)
        }
    };
    let segments: Vec<(u32, Leaf)> = (0..600).map(|number| (number, leaf(number))).collect();
    let mut code = Code::default();
    let found = code.decision(&segments);
    code.after(load(NUMBER), found);
    code.backwards.reverse();
    for number in 0..600 {
        for argument in 0..6 {
            let args = [0, argument, 0, 0, 0, 0];
            let wanted = match leaf(number) {
                Leaf::Answer(value) => value,
                Leaf::Choice(choice, otherwise) => {
                    let met = choice.iter().find(|(condition, _)| condition.holds(&args));
                    met.map_or(otherwise, |(_, value)| *value)
                }
            };
            let answer = execute(&code.backwards, NATIVE_ABI, number, &args).0;
            assert_eq!(answer, wanted, "call {number}, argument {argument}");
        }
    }
}
