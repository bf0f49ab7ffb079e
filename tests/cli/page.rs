//! `rejoinder test --html`: one page that has everything, as a browser sees it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Run, run};

/// Says 1, and accepts what is 1.
const INTERACTOR: &str = "#!/bin/sh
echo 1
read -r answer
[ \"$answer\" = 1 ] && exit 0
echo \"wrong answer found $answer\" >&2
exit 1
";
const RIGHT: &str = "#!/bin/sh\nread number\necho 1\n";
/// Tries to break out of the page.
const HOSTILE: &str = "#!/bin/sh
read number
printf '</td></table><script>document.title=\"broken\"</script>\\033[31m\\377<b id=out>\\n'
";

fn problem(words: &[&str]) -> Run {
    let mut text = "name = \"Page\"\ninteractor = \"judge\"\n".to_owned();
    for (name, verdict) in [
        ("right", "accepted"),
        ("hostile", "accepted"),
        ("wrong", "wrong-answer"),
    ] {
        text += &format!("[[solution]]\npath = \"{name}\"\nverdict = \"{verdict}\"\n");
    }
    run(&[&["test", "p"], words].concat())
        .file("p/problem.toml", text)
        .file("p/tests/1.in", "")
        .file("p/tests/2.in", "")
        .script("p/judge", INTERACTOR)
        .script("p/right", RIGHT)
        .script("p/hostile", HOSTILE)
        .script("p/wrong", HOSTILE)
}

/// Has the problem tested, and returns the run, whose folder has the page.
fn tested(mut made: Run) -> Run {
    let output = made.command.output().expect("run");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    made
}

fn read(made: &Run, name: &str) -> String {
    fs::read_to_string(made.path().join(name)).expect("a page")
}

/// What is left of the transcripts in the cache.
fn kept(made: &Run) -> usize {
    let folder = made.path().join(".cache/transcripts/Page");
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn every_dialogue_is_on_the_page_and_only_surprises_are_kept() {
    let made = tested(problem(&["--html", "page.html"]));
    let page = read(&made, "page.html");
    assert_eq!(page.matches("<article class=\"session bad\"").count(), 2);
    assert_eq!(page.matches("<details class=\"session\"").count(), 4);
    assert_eq!(page.matches("<table class=\"dialogue\"").count(), 6);
    assert!(
        !page.contains("<script") && !page.contains('\x1b'),
        "{page}"
    );
    assert_eq!(kept(&made), 2);

    let made = tested(problem(&["--html", "page.html", "--transcripts", "all"]));
    assert_eq!(
        fs::read_dir(made.path().join("all"))
            .expect("a folder")
            .count(),
        6
    );
}

#[test]
fn where_nothing_can_be_kept_the_page_has_everything() {
    let places = ["REJOINDER_CACHE", "XDG_CACHE_HOME", "HOME"];
    let made = problem(&["--html", "page.html"]).folder_with_mode("tmp", 0o700);
    // In the place of the last folder that would stay lies a file.
    let last = format!("tmp/rejoinder-cache-{}", nix::unistd::geteuid());
    let made = made.file(last, "");
    let made = (places.iter()).fold(made, |made, place| made.env(place, "/proc/none"));
    let tmp = made.path().join("tmp");
    let made = tested(made.env("TMPDIR", &tmp));
    let page = read(&made, "page.html");
    assert_eq!(page.matches("<table class=\"dialogue\"").count(), 6);
    assert!(!page.contains("Transcript: "), "what it names is gone");
    assert_eq!(fs::read_dir(tmp).expect("a folder").count(), 1);
}

#[test]
fn an_ordinary_user_gets_a_page() {
    let made = problem(&[]).by_nobody();
    let script = "\"$0\" test p --html page.html --solution right && cat page.html";
    let ended = made.shell(script).ends();
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{ended:?}");
    assert_eq!(ended.stdout.matches("<table class=\"dialogue\"").count(), 2);
}

#[test]
fn parts_have_a_page_with_the_dialogues_that_are_at_hand() {
    let mut part = problem(&["--json", "--transcripts", "all"]);
    let output = part.command.output().expect("run");
    let merged =
        run(&["test", "--merge", "part", "--html", "page.html"]).file("part", output.stdout);
    let merged = tested(merged);
    let page = read(&merged, "page.html");
    assert_eq!(page.matches("<table class=\"dialogue\"").count(), 6);
    drop(part);
    let merged = tested(merged);
    let page = read(&merged, "page.html");
    assert_eq!(
        page.matches("There is no transcript of this session")
            .count(),
        6
    );
}

#[test]
fn a_page_that_cannot_be_written() {
    problem(&["--html", "no/such"]).refused_with(&["cannot write the results to `no/such`"]);
    problem(&["--html", "p"]).refused_with(&["cannot write the results to `p`", "is a directory"]);
    let full = problem(&["--html", "/dev/full"]).ends();
    assert_eq!(full.status, 4, "{full:?}");
    assert!(
        full.stderr.contains("write the results to `/dev/full`"),
        "{full:?}"
    );
}

/// The browsers that can print what they made of a page.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome-headless-shell",
];

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut all = BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |f| f.join(name)));
    all.find(|path| path.is_file())
}

/// Opens the page, with more words, in a folder of the browser's own.
fn open(browser: &Path, made: Run, words: &[&str]) -> String {
    let page = made.path().join("page.html");
    let profile = made.path().join("profile");
    let mut command = Command::new(browser);
    command
        // The page is ours, and root cannot have the browser's sandbox.
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(words)
        .arg(format!("file://{}", page.display()));
    let ended = made.replace(command).ends();
    assert_eq!(ended.status, 0, "{ended:?}");
    ended.stdout
}

#[test]
fn a_browser_sees_what_is_meant() {
    let Some(browser) = browser() else {
        let names = BROWSERS.join(", ");
        eprintln!("skipped: a_browser_sees_what_is_meant needs one of {names}");
        return;
    };
    let made = tested(problem(&["--html", "page.html"]));
    let seen = open(&browser, made, &["--dump-dom"]);
    assert!(
        seen.contains("<title>Page: not as expected: 1 of 3 solutions</title>"),
        "{seen}"
    );
    for forbidden in ["<script", "id=\"out\"", "broken</title>"] {
        assert!(!seen.contains(forbidden), "{forbidden} in {seen}");
    }
    // No element ended before its time: everything is where it was put.
    let main = seen.split("<body>").nth(1).expect("a body");
    for (element, count) in [("article", 2), ("details", 4), ("svg", 6)] {
        let (begun, ended) = (format!("<{element}"), format!("</{element}>"));
        assert_eq!(main.matches(&begun).count(), count, "{element} in {seen}");
        assert_eq!(main.matches(&ended).count(), count, "{element} in {seen}");
    }
}
