//! What is right for a solution: which verdicts may come, and which must.

use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

/// Verdicts that accept.
const GOOD: [Verdict; 2] = [Verdict::Accepted, Verdict::Points];

/// One thing that must hold of a solution's verdicts. A solution may have several such rules, and
/// all of them must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The names of the tests that it speaks of; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<String>>,
    /// Each of these tests must have one of these verdicts.
    pub permitted: Vec<Verdict>,
    /// At least one of these tests must have one of these verdicts. Empty if nothing must come.
    pub required: Vec<Verdict>,
}

impl Rule {
    /// What a list of right verdicts means: a good solution is good on every test; a bad one may
    /// pass a test, but on at least one it must get a verdict of the list.
    pub fn of(expected: &[Verdict]) -> Rule {
        let mut permitted = expected.to_vec();
        if !is_good(expected) {
            permitted.extend(GOOD);
        }
        let required = match expected.contains(&Verdict::Accepted) {
            true => Vec::new(),
            false => expected.to_vec(),
        };
        Rule {
            tests: None,
            permitted,
            required,
        }
    }

    /// True if it speaks of the test of this name.
    pub fn is_about(&self, test: &str) -> bool {
        let named = |tests: &Vec<String>| tests.iter().any(|name| name == test);
        self.tests.as_ref().is_none_or(named)
    }
}

/// The verdicts that all rules permit on the test of this name; all verdicts if no rule speaks of
/// it.
pub fn permitted(rules: &[Rule], test: &str) -> Vec<Verdict> {
    let about: Vec<&Rule> = rules.iter().filter(|rule| rule.is_about(test)).collect();
    let by_all = |verdict: &Verdict| about.iter().all(|rule| rule.permitted.contains(verdict));
    Verdict::ALL.into_iter().filter(by_all).collect()
}

/// True if verdicts are those of a solution that has to be right on every test.
pub fn is_good(expected: &[Verdict]) -> bool {
    expected.iter().all(|verdict| GOOD.contains(verdict))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, Points, TimeLimit, WrongAnswer};

    #[test]
    fn a_bad_solution_may_pass_and_must_fail_once() {
        let rule = Rule::of(&[WrongAnswer]);
        assert_eq!(rule.permitted, [WrongAnswer, Accepted, Points]);
        assert_eq!(rule.required, [WrongAnswer]);
        assert_eq!(Rule::of(&[Accepted]).permitted, [Accepted]);
        assert_eq!(Rule::of(&[Accepted, TimeLimit]).required, []);
    }

    #[test]
    fn several_rules_permit_what_each_of_them_does() {
        let of_one = Rule {
            tests: Some(vec!["b".into()]),
            permitted: vec![Accepted],
            required: Vec::new(),
        };
        let rules = [Rule::of(&[WrongAnswer]), of_one];
        assert_eq!(permitted(&rules, "a"), [Accepted, WrongAnswer, Points]);
        assert_eq!(permitted(&rules, "b"), [Accepted]);
        assert_eq!(permitted(&[], "a"), Verdict::ALL);
    }
}
