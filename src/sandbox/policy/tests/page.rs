//! `docs/policy.md`, which shows the files as tables.

use std::fmt::Write;

use super::super::*;

const INTRODUCTION: &str = "\
# System calls

What a program's system calls lead to, call by call. This page is made from the files in
[`src/sandbox/policy`](../src/sandbox/policy), and a test compares them: change those, then run
`REJOINDER_WRITE_DOCS=1 cargo test --lib policy`. [sandbox.md](sandbox.md) explains the whole.

A program gets what holds for everyone, over it what differs for its role, and over that what
differs for its runtime. A row with a condition comes before one without. A call that no row names
fails with ENOSYS and is counted.
";

/// What the page says above each file's table.
fn heading(file: &str) -> String {
    match file {
        "common.toml" => "Everyone".to_owned(),
        "contestant.toml" => "Contestants".to_owned(),
        "interactor.toml" => "Interactors".to_owned(),
        runtime => {
            let name = runtime.trim_start_matches("runtimes/");
            format!("Profile `{}`", name.trim_end_matches(".toml"))
        }
    }
}

/// What happens, with a number to sort by.
fn outcome(action: Action) -> (u8, String) {
    let errno = nix::errno::Errno::from_raw;
    match action {
        Action::Allow => (0, "goes on".to_owned()),
        Action::Watch(_) => (1, "is looked at".to_owned()),
        Action::Hide(e) => (2, format!("fails with {:?}, not counted", errno(e))),
        Action::Refuse(e) => (3, format!("fails with {:?}, counted", errno(e))),
        Action::Kill => (4, "ends the program".to_owned()),
    }
}

fn table(policy: &Policy) -> String {
    // The calls of one group of the file share its reason and its condition.
    let mut rows: Vec<(u8, String, &Rule, Vec<String>)> = Vec::new();
    for (call, rules) in policy.rules() {
        for rule in rules {
            let name = format!("`{}`", call_name(call.into()));
            let same = |row: &&mut (u8, String, &Rule, Vec<String>)| {
                let other = row.2;
                (other.action, other.only_if, &other.why) == (rule.action, rule.only_if, &rule.why)
            };
            if let Some((.., calls)) = rows.iter_mut().find(same) {
                calls.push(name);
                continue;
            }
            let (order, mut what) = outcome(rule.action);
            if let Some(condition) = rule.only_if {
                write!(what, ", if {condition}").expect("a String takes everything");
            }
            rows.push((order, what, rule, vec![name]));
        }
    }
    rows.sort_by_key(|(order, ..)| *order);
    let mut page = "| calls | what happens | why |\n| --- | --- | --- |\n".to_owned();
    for (_, what, rule, calls) in rows {
        let calls = calls.join(" ");
        writeln!(page, "| {calls} | {what} | {} |", rule.why).expect("a String takes everything");
    }
    page
}

#[test]
fn the_page_shows_the_files_as_they_are() {
    let mut page = INTRODUCTION.to_owned();
    for (file, groups) in files::all() {
        let (heading, table) = (heading(&file), table(&Policy::stack(&[groups])));
        write!(page, "\n## {heading}\n\n{table}").expect("a String takes everything");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/policy.md");
    if std::env::var_os("REJOINDER_WRITE_DOCS").is_some() {
        std::fs::write(path, &page).expect(path);
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == page,
        "docs/policy.md is not what the files say: run `REJOINDER_WRITE_DOCS=1 cargo test --lib policy`"
    );
}
