//! The results that the formats know, as verdicts, and what the folders of submissions expect.

use super::metadata::Version;
use crate::spec::expectation::Rule;
use crate::verdict::Verdict;

/// A result as the formats have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Accepted,
    WrongAnswer,
    TimeLimit,
    RuntimeError,
    MemoryLimit,
    OutputLimit,
}

/// All results, which is what is permitted where nothing is said.
pub(super) const ANY: [Class; 4] = [
    Class::Accepted,
    Class::WrongAnswer,
    Class::TimeLimit,
    Class::RuntimeError,
];

impl Class {
    /// The verdicts that are such a result. A program that a limit of memory or output ends has
    /// crashed for the formats, which know no such result; one that waits in vain is too slow. The
    /// first is what the result is called.
    pub(super) fn verdicts(self) -> &'static [Verdict] {
        match self {
            Class::Accepted => &[Verdict::Accepted, Verdict::Points],
            Class::WrongAnswer => &[Verdict::WrongAnswer, Verdict::PresentationError],
            Class::TimeLimit => &[
                Verdict::TimeLimit,
                Verdict::WallTimeLimit,
                Verdict::IdlenessLimit,
            ],
            Class::RuntimeError => &[
                Verdict::RuntimeError,
                Verdict::MemoryLimit,
                Verdict::OutputLimit,
                Verdict::SecurityViolation,
            ],
            Class::MemoryLimit => &[Verdict::MemoryLimit, Verdict::RuntimeError],
            Class::OutputLimit => &[Verdict::OutputLimit],
        }
    }
}

/// The verdicts of several results.
fn verdicts(classes: &[Class]) -> Vec<Verdict> {
    let mut all: Vec<Verdict> = Vec::new();
    for verdict in classes.iter().flat_map(|class| class.verdicts()) {
        if !all.contains(verdict) {
            all.push(*verdict);
        }
    }
    all
}

/// The result of a name, in capitals or not, with `-`, `_` or a blank between its words.
pub(super) fn class_named(name: &str) -> Option<Class> {
    let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    let letters: String = letters.flat_map(char::to_uppercase).collect();
    Some(match letters.as_str() {
        "AC" | "ACCEPTED" | "CORRECT" => Class::Accepted,
        "WA" | "WRONGANSWER" | "NOOUTPUT" | "PRESENTATIONERROR" => Class::WrongAnswer,
        "TLE" | "TIMELIMIT" | "TIMELIMITEXCEEDED" => Class::TimeLimit,
        "RTE" | "RUNERROR" | "RUNTIMEERROR" => Class::RuntimeError,
        "MLE" | "MEMORYLIMIT" | "MEMORYLIMITEXCEEDED" => Class::MemoryLimit,
        "OLE" | "OUTPUTLIMIT" | "OUTPUTLIMITEXCEEDED" => Class::OutputLimit,
        _ => return None,
    })
}

/// One rule in results: what is permitted, and what must come once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Demand {
    pub(super) permitted: Vec<Class>,
    pub(super) required: Vec<Class>,
}

impl Demand {
    /// One of these results, with those that permit them: an author's tag.
    pub(super) fn one_of(classes: &[Class]) -> Self {
        let good = classes.contains(&Class::Accepted);
        let mut permitted = classes.to_vec();
        permitted.extend((!good).then_some(Class::Accepted));
        Demand {
            permitted,
            required: if good { Vec::new() } else { classes.to_vec() },
        }
    }

    /// The same in verdicts, about these tests.
    pub(super) fn rule(&self, tests: Option<Vec<String>>) -> Rule {
        Rule {
            tests,
            permitted: verdicts(&self.permitted),
            required: verdicts(&self.required),
        }
    }
}

/// What a folder of submissions demands by its name; `None` if the name says nothing.
pub(super) fn of_folder(name: &str, version: Version) -> Option<Demand> {
    use Class::{Accepted, MemoryLimit, OutputLimit, RuntimeError, TimeLimit, WrongAnswer};
    let demand = |permitted: &[Class], required: &[Class]| {
        Some(Demand {
            permitted: permitted.to_vec(),
            required: required.to_vec(),
        })
    };
    let legacy = version.is_legacy();
    match name {
        "accepted" => demand(&[Accepted], &[]),
        // A part of the score can come of tests that are accepted and of others that are not.
        "partially_accepted" => demand(&[Accepted, WrongAnswer], &[]),
        "rejected" => demand(&ANY, &[RuntimeError, TimeLimit, WrongAnswer]),
        "wrong_answer" => demand(&[Accepted, WrongAnswer], &[WrongAnswer]),
        "time_limit_exceeded" if legacy => {
            demand(&[Accepted, WrongAnswer, TimeLimit], &[TimeLimit])
        }
        "time_limit_exceeded" => demand(&[Accepted, TimeLimit], &[TimeLimit]),
        "run_time_error" | "runtime_error" if legacy => demand(&ANY, &[RuntimeError]),
        "run_time_error" | "runtime_error" => demand(&[Accepted, RuntimeError], &[RuntimeError]),
        "brute_force" => demand(
            &[Accepted, RuntimeError, TimeLimit],
            &[RuntimeError, TimeLimit],
        ),
        "memory_limit_exceeded" => demand(&[Accepted, MemoryLimit], &[MemoryLimit]),
        "output_limit_exceeded" => demand(&[Accepted, OutputLimit], &[OutputLimit]),
        "no_output" => demand(&[Accepted, WrongAnswer], &[WrongAnswer]),
        _ => None,
    }
}
