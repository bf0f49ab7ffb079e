//! Starts a program in a sandbox and holds it at its first instruction.
//!
//! The order is that of the module's [theory of operation](super): fork, barrier, trace, place in
//! the cgroup, set-up steps, exec. [`begin`] forks and returns at once, so that several sandboxes
//! can be laid out at the same time; [`Begun::finish`] waits until the program is loaded. A way to
//! isolate that the machine refuses is followed by the next, and a layer that it refuses is left
//! out, unless it is required.

mod pending;
mod prepare;

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use self::pending::{Pending, Refused};
use super::memory_group::MemoryGroup;
use super::obstacle::Obstacle;
use super::policy::Policy;
use super::tracer;
use super::view::Given;
use super::way::Way;
use crate::error::{Error, Result};
use crate::evidence::{StartFailure, errno_text};
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::plan::Isolation;
use crate::sys::{self, Pid};

/// What is to be started, and in what.
pub struct Order<'a> {
    pub program: PathBuf,
    /// `argv[0]` and the arguments.
    pub argv: Vec<OsString>,
    pub given: Given,
    pub limits: &'a Limits,
    /// The CPUs it may run on; `None` for no restriction.
    pub cpus: Option<&'a [usize]>,
    pub isolation: Isolation,
    /// Layers without which it must not start.
    pub require: &'a [Layer],
    /// The user and group id it gets; only root can give one.
    pub identity: Option<u32>,
    /// Its stdin, stdout and stderr.
    pub stdio: [OwnedFd; 3],
    /// What its system calls lead to.
    pub policy: &'static Policy,
    /// The tracer reads what it writes from its memory.
    pub reads_writes: bool,
}

/// The folder that a program works in: ours, or the root where that is gone or closed to us.
pub fn working_folder() -> PathBuf {
    let may_enter =
        |folder: &PathBuf| nix::unistd::access(folder, nix::unistd::AccessFlags::X_OK).is_ok();
    let ours = std::env::current_dir().ok().filter(may_enter);
    ours.unwrap_or_else(|| PathBuf::from("/"))
}

/// A program that is loaded, traced and confined, and has not run an instruction yet. Dropping it
/// kills everything in it.
#[derive(Debug)]
pub struct Sandbox {
    /// The main process, as this process sees it.
    pub main: Pid,
    /// The sandbox's first process, where it has namespaces.
    pub init: Option<Pid>,
    /// Present where a cgroup counts the memory.
    pub memory: Option<MemoryGroup>,
    /// What its system calls lead to.
    pub policy: &'static Policy,
    /// The layers around the program.
    pub layers: Vec<Layer>,
    /// What the user should know about missing layers and limits.
    pub warnings: Vec<String>,
    /// Closing it tells the sandbox's init that the coordinator is gone.
    _life: OwnedFd,
    gone: bool,
}

impl Sandbox {
    /// Kills everything in the sandbox. The tracer then hears of every end.
    pub fn kill(&self) {
        // A process that has gone already is no failure: its id is ours until it is reaped.
        if !self.gone {
            let _ = sys::kill(self.init.unwrap_or(self.main), libc::SIGKILL);
        }
    }

    /// Says that everything in it was reaped, so that its ids may belong to others now.
    pub fn mark_gone(&mut self) {
        self.gone = true;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.gone {
            return;
        }
        self.kill();
        let _ = sys::kill(self.main, libc::SIGKILL);
        tracer::reap_everything(&[Some(self.main), self.init]);
    }
}

/// A program that is being started; see [`begin`].
pub struct Begun<'a> {
    order: Order<'a>,
    /// The way that is being tried, if one could be begun.
    current: Option<(Way, Pending)>,
    /// The ways that are left, the strongest last.
    left: Vec<Way>,
    /// Layers that can be done without and that this machine refused.
    without: Vec<Layer>,
    /// Required layers that a way never has, for each that is left out because of it.
    unsuited: Vec<Obstacle>,
    /// What stood in the way of those that were tried.
    obstacles: Vec<Obstacle>,
    /// What the user should know about layers that are missing.
    warnings: Vec<String>,
}

/// Begins to start a program, so that the set-up of several can go on at the same time.
///
/// # Errors
/// If a call of ours fails. What the machine refuses is found out by [`Begun::finish`].
pub fn begin(order: Order<'_>) -> Result<Begun<'_>> {
    let mut begun = Begun {
        order,
        current: None,
        left: Vec::new(),
        without: Vec::new(),
        unsuited: Vec::new(),
        obstacles: Vec::new(),
        warnings: Vec::new(),
    };
    begun.choose_ways();
    begun.next_way()?;
    Ok(begun)
}

/// Starts a program in this way alone, without the layers in `without`; what the machine refuses is
/// the inner error. For whoever wants to know which layers there are.
///
/// # Errors
/// If a call of ours fails, or the program cannot be executed.
pub fn attempt(
    order: &Order<'_>,
    way: Way,
    without: &[Layer],
) -> Result<std::result::Result<Sandbox, Obstacle>> {
    let pending = match prepare::fork(order, way, without)? {
        Ok(pending) => pending,
        Err(obstacle) => return Ok(Err(obstacle)),
    };
    match pending.finish()? {
        Ok(sandbox) => Ok(Ok(sandbox)),
        Err(Refused::Layer(obstacle)) => Ok(Err(obstacle)),
        Err(Refused::Program(failure)) => Err(Error::Environment(format!(
            "a program could not be started: step {}: {}",
            failure.step,
            errno_text(failure.errno).to_lowercase()
        ))),
    }
}

impl Begun<'_> {
    /// Keeps the ways that can have all layers that are required.
    fn choose_ways(&mut self) {
        let identity = self.order.identity;
        for way in Way::candidates(self.order.isolation) {
            let has = |layer: &Layer| {
                way.made_of().contains(layer)
                    || way.may_have().contains(layer)
                        && (*layer != Layer::Identity || identity.is_some())
            };
            match self.order.require.iter().find(|layer| !has(layer)) {
                None => self.left.push(way),
                Some(layer) => self.unsuited.push(Obstacle::of_way(*layer, way)),
            }
        }
        self.left.reverse();
    }

    /// Begins the strongest way that is left and can be begun.
    fn next_way(&mut self) -> Result<()> {
        while let Some(way) = self.left.pop() {
            self.try_way(way)?;
            if self.current.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Begins this way, if it can be begun.
    fn try_way(&mut self, way: Way) -> Result<()> {
        match prepare::fork(&self.order, way, &self.without)? {
            Ok(pending) => self.current = Some((way, pending)),
            Err(obstacle) => self.obstacles.push(obstacle),
        }
        Ok(())
    }

    /// Waits until the program is held at its first instruction.
    ///
    /// # Errors
    /// [`Error`] if this machine cannot isolate it as ordered, or a call of ours fails. That the
    /// program itself cannot be executed, or a set-up step fails, is the inner [`StartFailure`].
    pub fn finish(mut self) -> Result<std::result::Result<Sandbox, StartFailure>> {
        while let Some((way, pending)) = self.current.take() {
            match pending.finish()? {
                Ok(mut sandbox) => {
                    let stronger = self.obstacles.into_iter().map(|obstacle| obstacle.reason);
                    sandbox.warnings.extend(stronger);
                    sandbox.warnings.append(&mut self.warnings);
                    return Ok(Ok(sandbox));
                }
                Err(Refused::Program(failure)) => return Ok(Err(failure)),
                // The machine refuses a layer: it may do without, or in another way.
                Err(Refused::Layer(obstacle)) => {
                    let layer = obstacle.layer;
                    let needed = way.made_of().contains(&layer);
                    if !needed && !self.order.require.contains(&layer) {
                        self.warnings.push(obstacle.reason);
                        self.without.push(layer);
                        self.try_way(way)?;
                    } else {
                        let reason =
                            format!("cannot isolate by {}: {}", way.name(), obstacle.reason);
                        self.obstacles.push(Obstacle { layer, reason });
                    }
                    if self.current.is_none() {
                        self.next_way()?;
                    }
                }
            }
        }
        Err(self.impossible())
    }

    /// The error where no way is left.
    fn impossible(self) -> Error {
        let required = self.order.require;
        let is_required = |obstacle: &&Obstacle| required.contains(&obstacle.layer);
        // What the machine refused says more than what a way never has.
        let met = match self.obstacles.is_empty() {
            true => &self.unsuited,
            false => &self.obstacles,
        };
        let mut reasons: Vec<&str> = met
            .iter()
            .map(|obstacle| obstacle.reason.as_str())
            .collect();
        reasons.dedup();
        let reasons = reasons.join("; ");
        match met.iter().chain(&self.unsuited).find(is_required) {
            Some(obstacle) => Obstacle::error(obstacle.layer, &reasons),
            None => Error::Environment(format!(
                "this machine offers no way to isolate a program: {reasons}: `rejoinder doctor` \
                 says what is missing and how to have it"
            )),
        }
    }
}
