//! Packages with one thing wrong each: the complaint has the file, the line and what to do. And some
//! with something strange that is right.

use libtest_mimic::{Failed, Trial};
use rejoinder::spec::problem::Problem;

use super::edit::Package;

/// A name, the package it is made of, the change, and what the complaint begins with.
type Broken = (&'static str, &'static str, fn(&Package), &'static str);

const BROKEN: &[Broken] = &[
    (
        "checker",
        "polygon",
        |p| {
            p.replace(
                "problem.xml",
                "std::yesno.cpp\" type=\"testlib\"",
                "c\" type=\"other\"",
            )
        },
        "problem.xml:27: this checker is of the type `other`, and rejoinder runs those of testlib",
    ),
    (
        "yaml",
        "legacy",
        |p| p.replace("problem.yaml", "limits:", "limits: {"),
        "problem.yaml:",
    ),
    (
        "unknown-key",
        "legacy",
        |p| p.replace("problem.yaml", "licens", "lisens"),
        "problem.yaml:6: unknown key `lisense`: did you mean `license`?",
    ),
    (
        "unknown-limit",
        "newest",
        |p| p.replace("problem.yaml", "  memory:", "  memroy:"),
        "problem.yaml:22: unknown key `memroy`: did you mean `memory`?",
    ),
    (
        "limit-is-no-number",
        "legacy",
        |p| p.replace("problem.yaml", "512", "much"),
        "problem.yaml:13: `memory` is `much` where a number above 0 belongs",
    ),
    (
        "no-time-limit-in-the-file",
        "legacy",
        |p| p.write(".timelimit", "soon\n"),
        ".timelimit:1: `soon` is no time limit: write a number of seconds above 0",
    ),
    (
        "not-interactive",
        "legacy",
        |p| p.replace("problem.yaml", "custom interactive", "default"),
        "problem.yaml:10: `validation` is `default`, and rejoinder runs interactive problems only",
    ),
    (
        "passes-of-a-problem-with-one",
        "newest",
        |p| p.replace("problem.yaml", "  output: 1", "  validation_passes: 3"),
        "problem.yaml:23: `validation_passes` belongs to multi-pass problems, and this is none",
    ),
    (
        "legacy-key-in-a-new-format",
        "newest",
        |p| {
            p.replace(
                "problem.yaml",
                "languages: all",
                "validation: custom interactive",
            )
        },
        "problem.yaml:27: unknown key `validation`: in this format write `type: interactive` instead",
    ),
    (
        "unknown-version",
        "newest",
        |p| p.replace("problem.yaml", "2025-09", "2031-01"),
        "problem.yaml:1: `problem_format_version` is `2031-01`, and the versions that are read here are `legacy`",
    ),
    (
        "no-validator",
        "legacy",
        |p| p.remove("output_validators"),
        "problem.yaml: there is no output_validators/: an interactive problem needs an output validator",
    ),
    (
        "several-validators",
        "legacy",
        |p| p.write("output_validators/another.py", ""),
        "output_validators: there are several output validators, `another.py` and `guess`",
    ),
    (
        "no-answer",
        "legacy",
        |p| p.remove("data/secret/large/02.ans"),
        "data/secret/large/02.in: the test has no answer: add 02.ans beside it",
    ),
    (
        "no-tests",
        "legacy",
        |p| p.remove("data"),
        "data: there are no tests: put inputs and answers where data/sample/*.in",
    ),
    (
        "circle",
        "legacy",
        |p| p.link("data/secret/large/again", ".."),
        "data/secret/large/again: the link leads to a folder in which it lies: remove it",
    ),
    (
        "link-to-itself",
        "legacy",
        |p| {
            p.remove("data/sample/1.ans");
            p.link("data/sample/1.ans", "1.ans");
        },
        "data/sample/1.ans: the link to 1.ans leads nowhere",
    ),
    (
        "arguments-for-solutions",
        "newest",
        |p| p.write("data/sample/1.yaml", "args: [x]\n"),
        "data/sample/1.yaml:1: `args`: arguments for solutions are not supported",
    ),
    (
        "files-for-solutions",
        "newest",
        |p| p.write("data/sample/1.files/x", ""),
        "data/sample/1.files: arguments and files for solutions are not supported",
    ),
    (
        "quote-in-flags",
        "legacy",
        |p| {
            p.write(
                "data/secret/large/testdata.yaml",
                "output_validator_flags: it's\n",
            )
        },
        "data/secret/large/testdata.yaml:1: `output_validator_flags` has a quote that is not closed",
    ),
    (
        "key-of-a-group",
        "newest",
        |p| p.replace("data/secret/test_group.yaml", "max_score", "max_skore"),
        "data/secret/test_group.yaml:2: unknown key `max_skore`: did you mean `max_score`?",
    ),
    (
        "pattern-without-submissions",
        "newest",
        |p| p.replace("submissions/submissions.yaml", "other:", "others:"),
        "submissions/submissions.yaml:5: `others` means no submission: check the name",
    ),
    (
        "unknown-result",
        "newest",
        |p| p.replace("submissions/submissions.yaml", "[AC, TLE, WA]", "[AC, XYZ]"),
        "submissions/submissions.yaml:16: `permitted` has the unknown result `XYZ`: write AC, WA, TLE or RTE",
    ),
    (
        "unknown-group",
        "newest",
        |p| {
            p.replace(
                "submissions/submissions.yaml",
                "secret/group1",
                "secret/group7",
            )
        },
        "submissions/submissions.yaml:8: `secret/group7` is neither a key nor the name of tests",
    ),
    (
        "no-utf-8",
        "legacy",
        |p| p.write("problem.yaml", b"name: x\nauthor: \xff\n"),
        "problem.yaml:2: this is not UTF-8 text: save the file as UTF-8",
    ),
    (
        "xml",
        "polygon",
        |p| p.replace("problem.xml", "</names>", "</name>"),
        "problem.xml:6: this is not valid XML: ",
    ),
    (
        "no-interactor",
        "polygon",
        |p| p.remove("files/interactor.cpp"),
        "problem.xml:31: there is no file `files/interactor.cpp` in the package",
    ),
    (
        "not-interactive-polygon",
        "polygon",
        |p| {
            p.replace("problem.xml", "<interactor>", "<interacter>");
            p.replace("problem.xml", "</interactor>", "</interacter>");
        },
        "problem.xml:26: `assets` has no `interactor`, and rejoinder runs interactive problems only",
    ),
    (
        "no-test",
        "polygon",
        |p| p.remove("tests/02"),
        "problem.xml:16: test 2 has no input: there is no file `tests/02`",
    ),
    (
        "no-answer-polygon",
        "polygon",
        |p| p.remove("tests/03.a"),
        "problem.xml:17: test 3 has no answer: there is no file `tests/03.a`",
    ),
    (
        "run-count",
        "polygon",
        |p| p.replace("problem.xml", "run-count=\"1\"", "run-count=\"2\""),
        "problem.xml:7: `run-count`: solutions that are run several times on a test are not supported",
    ),
    (
        "unknown-tag",
        "polygon",
        |p| p.replace("problem.xml", "tag=\"main\"", "tag=\"mian\""),
        "problem.xml:34: unknown tag `mian`: did you mean `main`?",
    ),
    (
        "time-limit-polygon",
        "polygon",
        |p| p.replace("problem.xml", "2000", "2 s"),
        "problem.xml:9: `time-limit` is `2 s` where a whole number above 0 belongs",
    ),
];

/// A name, the package, the change, and what is left out because of it.
const LEFT_OUT: &[Broken] = &[
    (
        "no-time-limit",
        "legacy",
        |p| p.remove(".timelimit"),
        "problem.yaml: there is no time limit, and it is not found out from the submissions",
    ),
    (
        "two-time-limits",
        "legacy",
        |p| p.write("domjudge-problem.ini", "timelimit='3'\n"),
        "domjudge-problem.ini: it says 3 s and .timelimit says 2 s, which counts",
    ),
    (
        "constants",
        "newest",
        |p| p.replace("problem.yaml", "languages: all", "constants: {n: 5}"),
        "problem.yaml:27: `constants` is not supported: ",
    ),
    (
        "languages",
        "newest",
        |p| p.replace("problem.yaml", "languages: all", "languages: [cpp]"),
        "problem.yaml:27: `languages` is not supported: ",
    ),
    (
        "static-validator",
        "newest",
        |p| p.write("static_validator/x.py", ""),
        "static_validator: static validators are not supported",
    ),
    (
        "include",
        "legacy",
        |p| p.write("include/cpp/x.h", ""),
        "include: files that are added to submissions are not supported",
    ),
    (
        "grader",
        "legacy",
        |p| {
            p.write(
                "data/testdata.yaml",
                "grading: default\ngrader_flags: sum\n",
            )
        },
        "data/testdata.yaml:2: `grader_flags` is not supported: ",
    ),
    (
        "nothing-is-expected",
        "legacy",
        |p| p.write("submissions/unsure/a.py", ""),
        "submissions/unsure/a.py: nothing says what is expected of it",
    ),
    (
        "does-not-compile",
        "legacy",
        |p| {
            p.write(
                "submissions/mixed/a.c",
                "// @EXPECTED_RESULTS@: COMPILER-ERROR\n",
            )
        },
        "submissions/mixed/a.c: it expects the result COMPILER-ERROR, which no run can have",
    ),
    (
        "answer-alone",
        "legacy",
        |p| p.write("data/sample/9.ans", ""),
        "data/sample/9.ans: there is no 9.in beside it, so it belongs to no test",
    ),
    (
        "code",
        "scored",
        |_| {},
        "problem.yaml:9: `code` is not supported: ",
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let broken = BROKEN.iter().map(|(name, package, change, begins)| {
        Trial::test(format!("broken/{name}"), move || {
            let package = Package::of(package);
            change(&package);
            let error = Problem::load(&package.path(""))
                .err()
                .ok_or("it is taken")?;
            begins_with(&package, &error.to_string(), begins)
        })
    });
    let left_out = LEFT_OUT.iter().map(|(name, package, change, begins)| {
        Trial::test(format!("left-out/{name}"), move || {
            let package = Package::of(package);
            change(&package);
            let problem = Problem::load(&package.path("")).map_err(|error| error.to_string())?;
            let all = problem.left_out.iter();
            let fits = |said: &&String| begins_with(&package, said, begins).is_ok();
            match all.clone().any(|said| fits(&said)) {
                true => Ok(()),
                false => Err(Failed::from(format!("left out: {:#?}", problem.left_out))),
            }
        })
    });
    let mut trials: Vec<Trial> = broken.chain(left_out).collect();
    trials.push(Trial::test("many-tests", many_tests));
    trials.push(Trial::test("passes", passes));
    trials
}

fn begins_with(package: &Package, text: &str, begins: &str) -> Result<(), Failed> {
    let folder = format!("{}/", package.path("").display());
    match text.replacen(&folder, "", 1).starts_with(begins) {
        true => Ok(()),
        false => Err(Failed::from(format!("it begins otherwise: {text}"))),
    }
}

/// Ten thousand tests are read in their order, and in no time.
fn many_tests() -> Result<(), Failed> {
    let package = Package::of("legacy");
    for number in 0..10_000 {
        package.write(&format!("data/secret/many/{number:05}.in"), "1 1\n");
        package.write(&format!("data/secret/many/{number:05}.ans"), "1\n");
    }
    let begun = std::time::Instant::now();
    let problem = Problem::load(&package.path("")).map_err(|error| error.to_string())?;
    let took = begun.elapsed();
    assert_eq!(problem.tests.len(), 10_005);
    assert_eq!(problem.tests[4].name, "secret/many/00001");
    assert!(took.as_secs() < 20, "{took:?}");
    Ok(())
}

/// A multi-pass problem says how often its programs may be run.
fn passes() -> Result<(), Failed> {
    let package = Package::of("newest");
    let load = || Problem::load(&package.path("")).map_err(|error| error.to_string());
    package.replace(
        "problem.yaml",
        "pass-fail, interactive",
        "interactive, multi-pass",
    );
    assert_eq!(load()?.passes, 2);
    package.replace("problem.yaml", "  output: 1", "  validation_passes: 3");
    assert_eq!(load()?.passes, 3);
    let package = Package::of("legacy");
    package.replace(
        "problem.yaml",
        "custom interactive",
        "custom interactive multi-pass",
    );
    assert_eq!(
        Problem::load(&package.path(""))
            .map_err(|e| e.to_string())?
            .passes,
        2
    );
    Ok(())
}
