//! Mistakes in problem folders, and how they are explained.

use super::*;

/// The complaint about a problem with the usual files, with the folder above it left out.
fn complaint_with(text: &str, files: &[&str]) -> String {
    let folder = folder(text, files);
    let error = Problem::load(&folder.path().join("guess")).unwrap_err();
    error
        .to_string()
        .replace(&format!("{}/", folder.path().display()), "")
}

/// The same for a text that follows a good first line.
fn complaint(text: &str) -> String {
    complaint_with(&format!("interactor = \"interactor.cpp\"\n{text}\n"), FILES)
}

#[test]
fn a_folder_that_is_no_problem_is_explained() {
    let folder = folder("", &["empty/x"]);
    let path = folder.path().join("guess");
    let complaints: Vec<String> = ["empty", "empty/x", "gone"]
        .iter()
        .map(|name| Problem::load(&path.join(name)).unwrap_err().to_string())
        .map(|text| text.replace(&path.display().to_string(), "DIR"))
        .collect();
    insta::assert_snapshot!(complaints.join("\n"), @r"
    `DIR/empty` is no problem folder: it has no `problem.toml`, `problem.yaml` or `problem.xml`
    `DIR/empty/x` is a file; a problem is a folder with a problem.toml
    there is no folder `DIR/gone`
    ");
}

#[test]
fn mistakes_in_keys_are_pointed_at() {
    insta::assert_snapshot!(complaint("interacter-args = []"), @r"
    guess/problem.toml:2: unknown key `interacter-args`: did you mean `interactor-args`?
    2 | interacter-args = []
      | ^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(complaint("[limits]\ncpuu = \"1s\""), @r#"
    guess/problem.toml:3: unknown key `cpuu`: did you mean `cpu`?
    3 | cpuu = "1s"
      | ^^^^
    "#);
    insta::assert_snapshot!(complaint("[limits]\ntime = \"1s\""), @r#"
    guess/problem.toml:3: unknown key `time`: valid here: `cpu`, `wall`, `idle`, `memory`, `address-space`, `output`, `tasks` and `stack`
    3 | time = "1s"
      | ^^^^
    "#);
    insta::assert_snapshot!(complaint("[[solution]]\npath = \"solutions/good.py\"\nverdicts = \"AC\""), @r#"
    guess/problem.toml:4: unknown key `verdicts`: did you mean `verdict`?
    4 | verdicts = "AC"
      | ^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[test]]\nanswer = \"tests/10.ans\""), @r"
    guess/problem.toml:2: `input` is missing
    2 | [[test]]
      | ^^^^^^^^
    ");
    insta::assert_snapshot!(complaint_with("# nothing\nname = \"x\"\n", FILES), @r#"guess/problem.toml: `interactor` is missing: add a line such as interactor = "interactor.cpp""#);
    insta::assert_snapshot!(complaint_with("", FILES), @r#"guess/problem.toml: `interactor` is missing: add a line such as interactor = "interactor.cpp""#);
}

#[test]
fn mistakes_in_values_are_pointed_at() {
    insta::assert_snapshot!(complaint("[limits]\ncpu = 1"), @r#"
    guess/problem.toml:3: cpu: "1" has no unit: write "1s" or "1ms"
    3 | cpu = 1
      |       ^
    "#);
    insta::assert_snapshot!(complaint("[limits]\ncpu = 2.5"), @r#"
    guess/problem.toml:3: cpu: "2.5" has no unit: write "2.5s" or "2.5ms"
    3 | cpu = 2.5
      |       ^^^
    "#);
    insta::assert_snapshot!(complaint("[limits]\ncpu = \"0s\""), @r#"
    guess/problem.toml:3: cpu: "0s" is no time at all: write a duration above zero, such as "1s"
    3 | cpu = "0s"
      |       ^^^^
    "#);
    insta::assert_snapshot!(complaint("[limits]\ncpu = []"), @r#"
    guess/problem.toml:3: this is a list where a text such as "1s" or "256MiB" belongs
    3 | cpu = []
      |       ^^
    "#);
    insta::assert_snapshot!(complaint("[interactor-limits]\nmemory = \"256M\""), @r#"
    guess/problem.toml:3: memory: "256M" has an unclear unit: write "256MiB" (powers of 1024) or "256MB" (powers of 1000)
    3 | memory = "256M"
      |          ^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[limits]\ntasks = 0"), @r"
    guess/problem.toml:3: tasks: 0 is not a number of processes and threads: write at least 1
    3 | tasks = 0
      |         ^
    ");
    insta::assert_snapshot!(complaint("[limits]\ntasks = \"many\""), @r#"
    guess/problem.toml:3: this is the text "many" where a whole number belongs
    3 | tasks = "many"
      |         ^^^^^^
    "#);
    insta::assert_snapshot!(complaint("session = 60"), @r#"
    guess/problem.toml:2: session: "60" has no unit: write "60s" or "60ms"
    2 | session = 60
      |           ^^
    "#);
    insta::assert_snapshot!(complaint("protocol = \"icpcc\""), @r#"
    guess/problem.toml:2: unknown value `icpcc`: did you mean `icpc`?
    2 | protocol = "icpcc"
      |            ^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("deadlock = \"ignore\""), @r#"
    guess/problem.toml:2: unknown value `ignore`: valid here: `contestant`, `interactor` and `wrong-answer`
    2 | deadlock = "ignore"
      |            ^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("channel = \"socket\""), @r#"
    guess/problem.toml:2: unknown value `socket`: valid here: `tmpfs`, `pipe` and `direct`
    2 | channel = "socket"
      |           ^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("name = \" \""), @r#"
    guess/problem.toml:2: the name is empty
    2 | name = " "
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("tests = 3"), @r"
    guess/problem.toml:2: expected a text or a list of texts
    2 | tests = 3
      |         ^
    ");
}

#[test]
fn mistakes_in_files_are_pointed_at() {
    insta::assert_snapshot!(complaint_with("interactor = \"interacter.cpp\"\n", FILES), @r#"
    guess/problem.toml:1: there is no interactor `interacter.cpp` here: did you mean `interactor.cpp`?
    1 | interactor = "interacter.cpp"
      |              ^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint_with("interactor = \"solutions\"\n", FILES), @r#"
    guess/problem.toml:1: the interactor `solutions` is a folder: name a file in it
    1 | interactor = "solutions"
      |              ^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint_with("interactor = \"\"\n", FILES), @r#"
    guess/problem.toml:1: the interactor is empty: write the path of a file
    1 | interactor = ""
      |              ^^
    "#);
    insta::assert_snapshot!(complaint("tests = \"data/*.in\""), @r#"
    guess/problem.toml:2: no file in the problem's folder matches `data/*.in`
    2 | tests = "data/*.in"
      |         ^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("tests = []"), @r"
    guess/problem.toml:2: the list is empty: a problem needs a test
    2 | tests = []
      |         ^^
    ");
    insta::assert_snapshot!(complaint("tests = \"tests/*.in\"\n[[test]]\ninput = \"tests/1.in\""), @r#"
    guess/problem.toml:2: `tests` and `[[test]]` are both given: leave one of them out
    2 | tests = "tests/*.in"
      |         ^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[test]]\ninput = \"tests/3.in\"\n"), @r#"
    guess/problem.toml:3: there is no input `tests/3.in` here: did you mean `tests/1.in`?
    3 | input = "tests/3.in"
      |         ^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[test]]\ninput = \"tests/1.in\"\nanswer = \"gone/1.a\""), @r#"
    guess/problem.toml:4: there is no answer `gone/1.a` in the problem's folder
    4 | answer = "gone/1.a"
      |          ^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[test]]\ninput = \"tests/1.in\"\n\n[[test]]\ninput = \"tests/2.in\"\nname = \"1\""), @r#"
    guess/problem.toml:7: there are two tests `1`: give this one another name
    7 | name = "1"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[solution]]\npath = \"solutions/godo.py\""), @r#"
    guess/problem.toml:3: there is no solution `solutions/godo.py` here: did you mean `solutions/good.py`?
    3 | path = "solutions/godo.py"
      |        ^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[solution]]\npath = \"solutions/good.py\"\n[[solution]]\npath = \"solutions/../solutions/good.py\""), @r#"
    guess/problem.toml:5: the solution `solutions/../solutions/good.py` is listed twice: write all its verdicts in one entry
    5 | path = "solutions/../solutions/good.py"
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint_with("interactor = \"i.py\"\n", &["i.py"]), @r"guess/problem.toml: there are no tests: put inputs where `tests/*.in` finds them, or write `tests` or `[[test]]`");
}

#[test]
fn mistakes_in_verdicts_are_pointed_at() {
    let with = |verdict: &str| {
        complaint(&format!(
            "[[solution]]\npath = \"solutions/good.py\"\nverdict = {verdict}"
        ))
    };
    insta::assert_snapshot!(with("\"wrong\""), @r#"
    guess/problem.toml:4: unknown verdict `wrong`: did you mean `wrong-answer`?
    4 | verdict = "wrong"
      |           ^^^^^^^
    "#);
    insta::assert_snapshot!(with("\"good\""), @r#"
    guess/problem.toml:4: `good` is not a verdict: write one of accepted (AC), wrong-answer (WA), presentation-error (PE), points (PT), time-limit (TL), wall-time-limit (WL), idleness-limit (IL), memory-limit (ML), output-limit (OL), runtime-error (RE), security-violation (SV), judge-error (JE), internal-error (IE)
    4 | verdict = "good"
      |           ^^^^^^
    "#);
    insta::assert_snapshot!(with("\"wrong_answer\""), @r#"
    guess/problem.toml:4: unknown verdict `wrong_answer`: did you mean `wrong-answer`?
    4 | verdict = "wrong_answer"
      |           ^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(with("[\"AC\", \"TLE\"]"), @r#"
    guess/problem.toml:4: unknown verdict `TLE`: did you mean `TL`?
    4 | verdict = ["AC", "TLE"]
      |           ^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(with("[]"), @r#"
    guess/problem.toml:4: the list is empty: name at least one verdict, such as "accepted"
    4 | verdict = []
      |           ^^
    "#);
    insta::assert_snapshot!(with("1"), @r"
    guess/problem.toml:4: expected a text or a list of texts
    4 | verdict = 1
      |           ^
    ");
}
