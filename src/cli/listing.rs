//! `rejoinder test --list`: what was found in a problem.

use serde::Serialize;

use crate::error::shown;
use crate::spec::expectation::Rule;
use crate::spec::problem::{Problem, Solution, Test};
use crate::spec::shell::join;
use crate::verdict::Verdict;

/// The version of the object.
const VERSION: u64 = 1;

/// The list for a person.
pub(super) fn text(problem: &Problem, solutions: &[&Solution], tests: &[&Test]) -> String {
    let mut text = format!(
        "{} ({}, {})\n\ninteractor  {}\n",
        problem.name,
        shown(&problem.folder),
        problem.format,
        shown(&problem.interactor)
    );
    let widest = tests.iter().map(|test| test.name.chars().count()).max();
    for (number, test) in tests.iter().enumerate() {
        let label = if number == 0 { "tests" } else { "" };
        let args = join(&test.interactor_args);
        let line = format!(
            "{label:12}{:width$}  {args}",
            test.name,
            width = widest.unwrap_or(0)
        );
        text += &format!("{}\n", line.trim_end());
    }
    let widest = solutions.iter().map(|s| s.name.chars().count()).max();
    for (number, solution) in solutions.iter().enumerate() {
        let label = if number == 0 { "solutions" } else { "" };
        text += &format!(
            "{label:12}{:width$}  {}\n",
            solution.name,
            names(&solution.expected).join(" or "),
            width = widest.unwrap_or(0)
        );
        for rule in solution.rules.iter().filter(|rule| rule.tests.is_some()) {
            let tests = rule.tests.as_ref().map_or(0, Vec::len);
            text += &format!(
                "{:14}on {tests} of the tests: only {}{}\n",
                "",
                names(&rule.permitted).join(", "),
                match rule.required.is_empty() {
                    true => String::new(),
                    false => format!("; once {}", names(&rule.required).join(" or ")),
                }
            );
        }
    }
    for (number, sentence) in problem.left_out.iter().enumerate() {
        let label = if number == 0 {
            "\nleft out    "
        } else {
            "            "
        };
        text += &format!("{label}{sentence}\n");
    }
    text
}

fn names(verdicts: &[Verdict]) -> Vec<&'static str> {
    verdicts.iter().map(|verdict| verdict.name()).collect()
}

/// The list for a program: one object. Fields are only ever added within a version.
#[derive(Serialize)]
struct List<'a> {
    version: u64,
    problem: &'a str,
    format: &'a str,
    folder: String,
    interactor: String,
    tests: Vec<ListedTest<'a>>,
    solutions: Vec<ListedSolution<'a>>,
    left_out: &'a [String],
}

#[derive(Serialize)]
struct ListedTest<'a> {
    name: &'a str,
    input: String,
    answer: Option<String>,
    interactor_args: &'a [String],
}

#[derive(Serialize)]
struct ListedSolution<'a> {
    name: &'a str,
    path: String,
    expected: &'a [Verdict],
    rules: &'a [Rule],
}

/// The list as one line of JSON.
pub(super) fn json(problem: &Problem, solutions: &[&Solution], tests: &[&Test]) -> String {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let tests = tests.iter().map(|test| ListedTest {
        name: &test.name,
        input: path(&test.input),
        answer: test.answer.as_deref().map(path),
        interactor_args: &test.interactor_args,
    });
    let solutions = solutions.iter().map(|solution| ListedSolution {
        name: &solution.name,
        path: path(&solution.path),
        expected: &solution.expected,
        rules: &solution.rules,
    });
    let list = List {
        version: VERSION,
        problem: &problem.name,
        format: &problem.format,
        folder: path(&problem.folder),
        interactor: path(&problem.interactor),
        tests: tests.collect(),
        solutions: solutions.collect(),
        left_out: &problem.left_out,
    };
    // Nothing in it can fail to be written: all keys are strings.
    serde_json::to_string(&list).unwrap_or_default() + "\n"
}
