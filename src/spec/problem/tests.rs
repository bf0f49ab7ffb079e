//! Problem folders, good and bad.

use super::*;
use crate::evidence::Role;
use crate::verdict::{DeadlockPolicy, ExtraOutput};
use std::fs;
use tempfile::TempDir;

mod mistakes;

/// A problem folder with these files, empty but for `problem.toml`.
fn folder(text: &str, files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        let path = folder.path().join("guess").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let problem = folder.path().join("guess");
    fs::create_dir_all(&problem).unwrap();
    fs::write(problem.join(FILE_NAME), text).unwrap();
    folder
}

const FILES: &[&str] = &[
    "interactor.cpp",
    "tests/2.in",
    "tests/10.in",
    "tests/10.ans",
    "tests/1.in",
    "solutions/good.py",
    "solutions/bad.cpp",
    "../shared/interactor.py",
];

fn load(text: &str, files: &[&str]) -> Result<Problem> {
    Problem::load(&folder(text, files).path().join("guess"))
}

fn names(problem: &Problem) -> Vec<&str> {
    problem
        .tests
        .iter()
        .map(|test| test.name.as_str())
        .collect()
}

#[test]
fn a_short_file_gets_the_defaults() {
    let folder = folder("interactor = \"interactor.cpp\"\n", FILES);
    let path = folder.path().join("guess");
    let problem = Problem::load(&path).unwrap();
    let real = path.canonicalize().unwrap();
    let test = |name: &str, answer: Option<&str>| Test {
        name: name.to_owned(),
        input: real.join(format!("tests/{name}.in")),
        answer: answer.map(|answer| real.join(answer)),
        interactor_args: Vec::new(),
    };
    let expected = Problem {
        name: "guess".to_owned(),
        format: FILE_NAME.to_owned(),
        folder: path.clone(),
        interactor: path.join("interactor.cpp"),
        checker: None,
        protocol: Protocol::Testlib,
        passes: 1,
        contestant_limits: Limits::default_for(Role::Contestant),
        interactor_limits: Limits::default_for(Role::Interactor),
        policy: Policy::default(),
        session: None,
        channel: None,
        tests: vec![
            test("1", None),
            test("2", None),
            test("10", Some("tests/10.ans")),
        ],
        solutions: Vec::new(),
        left_out: Vec::new(),
    };
    assert_eq!(problem, expected);
    assert_eq!(Problem::load(&path.join(FILE_NAME)).unwrap(), expected);
}

#[test]
fn every_key_has_its_effect() {
    let text = r#"
        name = "Guess the number"
        interactor = "../shared/interactor.py"
        interactor-args = ["--limit", "20"]
        protocol = "icpc"
        deadlock = "wrong-answer"
        extra-output = "wrong-answer"
        session = "2min"
        channel = "pipe"

        [limits]
        cpu = "500ms"
        wall = "1s"
        idle = "2s"
        memory = "64MiB"
        address-space = "1GiB"
        output = "1MiB"
        tasks = 3
        stack = "8MiB"

        [interactor-limits]
        cpu = "3s"

        [[test]]
        input = "tests/10.in"

        [[test]]
        name = "small"
        input = "tests/2.in"
        answer = "tests/10.ans"

        [[solution]]
        path = "solutions/good.py"

        [[solution]]
        path = "solutions/bad.cpp"
        verdict = ["wrong-answer", "TL"]
    "#;
    let folder = folder(text, FILES);
    let path = folder.path().join("guess");
    let problem = Problem::load(&path).unwrap();
    assert_eq!(problem.name, "Guess the number");
    assert_eq!(
        problem.interactor,
        folder.path().join("shared/interactor.py")
    );
    assert_eq!(problem.tests[0].interactor_args, ["--limit", "20"]);
    assert_eq!(problem.protocol, Protocol::Icpc);
    assert_eq!(problem.policy.deadlock, DeadlockPolicy::WrongAnswer);
    assert_eq!(problem.policy.extra_output, ExtraOutput::WrongAnswer);
    assert_eq!(problem.session, Some(Duration::from_secs(120)));
    assert_eq!(problem.channel, Some(ChannelKind::Pipe));
    let limits = Limits {
        cpu: Duration::from_millis(500),
        wall: Duration::from_secs(1),
        idle: Duration::from_secs(2),
        memory: 64 << 20,
        address_space: Some(1 << 30),
        output: 1 << 20,
        tasks: 3,
        stack: Some(8 << 20),
    };
    assert_eq!(problem.contestant_limits, limits);
    let interactor = Limits {
        cpu: Duration::from_secs(3),
        ..Limits::default_for(Role::Interactor)
    };
    assert_eq!(problem.interactor_limits, interactor);
    assert_eq!(names(&problem), ["10", "small"]);
    let answer = path.canonicalize().unwrap().join("tests/10.ans");
    assert_eq!(problem.tests[0].answer, Some(answer.clone()));
    assert_eq!(problem.tests[1].answer, Some(answer));
    let solution = |name: &str, expected: &[Verdict]| Solution {
        name: name.to_owned(),
        path: path.join(name),
        expected: expected.to_vec(),
        rules: vec![Rule::of(expected)],
    };
    assert_eq!(
        problem.solutions,
        [
            solution("solutions/good.py", &[Verdict::Accepted]),
            solution(
                "solutions/bad.cpp",
                &[Verdict::WrongAnswer, Verdict::TimeLimit]
            ),
        ]
    );
}

#[test]
fn tests_of_several_folders_keep_unique_names() {
    let text = "interactor = \"i.py\"\ntests = [\"data/sample/*\", \"data/secret/**/*.in\"]\n";
    let files = [
        "i.py",
        "data/sample/1.in",
        "data/sample/1.ans",
        "data/sample/first",
        "data/secret/1.in",
        "data/secret/g/2.in",
    ];
    let problem = load(text, &files).unwrap();
    assert_eq!(
        names(&problem),
        ["2", "data/sample/1", "data/secret/1", "first"]
    );
    assert!(problem.tests[1].answer.is_some());
    assert!(problem.tests[2].answer.is_none());
}

#[test]
fn every_verdict_has_a_name_and_letters() {
    for (verdict, name, letters) in [
        (Verdict::Accepted, "accepted", "AC"),
        (Verdict::PresentationError, "presentation-error", "PE"),
        (Verdict::WallTimeLimit, "wall-time-limit", "WL"),
        (Verdict::SecurityViolation, "security-violation", "SV"),
    ] {
        for text in [name, letters] {
            let text = format!(
                "interactor = \"interactor.cpp\"\n[[solution]]\npath = \"solutions/good.py\"\nverdict = \"{text}\"\n"
            );
            let problem = load(&text, FILES).unwrap();
            assert_eq!(problem.solutions[0].expected, [verdict]);
        }
    }
}

#[test]
fn tests_and_solutions_are_found_by_name() {
    let text = r#"
        interactor = "interactor.cpp"
        [[solution]]
        path = "solutions/good.py"
        [[solution]]
        path = "solutions/bad.cpp"
        [[solution]]
        path = "bad.cpp"
    "#;
    let mut files = FILES.to_vec();
    files.push("bad.cpp");
    let mut problem = load(text, &files).unwrap();
    assert_eq!(problem.test("10").unwrap().name, "10");
    let name = |name: &str| problem.solution(name).map(|solution| solution.name.clone());
    assert_eq!(name("good").unwrap(), "solutions/good.py");
    assert_eq!(name("good.py").unwrap(), "solutions/good.py");
    assert_eq!(name("solutions/good.py").unwrap(), "solutions/good.py");
    assert_eq!(name("bad.cpp").unwrap(), "bad.cpp");
    let mut complaints = vec![
        name("bad").unwrap_err(),
        name("solutions/god.py").unwrap_err(),
        name("xyz").unwrap_err(),
        problem.test("011").unwrap_err(),
        problem.test("sample").unwrap_err(),
    ];
    problem.solutions.clear();
    complaints.push(problem.solution("good").unwrap_err());
    let complaints: Vec<String> = complaints.iter().map(Error::to_string).collect();
    insta::assert_snapshot!(complaints.join("\n"), @r"
    `bad` may be `solutions/bad.cpp` or `bad.cpp`: write the one that is meant
    the problem `guess` has no solution `solutions/god.py`: did you mean `solutions/good.py`?
    the problem `guess` has no solution `xyz`; it has `solutions/good.py`, `solutions/bad.cpp` and `bad.cpp`
    the problem `guess` has no test `011`; it has `1`, `2` and `10`
    the problem `guess` has no test `sample`; it has `1`, `2` and `10`
    the problem `guess` has no solutions: list some in its problem.toml
    ");
}

#[test]
fn the_example_in_the_documentation_is_right() {
    let page = include_str!("../../../docs/problem-folder.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let files = [
        "interactor.cpp",
        "tests/01.in",
        "tests/02.in",
        "solutions/binary_search.py",
        "solutions/linear.cpp",
        "solutions/no_flush.cpp",
    ];
    let problem = load(text, &files).unwrap();
    assert_eq!(problem.tests.len(), 2);
    assert_eq!(problem.solutions.len(), 3);
    // Every key of the format is in the example or in the tables.
    for key in [
        "interactor-args",
        "extra-output",
        "deadlock",
        "session",
        "channel",
        "stack",
    ] {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}
