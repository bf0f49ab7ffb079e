//! Tables of machines as they might be.

use insta::assert_snapshot;

use super::super::{Examination, Finding, Kind};
use super::{json, render};
use crate::spec::layer::Layer;

fn layer(layer: Layer, found: &str) -> Finding {
    Finding::layer(layer, found)
}

/// Root on a machine that has everything.
fn everything() -> Examination {
    let isolation = vec![
        Layer::Seccomp,
        Layer::Ptrace,
        Layer::Namespaces,
        Layer::Landlock,
        Layer::Identity,
        Layer::Cgroup,
    ];
    Examination {
        user: "root".to_owned(),
        isolation: Some(isolation),
        required: Vec::new(),
        refusal: None,
        findings: vec![
            layer(Layer::Seccomp, "a filter was loaded").needed(),
            layer(
                Layer::Cgroup,
                "version 2, made in /sys/fs/cgroup/system.slice",
            ),
            Finding::yes("memory-files", Kind::Means, "a write was heard of").needed(),
            Finding::yes("cpus", Kind::Measure, "2, so 2 runs at a time").partly(
                "CPU times vary: the governor `powersave` changes their frequency",
                "as root run `cpupower frequency-set -g performance`",
            ),
        ],
    }
}

/// An ordinary user in a container that allows next to nothing.
fn container() -> Examination {
    let mut cgroup = layer(
        Layer::Cgroup,
        "cannot make a cgroup in /sys/fs/cgroup: read-only",
    );
    cgroup = cgroup.no("memory is sampled", "start it elsewhere");
    Examination {
        user: "user 1000".to_owned(),
        isolation: Some(vec![Layer::Seccomp, Layer::Ptrace, Layer::Landlock]),
        required: vec![Layer::Cgroup],
        refusal: Some("the layer `cgroup` is required and cannot be had: read-only".to_owned()),
        findings: vec![
            layer(Layer::Seccomp, "a filter was loaded").needed(),
            cgroup,
        ],
    }
}

#[test]
fn a_machine_that_has_everything() {
    let machine = everything();
    assert!(machine.fits());
    assert_snapshot!(anstream::adapter::strip_str(&render(&machine, 80)), @"");
}

#[test]
fn a_container_that_lacks_what_is_required() {
    let machine = container();
    assert!(!machine.fits());
    assert_snapshot!(anstream::adapter::strip_str(&render(&machine, 60)), @"");
    assert_snapshot!(json(&machine), @"");
}

#[test]
fn what_is_needed_and_missing_is_named() {
    let mut machine = everything();
    machine.isolation = None;
    let last = |machine: &Examination| {
        let text = anstream::adapter::strip_str(&render(machine, 80)).to_string();
        text.lines().rev().take(2).collect::<Vec<_>>().join(" / ")
    };
    assert_snapshot!(last(&machine), @"");
    machine.findings[0] = machine.findings[0]
        .clone()
        .no("nothing can be run", "another kernel");
    assert!(!machine.fits());
    assert_snapshot!(last(&machine), @"");
    machine = everything();
    machine.required = vec![Layer::Landlock];
    assert_snapshot!(last(&machine), @"");
}

#[test]
fn the_explanation_names_every_field() {
    let text = include_str!("../../docs/json.md");
    let object: serde_json::Value = serde_json::from_str(&json(&container())).expect("JSON");
    let finding = object["findings"][0].as_object().expect("a finding");
    for name in object
        .as_object()
        .expect("an object")
        .keys()
        .chain(finding.keys())
    {
        assert!(
            text.contains(&format!("`{name}`")),
            "docs/json.md does not explain {name}"
        );
    }
}
