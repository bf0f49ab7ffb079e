//! Jobs are read as they are written, and mistakes in them are told with their place.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::spec::command::Command;
use crate::spec::profile::Profile;

/// A folder with an input, and an executable in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        std::fs::write(folder.path().join("input"), "1\n").expect("an input");
        std::fs::write(&program, "#!/bin/sh\nexit 0\n").expect("a program");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("executable");
        Place(folder)
    }

    fn path(&self, name: &str) -> String {
        let folder = self.0.path().canonicalize().expect("its real path");
        folder.join(name).to_string_lossy().into_owned()
    }

    /// The shortest job, with changes.
    fn job(&self, change: impl FnOnce(&mut serde_json::Value)) -> String {
        let mut job = serde_json::json!({
            "version": 1,
            "contestant": {"program": {"path": self.path("program")}},
            "interactor": {
                "program": {"path": self.path("program")},
                "input": self.path("input"),
            },
        });
        change(&mut job);
        job.to_string()
    }

    fn plan(&self, text: &str) -> std::result::Result<Plan, Mistake> {
        let cache = Cache::in_folder(&self.0.path().join("cache")).expect("a cache");
        Job::parse(text.as_bytes())?.plan(&Languages::builtin(), &cache)
    }

    /// The mistake of the shortest job with a change, as it is told.
    fn mistake(&self, change: impl FnOnce(&mut serde_json::Value)) -> String {
        let mistake = self.plan(&self.job(change)).expect_err("a mistake");
        let folder = self.path("");
        mistake
            .to_string()
            .replace(folder.trim_end_matches('/'), "FOLDER")
    }
}

#[test]
fn the_shortest_job_has_the_defaults_of_run() {
    let place = Place::new();
    let plan = place.plan(&place.job(|_| {})).expect("a plan");
    let defaults = [Role::Contestant, Role::Interactor].map(Limits::default_for);
    assert_eq!(
        [&plan.contestant.limits, &plan.interactor.limits],
        [&defaults[0], &defaults[1]]
    );
    assert_eq!(plan.session, Plan::safety_net(&defaults[0], &defaults[1]));
    assert_eq!((plan.channel, plan.explain), (ChannelKind::Tmpfs, false));
    // A script is started by its interpreter.
    assert!(plan.contestant.command.argv.len() == 2);
}

#[test]
fn a_plan_comes_back_from_its_job() {
    let place = Place::new();
    let command = Command {
        program: place.path("program").into(),
        argv: vec!["./program".into(), "a b".into(), "".into()],
        reads: vec![place.path("program").into()],
        imports: Vec::new(),
        shown: "solution.py".into(),
        language: Some("Python".into()),
        profile: Profile::Java,
    };
    let mut limits = Limits::default_for(Role::Contestant);
    limits.cpu = Duration::from_micros(1_234_567);
    limits.memory = 1_000_001;
    limits.address_space = Some(3 << 30);
    limits.stack = Some(65_537);
    let plan = Plan {
        title: "a title".into(),
        contestant: ContestantPlan {
            command: command.clone(),
            limits: limits.clone(),
        },
        interactor: InteractorPlan {
            command,
            limits: Limits::default_for(Role::Interactor),
            protocol: Protocol::Icpc,
            input: place.path("input").into(),
            answer: Some(place.path("input").into()),
            extra_args: vec!["--x".into()],
            passes: 3,
            checker: None,
            keep_output: Some(place.path("kept").into()),
        },
        channel: ChannelKind::Pipe,
        cpus: Cpus::Set(vec![0, 3]),
        isolation: Isolation::Namespaces,
        require: vec![Layer::Landlock],
        session: Duration::from_millis(7_001),
        policy: Policy {
            deadlock: DeadlockPolicy::Interactor,
            extra_output: ExtraOutput::WrongAnswer,
        },
        explain: true,
        transcript: Some(place.path("transcript").into()),
    };
    let text = serde_json::to_string(&Job::of(&plan).expect("a job")).expect("JSON");
    let again = place.plan(&text).expect("a plan");
    assert_eq!(format!("{again:?}"), format!("{plan:?}"));
}

#[test]
fn a_name_that_is_no_text_has_no_job() {
    use std::os::unix::ffi::OsStrExt;

    let place = Place::new();
    let mut plan = place.plan(&place.job(|_| {})).expect("a plan");
    plan.interactor.input = Path::new(std::ffi::OsStr::from_bytes(b"a\xff")).to_owned();
    insta::assert_snapshot!(Job::of(&plan).expect_err("no job"));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let place = Place::new();
    let mut told = String::new();
    let mut tell = |change: &dyn Fn(&mut serde_json::Value)| {
        told += &(place.mistake(change) + "\n");
    };
    tell(&|job| job["version"] = 2.into());
    tell(&|job| job["versoin"] = 2.into());
    tell(&|job| drop(job.as_object_mut().expect("an object").remove("contestant")));
    tell(&|job| job["id"] = serde_json::json!([1]));
    tell(&|job| job["cpus"] = "none".into());
    tell(&|job| job["cpus"] = serde_json::json!([]));
    tell(&|job| job["cpus"] = serde_json::json!([5000]));
    tell(&|job| job["require"] = serde_json::json!(["landlok"]));
    tell(&|job| job["require"] = serde_json::json!(["identity", "user-namespace"]));
    tell(&|job| job["session_ms"] = 0.into());
    tell(&|job| job["channel"] = "socket".into());
    tell(&|job| job["contestant"]["limits"] = serde_json::json!({"cpu_ms": -1}));
    tell(&|job| job["contestant"]["limits"] = serde_json::json!({"cpu_ms": "1s"}));
    tell(&|job| job["contestant"]["limits"] = serde_json::json!({"cpu": 1}));
    tell(&|job| job["contestant"]["limits"] = serde_json::json!({"tasks": 0}));
    tell(&|job| job["interactor"]["limits"] = serde_json::json!({"memory_kib": 1e300}));
    tell(&|job| job["interactor"]["input"] = "".into());
    tell(&|job| job["interactor"]["input"] = "/no/such".into());
    tell(&|job| job["interactor"]["input"] = "/tmp".into());
    tell(&|job| job["interactor"]["input"] = "a\0b".into());
    tell(&|job| job["interactor"]["args"] = serde_json::json!(["a\0b"]));
    tell(&|job| job["contestant"]["program"] = serde_json::json!({"path": "/no/such"}));
    tell(&|job| job["contestant"]["program"]["argv"] = serde_json::json!([]));
    tell(&|job| {
        job["contestant"]["program"] = serde_json::json!({"path": "program", "argv": ["x"]})
    });
    tell(&|job| job["contestant"]["program"]["read"] = serde_json::json!(["/no/such"]));
    tell(&|job| {
        job["contestant"]["program"]["argv"] = serde_json::json!(["x"]);
        job["contestant"]["program"]["args"] = serde_json::json!(["x"]);
    });
    tell(&|job| job["transcript"] = job["interactor"]["input"].clone());
    insta::assert_snapshot!(told);
}

#[test]
fn what_is_no_json_is_told_with_its_line() {
    let told = |text: &[u8]| Job::parse(text).expect_err("a mistake").to_string();
    let deep = "[".repeat(10_000);
    let texts: [&[u8]; 6] = [
        b"",
        b"{\n\n  \"version\": 1,,}",
        b"\xff",
        b"[]",
        deep.as_bytes(),
        b"{\"version\": 1, \"version\": 1}",
    ];
    insta::assert_snapshot!(texts.map(told).join("\n"));
}
