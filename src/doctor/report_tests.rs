//! Tables of machines as they might be.

use insta::assert_snapshot;
use serde_json::Value;

use super::super::{Examination, Finding, Kind};
use super::{json, render};
use crate::report::schema::check;
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
    assert_snapshot!(anstream::adapter::strip_str(&render(&machine, 80)), @r"
    Layers around a program
      seccomp             yes     a filter was loaded
      cgroup              yes     version 2, made in /sys/fs/cgroup/system.slice

    What rejoinder works with
      memory-files        yes     a write was heard of

    Limits and times
      cpus                partly  2, so 2 runs at a time
                                  Cost: CPU times vary: the governor `powersave`
                                  changes their frequency.
                                  To have it: as root run `cpupower frequency-set -g
                                  performance`.

    As root, programs can be run here
    A run has the layers seccomp, ptrace, namespaces, landlock, identity, cgroup.
    ");
}

#[test]
fn a_container_that_lacks_what_is_required() {
    let machine = container();
    assert!(!machine.fits());
    assert_snapshot!(anstream::adapter::strip_str(&render(&machine, 60)), @r"
    Layers around a program
      seccomp             yes     a filter was loaded
      cgroup              no      cannot make a cgroup in
                                  /sys/fs/cgroup: read-only
                                  Cost: memory is sampled.
                                  To have it: start it
                                  elsewhere.

    As user 1000, programs cannot be run here
    A run would say: the layer `cgroup` is required and cannot
    be had: read-only.
    ");
    assert_snapshot!(json(&machine), @r#"{"version":1,"fits":false,"user":"user 1000","isolation":["seccomp","ptrace","landlock"],"required":["cgroup"],"refusal":"the layer `cgroup` is required and cannot be had: read-only","findings":[{"name":"seccomp","kind":"layer","state":"yes","needed":true,"found":"a filter was loaded","costs":null,"remedy":null},{"name":"cgroup","kind":"layer","state":"no","needed":false,"found":"cannot make a cgroup in /sys/fs/cgroup: read-only","costs":"memory is sampled","remedy":"start it elsewhere"}]}"#);
}

#[test]
fn what_is_needed_and_missing_is_named() {
    let mut machine = everything();
    machine.isolation = None;
    let last = |machine: &Examination| {
        let text = anstream::adapter::strip_str(&render(machine, 80)).to_string();
        text.lines().rev().take(2).collect::<Vec<_>>().join(" / ")
    };
    assert_snapshot!(last(&machine), @"Nothing runs without a layer that hides files: namespaces, or Landlock. / As root, programs cannot be run here");
    machine.findings[0] = machine.findings[0]
        .clone()
        .no("nothing can be run", "another kernel");
    assert!(!machine.fits());
    assert_snapshot!(last(&machine), @"Nothing runs without `seccomp`. / As root, programs cannot be run here");
    machine = everything();
    machine.required = vec![Layer::Landlock];
    assert_snapshot!(last(&machine), @"The required layers are there: landlock. / A run has the layers seccomp, ptrace, namespaces, landlock, identity, cgroup.");
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

#[test]
fn the_published_schema_describes_exactly_that() {
    let text = include_str!("../../docs/doctor.schema.json");
    let schema: Value = serde_json::from_str(text).expect("the schema is JSON");
    for examination in [everything(), container()] {
        let object: Value = serde_json::from_str(&json(&examination)).expect("JSON");
        check(&object, &schema, &schema, "it").expect("as the schema has it");
        for (place, description) in [
            (&object, &schema),
            (&object["findings"][0], &schema["$defs"]["finding"]),
        ] {
            let names = |object: &Value| -> Vec<String> {
                let fields = object.as_object().expect("an object");
                let mut names: Vec<String> = fields.keys().cloned().collect();
                names.sort();
                names
            };
            assert_eq!(names(place), names(&description["properties"]));
        }
    }
    let layers = schema["$defs"]["layer"]["enum"].as_array().expect("a list");
    assert!(
        layers
            .iter()
            .eq(&Layer::ALL.map(|layer| Value::from(layer.name())))
    );
    let mut wrong: Value = serde_json::from_str(&json(&everything())).expect("JSON");
    wrong["findings"][0]["state"] = "maybe".into();
    assert!(check(&wrong, &schema, &schema, "it").is_err());
}
