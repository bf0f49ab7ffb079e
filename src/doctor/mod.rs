//! What this machine gives a sandbox, here and now, and what it lacks.
//!
//! Nothing is inferred that can be tried. A [`trial`] starts a program in a sandbox, as a run does,
//! and takes it away before its first instruction; the other probes make what a run would make and
//! remove it again. Each probe is a file and gives [`Finding`]s: what was found, what it costs if
//! something is missing, and how to have it. [`report`] renders them.
//!
//! Nothing in here changes the machine, and nothing depends on what was found before: the answer
//! may be another for another user, in another container, or tomorrow.

mod cgroup;
mod closer;
mod cpus;
mod folders;
mod identity;
mod landlock;
mod limits;
mod memory_files;
mod namespaces;
mod net;
mod ptrace;
pub mod report;
mod seccomp;
mod swap;
mod trial;

use serde::Serialize;

use crate::spec::layer::Layer;
use trial::Trials;

/// How much of something there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All of it.
    Yes,
    /// Enough to run, with a drawback.
    Partly,
    /// Nothing.
    No,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A layer around a program.
    Layer,
    /// Something that the coordinator itself works with.
    Means,
    /// Something that limits and times depend on.
    Measure,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its name: a layer's, or in the same style.
    pub name: &'static str,
    pub kind: Kind,
    pub state: State,
    /// Nothing can be run where it is missing.
    pub needed: bool,
    /// What was found, in words.
    pub found: String,
    /// What its lack costs, in security or speed; `None` where nothing is missing.
    pub costs: Option<String>,
    /// How to have it: a command, or a line of configuration; `None` where nothing is missing.
    pub remedy: Option<String>,
}

impl Finding {
    /// Nothing is missing.
    fn yes(name: &'static str, kind: Kind, found: impl Into<String>) -> Self {
        Finding {
            name,
            kind,
            state: State::Yes,
            needed: false,
            found: found.into(),
            costs: None,
            remedy: None,
        }
    }

    /// It is there with a drawback.
    fn partly(mut self, costs: impl Into<String>, remedy: impl Into<String>) -> Self {
        self.state = State::Partly;
        self.costs = Some(costs.into());
        self.remedy = Some(remedy.into());
        self
    }

    /// It is missing; `found` says why.
    fn no(mut self, costs: impl Into<String>, remedy: impl Into<String>) -> Self {
        self = self.partly(costs, remedy);
        self.state = State::No;
        self
    }

    /// Nothing can be run without it.
    fn needed(mut self) -> Self {
        self.needed = true;
        self
    }

    /// A layer that was had.
    fn layer(layer: Layer, found: impl Into<String>) -> Self {
        Finding::yes(layer.name(), Kind::Layer, found)
    }

    /// A layer that was not to be had, for this reason.
    fn no_layer(layer: Layer, reason: impl Into<String>) -> Self {
        let remedy = crate::sandbox::obstacle::remedy(layer);
        Finding::layer(layer, reason).no(layer.without(), remedy)
    }
}

/// All that was found.
#[derive(Debug, Clone)]
pub struct Examination {
    /// As whom: `root` or `user 1000`.
    pub user: String,
    /// The layers that a run has; `None` if nothing can be isolated.
    pub isolation: Option<Vec<Layer>>,
    /// The layers that were required.
    pub required: Vec<Layer>,
    /// Why a run with the required layers would be refused.
    pub refusal: Option<String>,
    pub findings: Vec<Finding>,
}

impl Examination {
    /// True if programs can be run here, with all that is required.
    pub fn fits(&self) -> bool {
        self.isolation.is_some() && self.refusal.is_none() && self.missing().is_empty()
    }

    /// What is missing and nothing can be run without.
    fn missing(&self) -> Vec<&'static str> {
        let findings = self.findings.iter();
        let missing = findings.filter(|finding| finding.needed && finding.state == State::No);
        missing.map(|finding| finding.name).collect()
    }
}

/// Looks at the machine. `required` are layers that are to be had together.
pub fn examine(required: &[Layer]) -> Examination {
    let user = match nix::unistd::geteuid() {
        user if user.is_root() => "root".to_owned(),
        user => format!("user {user}"),
    };
    let trials = Trials::run();
    let refusal = (!required.is_empty()).then(|| trial::required(required).err());
    Examination {
        user,
        isolation: trials.best().map(<[Layer]>::to_vec),
        required: required.to_vec(),
        refusal: refusal.flatten(),
        findings: vec![
            seccomp::look(),
            ptrace::look(),
            namespaces::look(&trials),
            namespaces::look_at_user(&trials),
            net::look(&trials),
            landlock::look(&trials),
            identity::look(),
            cgroup::look(&trials),
            memory_files::look(),
            folders::look_at_locks(),
            folders::look_at_temporary(),
            closer::look(),
            limits::look(),
            swap::look(),
            cpus::look(),
        ],
    }
}
