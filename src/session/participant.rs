//! One side of a session: its sandbox, what limits it, and what became of it.

use std::time::Duration;

use super::stderr::StderrDrain;
use super::turns::Turns;
use super::watch::{self, Sample, Watch};
use crate::evidence::{End, Excess, ForbiddenCall, LimitKind, Quantity, Role};
use crate::sandbox::launch::Sandbox;
use crate::sandbox::tracer::{Ending, Tracer, Who};
use crate::sandbox::waiting::Look;
use crate::spec::limits::Limits;

/// A participant that was started.
pub(super) struct Participant {
    pub(super) role: Role,
    pub(super) sandbox: Sandbox,
    pub(super) who: Who,
    pub(super) limits: Limits,
    watches: Vec<Box<dyn Watch>>,
    /// How many CPUs it may run on.
    cpus: u32,
    pub(super) turns: Turns,
    pub(super) stderr: StderrDrain,
    /// Pieces of its output that were delivered.
    pub(super) messages: u64,
    /// What the last look showed, its CPU time then, and when that was.
    pub(super) seen: Look,
    pub(super) seen_cpu: Duration,
    pub(super) seen_at: Duration,
    /// How often in a row a look found it asking, with nothing for it to read.
    pub(super) asked: u32,
    /// Since when every look has found it asking and doing nothing else.
    pub(super) only_asking: Option<Duration>,
    /// The limit that it was stopped for.
    excess: Option<Excess>,
    /// The call that it was stopped for.
    forbidden: Option<ForbiddenCall>,
    /// It was stopped because the run is decided.
    stopped: bool,
    /// How its main process ended, and when.
    ending: Option<Ending>,
    pub(super) ended_at: Option<Duration>,
    /// Its final state, once nothing of it lives any more.
    pub(super) end: Option<End>,
    /// It closed its standard output and went on.
    pub(super) closed_stdout: bool,
    /// It was given end of input.
    pub(super) given_end_of_input: bool,
    /// Its peak memory in bytes, once it has ended.
    memory: u64,
}

impl Participant {
    pub(super) fn new(
        role: Role,
        sandbox: Sandbox,
        tracer: &mut Tracer,
        limits: &Limits,
        cpus: u32,
        stderr: StderrDrain,
    ) -> Self {
        Participant {
            role,
            who: tracer.adopt(&sandbox, limits.tasks),
            sandbox,
            limits: limits.clone(),
            watches: watch::all(limits),
            cpus,
            turns: Turns::starting(Duration::ZERO),
            stderr,
            messages: 0,
            seen: Look::default(),
            seen_cpu: Duration::ZERO,
            seen_at: Duration::ZERO,
            asked: 0,
            only_asking: None,
            excess: None,
            forbidden: None,
            stopped: false,
            ending: None,
            ended_at: None,
            end: None,
            closed_stdout: false,
            given_end_of_input: false,
            memory: 0,
        }
    }

    /// True until its main process has ended or it was told to.
    pub(super) fn is_running(&self) -> bool {
        self.ending.is_none() && !self.is_being_killed()
    }

    /// True if we are ending it.
    pub(super) fn is_being_killed(&self) -> bool {
        self.stopped || self.excess.is_some() || self.forbidden.is_some()
    }

    /// True once nothing of it lives any more.
    pub(super) fn is_gone(&self) -> bool {
        self.end.is_some()
    }

    /// What it has used. `kept` is the part of its memory that its output takes in the channel.
    pub(super) fn sample(
        &self,
        at: Duration,
        tracer: &mut Tracer,
        output: u64,
        kept: u64,
    ) -> Sample {
        let tasks = tracer.task_counts(self.who).0;
        let lost_a_process = tracer.lost_a_process(self.who);
        let usage = tracer.usage(self.who);
        let memory = match &self.sandbox.memory {
            // The kernel kills one process of the tree; the others might wait for it for ever.
            Some(group) if lost_a_process && group.kills() > 0 => self.limits.memory + 1,
            Some(_) => self.memory.saturating_sub(kept),
            // The pages of a file that is only written to belong to no process.
            None => {
                usage.sample_memory();
                usage.peak_memory()
            }
        };
        Sample {
            cpu: usage.cpu(),
            parallel: tasks.min(self.cpus),
            turn: self.turns.total(at),
            acting: self.turns.is_acting(),
            rest: self.turns.rest(at),
            memory,
            memory_is_held: self.sandbox.memory.is_some(),
            output,
        }
    }

    /// The first limit that is exceeded.
    pub(super) fn exceeded(&self, sample: &Sample) -> Option<Excess> {
        self.watches.iter().find_map(|watch| watch.check(sample))
    }

    /// The least time after which a limit could be exceeded.
    pub(super) fn earliest(&self, sample: &Sample) -> Option<Duration> {
        self.watches
            .iter()
            .filter_map(|watch| watch.earliest(sample))
            .min()
    }

    /// Ends it for a limit.
    pub(super) fn stop_for(&mut self, excess: Excess, tracer: &mut Tracer) {
        if self.is_running() {
            self.excess = Some(excess);
            tracer.kill(self.who);
        }
    }

    /// It made a call that ends it; the tracer has killed it already.
    pub(super) fn forbid(&mut self, call: ForbiddenCall) {
        if self.is_running() {
            self.forbidden = Some(call);
        }
    }

    /// Ends it because the run is decided.
    pub(super) fn stop(&mut self, tracer: &mut Tracer) {
        if self.is_running() {
            self.stopped = true;
            tracer.kill(self.who);
        }
    }

    /// Its main process has ended: what it left behind is killed.
    pub(super) fn main_ended(&mut self, how: Ending, at: Duration, tracer: &mut Tracer) {
        self.ending = Some(how);
        self.ended_at = Some(at);
        self.turns.ended(at);
        tracer.kill(self.who);
    }

    /// Nothing of it lives any more: works out how it ended.
    pub(super) fn conclude(
        &mut self,
        at: Duration,
        tracer: &mut Tracer,
        output: u64,
        kept: u64,
    ) -> &End {
        self.sandbox.mark_gone();
        self.ended_at.get_or_insert(at);
        self.turns.ended(at);
        let kernel_killed = self
            .sandbox
            .memory
            .as_ref()
            .map_or(0, |group| group.kills());
        let resident = tracer.usage(self.who).peak_memory();
        let counted = self.sandbox.memory.as_ref().and_then(|group| group.peak());
        self.memory = counted.map_or(resident, |peak| peak.saturating_sub(kept));
        // The group is removed now, so that it does not outlive its last process.
        self.sandbox.memory = None;
        let sample = Sample {
            memory: self.memory,
            ..self.sample(at, tracer, output, 0)
        };
        let end = match (self.forbidden.take(), self.excess.take()) {
            (Some(call), _) => End::Forbidden(call),
            (None, Some(excess)) => End::Limit(excess),
            (None, None) if self.stopped => End::Stopped,
            (None, None) if kernel_killed > 0 => End::Limit(self.memory_excess()),
            (None, None) => match self.exceeded(&sample) {
                Some(excess) => End::Limit(excess),
                None => self.own_end(&sample, tracer),
            },
        };
        self.end.insert(end)
    }

    /// The end that it chose itself.
    fn own_end(&self, sample: &Sample, tracer: &Tracer) -> End {
        match self.ending {
            Some(Ending::Exited(code)) => End::Exited(code),
            // The kernel's backstop, a little above the limit that we measure.
            Some(Ending::Signaled(libc::SIGXCPU)) if sample.cpu >= self.limits.cpu => {
                End::Limit(Excess {
                    limit: LimitKind::Cpu,
                    used: Quantity::Time(sample.cpu),
                    allowed: Quantity::Time(self.limits.cpu),
                })
            }
            Some(Ending::Signaled(signal)) => End::Killed {
                signal,
                from_outside: signal == libc::SIGKILL && !tracer.sent_sigkill(self.who),
            },
            // The main process was never reported: only a kill from outside of everything at once
            // does that.
            None => End::Killed {
                signal: libc::SIGKILL,
                from_outside: true,
            },
        }
    }

    fn memory_excess(&self) -> Excess {
        Excess {
            limit: LimitKind::Memory,
            used: Quantity::Bytes(self.memory.max(self.limits.memory)),
            allowed: Quantity::Bytes(self.limits.memory),
        }
    }

    /// Peak resident memory in bytes, once it has ended.
    pub(super) fn peak_memory(&self) -> u64 {
        self.memory
    }

    /// True if it failed by itself: it did not exit with 0.
    pub(super) fn failed(&self) -> bool {
        !matches!(self.end, None | Some(End::Exited(0) | End::Stopped))
    }
}
