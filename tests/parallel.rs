//! Several sessions at the same time in the threads of one process: each comes out as if it ran
//! alone, and none leaves a descriptor or a process behind.

use std::ffi::OsString;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, waitpid};
use rejoinder::evidence::Role;
use rejoinder::session;
use rejoinder::spec::cache::Cache;
use rejoinder::spec::command::Command;
use rejoinder::spec::language::Languages;
use rejoinder::spec::limits::Limits;
use rejoinder::spec::plan::{ChannelKind, ContestantPlan, Cpus, InteractorPlan, Isolation, Plan};
use rejoinder::spec::protocol::Protocol;
use rejoinder::spec::resolve::resolve;
use rejoinder::verdict::{Policy, Verdict};

const THREADS: usize = 4;
const ROUNDS: usize = 30;

/// What the contestant does, what the interactor does, and the only verdict for it.
const PAIRS: [(&str, &str, Verdict); 5] = [
    ("print 1", "reject", Verdict::WrongAnswer),
    ("print 1000000", "hear", Verdict::Accepted),
    ("child left 4000", "hear", Verdict::TimeLimit),
    ("churn 100", "hear", Verdict::Accepted),
    ("fork-on", "hear", Verdict::TimeLimit),
];

/// The actor of the limits' tests, told what to do; `None` where there is no compiler.
fn actor(does: &str) -> Option<Command> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits/actor.c");
    let mut words = vec![source.into_os_string()];
    words.extend(does.split(' ').map(OsString::from));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parallel");
    let cache = Cache::in_folder(&folder).expect("a cache in the target folder");
    match resolve(&words, &Languages::builtin(), &cache) {
        Ok(command) => Some(command),
        Err(error) if error.to_string().contains("not installed") => {
            eprintln!("parallel: ignored: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn plan(contestant: Command, interactor: Command) -> Plan {
    Plan {
        title: contestant.shown.clone(),
        contestant: ContestantPlan {
            command: contestant,
            limits: Limits {
                cpu: Duration::from_millis(100),
                wall: Duration::from_secs(60),
                idle: Duration::from_secs(60),
                ..Limits::default_for(Role::Contestant)
            },
        },
        interactor: InteractorPlan {
            command: interactor,
            limits: Limits::default_for(Role::Interactor),
            protocol: Protocol::Testlib,
            input: "/etc/passwd".into(),
            answer: None,
            extra_args: Vec::new(),
            passes: 1,
            checker: None,
            keep_output: None,
        },
        channel: ChannelKind::Tmpfs,
        cpus: Cpus::OneOfOurOwn,
        isolation: Isolation::Strongest,
        require: Vec::new(),
        session: Duration::from_secs(120),
        policy: Policy::default(),
        explain: false,
        transcript: None,
    }
}

fn descriptors() -> Vec<String> {
    let entries = std::fs::read_dir("/proc/self/fd").expect("our descriptors");
    let mut all: Vec<String> = entries
        .flatten()
        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
        .map(|target| target.display().to_string())
        .collect();
    all.sort();
    all
}

#[test]
fn sessions_in_threads_are_as_sessions_alone() {
    let plans: Option<Vec<(Plan, Verdict)>> = PAIRS
        .iter()
        .map(|(contestant, interactor, verdict)| {
            Some((plan(actor(contestant)?, actor(interactor)?), *verdict))
        })
        .collect();
    let Some(plans) = plans else { return };
    let judge = |number: usize| {
        let (plan, wanted) = &plans[number % plans.len()];
        let outcome = session::run(plan).unwrap_or_else(|e| panic!("{}: {e}", plan.title));
        assert_eq!(
            outcome.judgement.verdict, *wanted,
            "{}: {:?}",
            plan.title, outcome.judgement
        );
    };
    // What the process sets up once for all, such as signal handlers, is set up now.
    (0..plans.len()).for_each(judge);
    let before = descriptors();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || (0..ROUNDS).for_each(|round| judge(thread + round)));
        }
    });
    assert_eq!(descriptors(), before, "descriptors are left");
    let flags = WaitPidFlag::WNOHANG | WaitPidFlag::__WALL;
    assert_eq!(
        waitpid(None, Some(flags)),
        Err(Errno::ECHILD),
        "a process is left"
    );
}
