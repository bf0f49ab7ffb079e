//! Programs that are started in a sandbox in every way, and taken away before their first
//! instruction.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};
use crate::evidence::Role;
use crate::sandbox::identity;
use crate::sandbox::launch::{self, Order};
use crate::sandbox::obstacle::Obstacle;
use crate::sandbox::policy::Policy;
use crate::sandbox::slots::Slot;
use crate::sandbox::view::Given;
use crate::sandbox::way::Way;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::plan::Isolation;
use crate::spec::profile::Profile;

/// What came of one trial.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) way: Way,
    /// A network namespace was asked for.
    pub(super) net: bool,
    /// The layers that it had, or what was in the way. Layers that it can do without are left out.
    pub(super) outcome: std::result::Result<Vec<Layer>, Obstacle>,
    /// What was in the way of the layers that were left out.
    pub(super) left_out: Vec<Obstacle>,
}

/// What came of all of them, the strongest way first.
#[derive(Debug)]
pub(super) struct Trials {
    pub(super) done: Vec<Trial>,
    /// What failed that has nothing to do with a layer.
    pub(super) failures: Vec<String>,
}

impl Trials {
    /// Tries every way, and a network namespace with those that can have one.
    pub(super) fn run() -> Trials {
        let mut trials = Trials {
            done: Vec::new(),
            failures: Vec::new(),
        };
        for way in Way::candidates(Isolation::Strongest) {
            for net in [false, true] {
                let possible = !net || way.may_have().contains(&Layer::Net);
                if possible {
                    match one(way, net) {
                        Ok(trial) => trials.done.push(trial),
                        Err(error) => trials.failures.push(error.to_string()),
                    }
                }
            }
        }
        trials
    }

    /// The layers of the strongest sandbox, as a run that asks for nothing has it.
    pub(super) fn best(&self) -> Option<&[Layer]> {
        let usual = self.done.iter().filter(|trial| !trial.net);
        usual
            .filter_map(|trial| trial.outcome.as_deref().ok())
            .next()
    }

    /// Whether this layer, one of those that are made by the fork, was had in this way, or in any; the
    /// reason if not.
    pub(super) fn made(&self, layer: Layer, way: Option<Way>) -> std::result::Result<(), String> {
        let of_way = |trial: &&Trial| way.is_none_or(|way| way == trial.way);
        let can_have = |trial: &&Trial| match layer {
            Layer::Net => trial.net,
            _ => !trial.net && trial.way.made_of().contains(&layer),
        };
        let mut reasons: Vec<&str> = Vec::new();
        for trial in self.done.iter().filter(of_way).filter(can_have) {
            match &trial.outcome {
                Ok(_) => return Ok(()),
                Err(obstacle) if is_in_the_way_of(obstacle.layer, layer) => {
                    reasons.push(&obstacle.reason);
                }
                // It came so far.
                Err(_) => return Ok(()),
            }
        }
        if reasons.is_empty() {
            reasons.extend(self.failures.first().map(String::as_str));
        }
        reasons.dedup();
        Err(reasons.join("; "))
    }

    /// What was in the way of a layer that a sandbox can do without.
    pub(super) fn obstacle(&self, layer: Layer) -> Option<&str> {
        let left_out = self.done.iter().flat_map(|trial| &trial.left_out);
        let mut met = left_out.filter(|obstacle| obstacle.layer == layer);
        met.next().map(|obstacle| obstacle.reason.as_str())
    }
}

/// Whether a sandbox that stopped at `obstacle` did not come as far as to have `layer`.
fn is_in_the_way_of(obstacle: Layer, layer: Layer) -> bool {
    match obstacle {
        Layer::UserNamespace => true,
        Layer::Namespaces | Layer::Net => layer != Layer::UserNamespace,
        _ => false,
    }
}

/// Whether a program can be started behind these layers together.
///
/// # Errors
/// What a run would say.
pub(super) fn required(layers: &[Layer]) -> std::result::Result<(), String> {
    let limits = Limits::default_for(Role::Contestant);
    let started = Stage::set().and_then(|stage| {
        let order = stage.order(&limits, layers)?;
        launch::begin(order)?.finish()
    });
    match started {
        Ok(Ok(_sandbox)) => Ok(()),
        Ok(Err(failure)) => Err(failed(failure.step, failure.errno)),
        Err(error) => Err(error.to_string()),
    }
}

fn failed(step: &str, errno: i32) -> String {
    let reason = crate::evidence::errno_text(errno).to_lowercase();
    format!("a trial program could not be started: step {step}: {reason}")
}

fn one(way: Way, net: bool) -> Result<Trial> {
    let limits = Limits::default_for(Role::Contestant);
    let require: &[Layer] = if net { &[Layer::Net] } else { &[] };
    let stage = Stage::set()?;
    let order = stage.order(&limits, require)?;
    let mut left_out: Vec<Obstacle> = Vec::new();
    let outcome = loop {
        let without: Vec<Layer> = left_out.iter().map(|obstacle| obstacle.layer).collect();
        match launch::attempt(&order, way, &without)? {
            Ok(sandbox) => break Ok(sandbox.layers.clone()),
            Err(obstacle)
                if way.may_have().contains(&obstacle.layer)
                    && !require.contains(&obstacle.layer)
                    && !without.contains(&obstacle.layer) =>
            {
                left_out.push(obstacle);
            }
            Err(obstacle) => break Err(obstacle),
        }
    };
    Ok(Trial {
        way,
        net,
        outcome,
        left_out,
    })
}

/// What a trial needs.
struct Stage {
    program: PathBuf,
    identities: Vec<Slot>,
}

impl Stage {
    fn set() -> Result<Stage> {
        let programs = ["/bin/true", "/usr/bin/true", "/bin/sh", "/usr/bin/env"];
        let program = programs
            .into_iter()
            .map(Path::new)
            .find(|path| path.is_file());
        let program = match program {
            Some(program) => program.to_owned(),
            None => std::env::current_exe().context(|| "find a program to try".into())?,
        };
        let identities = identity::take(1)?;
        Ok(Stage {
            program,
            identities,
        })
    }

    fn order<'a>(&self, limits: &'a Limits, require: &'a [Layer]) -> Result<Order<'a>> {
        let null = || -> Result<OwnedFd> {
            let file = File::options().read(true).write(true).open("/dev/null");
            Ok(file.context(|| "open /dev/null".into())?.into())
        };
        Ok(Order {
            program: self.program.clone(),
            argv: vec![self.program.clone().into()],
            given: Given {
                read: vec![self.program.clone()],
                write: None,
                folder: "/".into(),
            },
            limits,
            cpus: None,
            isolation: Isolation::Strongest,
            require,
            identity: self.identities.first().map(Slot::user_id),
            stdio: [null()?, null()?, null()?],
            policy: Policy::of(Role::Contestant, Profile::default()),
            reads_writes: false,
        })
    }
}
