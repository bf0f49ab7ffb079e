//! `rejoinder new`: the problem that it makes works as it comes, and what cannot be made leaves
//! nothing.

use std::fs;
use std::path::Path;

use crate::program::{Run, has_or_skip, is_root_or_skip, run};

/// The languages, and what each needs.
const LANGUAGES: [(&str, &str); 3] = [("cpp", "g++"), ("rust", "rustc"), ("python", "python3")];

/// Makes a problem of this language and protocol and tests it where it was made.
fn works(language: &str, protocol: &str, change: impl Fn(Run) -> Run) {
    let test = format!("new --interactor {language} --protocol {protocol}");
    let (_, tool) = (LANGUAGES.iter().find(|(name, _)| *name == language)).expect("a language");
    if !has_or_skip(tool, &test) {
        return;
    }
    let shell = format!(
        "\"$0\" new guess --interactor {language} --protocol {protocol} && \
         \"$0\" test guess -j2"
    );
    let ended = change(run(&["new"])).shell(&shell).ends();
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{test}: {ended:?}");
    assert!(ended.stdout.contains("rejoinder test guess\n"), "{ended:?}");
    assert!(
        ended.stdout.contains("as expected: 3 solutions"),
        "{ended:?}"
    );
    // Nothing to think about: the template shows how it should be.
    assert!(!ended.stdout.contains("note"), "{ended:?}");
}

#[test]
fn cpp_and_testlib() {
    works("cpp", "testlib", |run| run);
}

#[test]
fn cpp_and_icpc() {
    works("cpp", "icpc", |run| run);
}

#[test]
fn rust_and_testlib() {
    works("rust", "testlib", |run| run);
}

#[test]
fn rust_and_icpc() {
    works("rust", "icpc", |run| run);
}

#[test]
fn python_and_testlib() {
    works("python", "testlib", |run| run);
}

#[test]
fn python_and_icpc() {
    works("python", "icpc", |run| run);
}

#[test]
fn an_ordinary_user_makes_one() {
    if Path::new("/usr/bin/python3").exists() {
        works("python", "testlib", Run::by_nobody);
    } else {
        eprintln!("skipped: an_ordinary_user_makes_one needs /usr/bin/python3");
    }
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("a name").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// What `run` has put into the folder.
const BEFORE: [&str; 3] = ["accepts", "input", "rejects"];

#[test]
fn what_is_made_is_told() {
    let ended = run(&["new", "Grüße & \"1\""]).ends();
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{ended:?}");
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn an_empty_folder_is_filled() {
    let mut made = run(&["new", "."]);
    let inner = made.path().join("inner");
    fs::create_dir(&inner).expect("mkdir");
    made.command.current_dir(&inner);
    assert!(made.command.status().expect("run").success());
    let text = fs::read_to_string(inner.join("problem.toml")).expect("a file");
    assert!(text.contains("name = \"inner\""), "{text}");
    assert_eq!(names(&inner.join("solutions")).len(), 3);
}

#[test]
fn what_is_there_is_left_alone() {
    run(&["new", "p"])
        .file("p/mine", "")
        .refused("`p` is there already and not empty: choose another name");
    run(&["new", "input"]).refused("`input` is there already and no folder: choose another name");
    run(&["new", "p"])
        .link("p", "nowhere")
        .refused_with(&["`p` is there already"]);
}

#[test]
fn no_such_folder_can_be() {
    run(&["new", ""]).refused_with(&["a value is required", "NAME"]);
    run(&["new", ".."]).refused_with(&["`..` is no name for a new folder"]);
    run(&["new", "a\nb"]).refused_with(&["`a\\nb` is no name", "it has a control character"]);
    run(&["new", &"x".repeat(300)]).refused_with(&["cannot make the folder", "name too long"]);
    run(&["new", "no/such"])
        .refused("cannot make the folder `no/such`: there is no folder `no` to make it in");
    run(&["new", "input/p"]).refused_with(&["cannot make the folder `input/p`: not a directory"]);
    run(&["new", "p", "--interactor", "cobol"]).refused_with(&["cobol", "cpp", "rust", "python"]);
    run(&["new", "p", "--protocol", "smtp"]).refused_with(&["smtp", "testlib", "icpc"]);
    run(&["new"]).refused_with(&["NAME"]);
}

#[test]
fn where_nobody_may_write() {
    if !is_root_or_skip("where_nobody_may_write") {
        return;
    }
    run(&["new", "theirs/p"])
        .folder_with_mode("theirs", 0o755)
        .by_nobody()
        .refused("cannot make the folder `theirs/p`: permission denied");
}

#[test]
fn nothing_half_made_is_left() {
    // No file may be longer than 4 or 8 KiB; the library is.
    let mut limited = run(&["new", "p"]).after("ulimit -f 8");
    let folder = limited.path().to_owned();
    let output = limited.command.output().expect("run");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("cannot make the file `p/strict.hpp`: file too large"),
        "{said}"
    );
    assert_eq!(names(&folder), BEFORE);
}
