//! `rejoinder doctor`, and layers that are required.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::program::{Ended, Run, is_root_or_skip, pair, run};

fn doctor(more: &[&str]) -> Run {
    run(&[&["doctor"], more].concat())
}

fn parsed(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {ended:?}"))
}

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(Value::as_str).collect()
}

/// Text as it is, but for the breaks of its lines.
fn unfilled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What it says is the same in both forms, and what a run then has.
fn is_consistent(with: impl Fn(Run) -> Run) {
    let ended = with(doctor(&["--json"])).ends();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let object = parsed(&ended);
    assert_eq!(object["fits"], true);
    let text = with(doctor(&[])).ends();
    assert_eq!(text.status, 0, "{text:?}");
    let table = unfilled(&text.stdout);
    for finding in object["findings"].as_array().expect("findings") {
        let state = finding["state"].as_str().expect("a state");
        let row = format!("{} {state} ", finding["name"].as_str().expect("a name"));
        assert!(table.contains(&row), "{row:?} not in {}", text.stdout);
        for field in ["costs", "remedy"] {
            assert_eq!(finding[field].is_null(), state == "yes", "{finding}");
            let words = unfilled(finding[field].as_str().unwrap_or(""));
            assert!(table.contains(&words), "{words:?} not in {}", text.stdout);
        }
    }
    let isolation = names(&object["isolation"]);
    with(pair(&[])).accepted_with(&[&format!("isolation {}", isolation.join(", "))]);
    // What it has may be required, and what it lacks may not.
    let all = isolation.join(",");
    with(pair(&["--require", &all])).accepted_with(&[]);
    assert_eq!(with(doctor(&["--require", &all])).ends().status, 0);
    let layers = object["findings"].as_array().expect("findings").iter();
    let missing = layers.filter(|f| f["kind"] == "layer" && f["state"] == "no");
    for layer in missing.filter_map(|finding| finding["name"].as_str()) {
        let words = format!("the layer `{layer}` is required and cannot be had: ");
        with(pair(&["--require", layer])).fails_with(4, &[&words]);
        let ended = with(doctor(&["--json", "--require", layer])).ends();
        assert_eq!(
            (ended.status, &parsed(&ended)["fits"]),
            (4, &Value::Bool(false))
        );
        let refusal = parsed(&ended)["refusal"].as_str().unwrap_or("").to_owned();
        assert!(refusal.starts_with(&words), "{refusal}");
    }
}

#[test]
fn what_it_says_is_so() {
    is_consistent(|run| run);
    is_consistent(Run::by_nobody);
}

#[test]
fn a_network_namespace_is_made_if_it_is_required() {
    let object = parsed(&doctor(&["--json"]).ends());
    let net = object["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .find(|f| f["name"] == "net");
    if net.expect("a row")["state"] == "yes" {
        pair(&["--require", "net"]).accepted_with(&["namespaces, net"]);
        assert!(!names(&object["isolation"]).contains(&"net"));
    }
}

#[test]
fn identities_are_roots_to_give() {
    pair(&["--require", "cgroup,identity"])
        .by_nobody()
        .fails_with(
            4,
            &[
                "the layer `identity` is required and cannot be had: only root",
                "as root",
            ],
        );
    if is_root_or_skip("identities_are_roots_to_give") {
        pair(&["--require", "identity"]).accepted_with(&["identity"]);
    }
}

#[test]
fn nothing_is_started_without_a_required_layer() {
    // In a folder that outlives the run.
    let folder = tempfile::tempdir_in("/tmp").expect("a folder");
    let mode = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(folder.path(), mode).expect("chmod");
    let mark = folder.path().join("mark");
    let script = format!("#!/bin/sh\ntouch {}\n", mark.display());
    let run = pair(&["--require", "identity"]).script("accepts", script);
    run.by_nobody().fails_with(4, &["identity"]);
    assert!(!mark.exists());
}

#[test]
fn layers_that_cannot_be_required() {
    pair(&["--require", "landlok"]).refused_with(&[
        "`landlok` is no layer (did you mean `landlock`?)",
        "`seccomp`, `ptrace`, `namespaces`",
    ]);
    doctor(&["--require", "chroot"]).refused_with(&["`chroot` is no layer: the layers are"]);
    pair(&["--require", ""]).refused_with(&["is no layer"]);
    pair(&["--isolation", "landlock", "--require", "seccomp,net"]).refused(
        "--require net cannot be met with isolation by landlock, which makes no namespaces",
    );
    pair(&["--require", "identity,user-namespace"]).refused_with(&["no identity of its own"]);
}
