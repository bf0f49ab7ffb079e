//! A coordinator that is large itself: what it has touched must count for nobody else.
//!
//! A forked child begins with the memory of its parent, and some of the kernel's figures (such as
//! `ru_maxrss`) keep that peak when the program is executed.

use std::hint::black_box;
use std::time::Duration;

use rejoinder::evidence::Role;
use rejoinder::session;
use rejoinder::spec::cache::Cache;
use rejoinder::spec::language::Languages;
use rejoinder::spec::limits::Limits;
use rejoinder::spec::plan::{ChannelKind, ContestantPlan, Cpus, InteractorPlan, Isolation, Plan};
use rejoinder::spec::protocol::Protocol;
use rejoinder::spec::resolve::resolve;
use rejoinder::verdict::{Policy, Verdict};

fn plan(isolation: Isolation) -> Plan {
    let cache = Cache::open().expect("cache");
    let program = || resolve(&["/bin/true".into()], &Languages::builtin(), &cache).expect("true");
    let limits = |role| Limits {
        memory: 64 << 20,
        ..Limits::default_for(role)
    };
    Plan {
        title: "ballast".into(),
        contestant: ContestantPlan {
            command: program(),
            limits: limits(Role::Contestant),
        },
        interactor: InteractorPlan {
            command: program(),
            limits: limits(Role::Interactor),
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
        isolation,
        require: Vec::new(),
        session: Duration::from_secs(60),
        policy: Policy::default(),
        explain: false,
        transcript: None,
    }
}

#[test]
fn the_coordinators_own_memory_counts_for_nobody() {
    let ballast = vec![1u8; 400 << 20];
    black_box(&ballast);
    for isolation in [Isolation::Strongest, Isolation::Landlock] {
        let outcome = session::run(&plan(isolation)).expect("a run");
        assert_eq!(
            outcome.judgement.verdict,
            Verdict::Accepted,
            "{:?}",
            outcome.judgement
        );
        for side in [&outcome.contestant, &outcome.interactor] {
            assert!(
                side.memory > 0 && side.memory < 20_000 << 10,
                "{}: {}",
                side.role,
                side.memory
            );
        }
    }
    black_box(&ballast);
}
