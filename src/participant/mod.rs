//! One program that was started: its sandbox, what limits it, and what became of it.
//!
//! A [session](crate::session) has two of them that talk to each other, the
//! [runner](crate::runner) has one. Neither a peer nor an event is known here.

pub(crate) mod stderr;
pub(crate) mod turns;
mod watch;

use std::time::Duration;

use stderr::StderrDrain;
use turns::{State, Turns};
use watch::{Sample, Watch};

use crate::diagnose::last_words::last_words;
use crate::evidence::{End, Excess, ForbiddenCall, LimitKind, Quantity, Role};
use crate::outcome::{Explanation, ParticipantOutcome};
use crate::sandbox::launch::Sandbox;
use crate::sandbox::tracer::output::Tap;
use crate::sandbox::tracer::{Ending, Thread, Tracer, Who};
use crate::sandbox::waiting::Look;
use crate::spec::command::Command;
use crate::spec::limits::Limits;

/// A participant that was started.
pub(crate) struct Participant {
    pub(crate) role: Role,
    pub(crate) sandbox: Sandbox,
    pub(crate) who: Who,
    pub(crate) limits: Limits,
    watches: Vec<Box<dyn Watch>>,
    /// How many CPUs it may run on.
    cpus: u32,
    pub(crate) turns: Turns,
    pub(crate) stderr: StderrDrain,
    /// Pieces of its output that were delivered.
    pub(crate) messages: u64,
    /// What the last look showed, its CPU time then, and when that was.
    pub(crate) seen: Look,
    pub(crate) seen_cpu: Duration,
    pub(crate) seen_at: Duration,
    /// How often in a row a look found it asking, with nothing for it to read.
    pub(crate) asked: u32,
    /// Since when every look has found it asking and doing nothing else.
    pub(crate) only_asking: Option<Duration>,
    /// The limit that it was stopped for.
    excess: Option<Excess>,
    /// The call that it was stopped for.
    forbidden: Option<ForbiddenCall>,
    /// It was stopped because the run is decided.
    stopped: bool,
    /// The run is decided, and it goes on only to be looked at.
    in_overtime: bool,
    /// How its main process ended, and when.
    ending: Option<Ending>,
    pub(crate) ended_at: Option<Duration>,
    /// Its final state, once nothing of it lives any more.
    pub(crate) end: Option<End>,
    /// It closed its standard output and went on.
    pub(crate) closed_stdout: bool,
    /// It was given end of input.
    pub(crate) given_end_of_input: bool,
    /// Its peak memory in bytes, once it has ended.
    memory: u64,
}

/// What is around a participant that is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    /// There is no input that it has not taken yet.
    pub(crate) nothing_to_read: bool,
    /// If it waits in a write, it waits for its peer.
    pub(crate) held_up: bool,
}

/// What a look at the limits showed.
pub(crate) struct Checked {
    /// The first limit that is exceeded.
    pub(crate) excess: Option<Excess>,
    /// The least time after which one could be.
    pub(crate) again_after: Option<Duration>,
}

impl Participant {
    pub(crate) fn new(
        role: Role,
        sandbox: Sandbox,
        tracer: &mut Tracer,
        limits: &Limits,
        cpus: u32,
        stderr: StderrDrain,
        tap: Option<Tap>,
    ) -> Self {
        Participant {
            role,
            who: tracer.adopt(&sandbox, limits, tap),
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
            in_overtime: false,
            ending: None,
            ended_at: None,
            end: None,
            closed_stdout: false,
            given_end_of_input: false,
            memory: 0,
        }
    }

    /// True until its main process has ended or it was told to.
    pub(crate) fn is_running(&self) -> bool {
        self.ending.is_none() && !self.is_being_killed()
    }

    /// True if we are ending it.
    pub(crate) fn is_being_killed(&self) -> bool {
        self.stopped || self.excess.is_some() || self.forbidden.is_some()
    }

    /// True once nothing of it lives any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.end.is_some()
    }

    /// What it has used. `kept` is the part of its memory that its output takes in the channel.
    fn sample(&self, at: Duration, tracer: &mut Tracer, output: u64, kept: u64) -> Sample {
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

    /// Takes in a look at its tasks, with the CPU time that it had used then: what it does.
    pub(crate) fn looked(&mut self, at: Duration, seen: Look, cpu: Duration, around: Around) {
        let used = cpu.saturating_sub(self.seen_cpu);
        // A program that polls with a timeout, again and again, wakes for a moment each time.
        let almost_still = used <= at.saturating_sub(self.seen_at) / 10;
        let asks = around.nothing_to_read && (seen.reads || (seen.asks() && almost_still));
        let held_up = seen.writes && around.held_up;
        let busy = seen.runs || (seen.writes && !held_up);
        // One that polls again and again may be met in between.
        let glimpsed = seen.runs && !seen.writes && self.turns.is_asking();
        // What asks with one thread and computes with another has something to do.
        let now = match () {
            () if glimpsed && almost_still && around.nothing_to_read => State::Asking,
            () if (asks || held_up) && !busy && almost_still => State::Asking,
            () if busy || !used.is_zero() => State::Computing,
            () if seen.stopped => State::Stopped,
            () => State::Idle,
        };
        self.turns.looked(at, now);
        self.asked = if asks { self.asked + 1 } else { 0 };
        self.only_asking = match asks && now == State::Asking {
            true => self.only_asking.or(Some(at)),
            false => None,
        };
        (self.seen, self.seen_cpu, self.seen_at) = (seen, cpu, at);
    }

    /// Looks at its limits: the first that is exceeded, and the least time after which one could
    /// be.
    pub(crate) fn check(
        &self,
        at: Duration,
        tracer: &mut Tracer,
        output: u64,
        kept: u64,
    ) -> Checked {
        let sample = self.sample(at, tracer, output, kept);
        let watches = self.watches.iter();
        Checked {
            excess: self.exceeded(&sample),
            again_after: watches.filter_map(|watch| watch.earliest(&sample)).min(),
        }
    }

    fn exceeded(&self, sample: &Sample) -> Option<Excess> {
        self.watches.iter().find_map(|watch| watch.check(sample))
    }

    /// Ends it for a limit.
    pub(crate) fn stop_for(&mut self, excess: Excess, tracer: &mut Tracer) {
        if self.is_running() {
            let thread = match excess.limit {
                LimitKind::Cpu | LimitKind::Output | LimitKind::Memory => Thread::Busiest,
                LimitKind::Wall | LimitKind::Idle | LimitKind::Session => Thread::Main,
            };
            tracer.locate(self.who, thread);
            self.excess = Some(excess);
            tracer.kill(self.who);
        }
    }

    /// It made a call that ends it; the tracer has killed it already.
    pub(crate) fn forbid(&mut self, call: ForbiddenCall) {
        if self.is_running() {
            self.forbidden = Some(call);
        }
    }

    /// Ends it because the run is decided.
    pub(crate) fn stop(&mut self, tracer: &mut Tracer) {
        if self.is_running() {
            self.stopped = true;
            tracer.kill(self.who);
        }
    }

    /// Lets it go on although the run is decided. However it ends then, it counts as stopped, and
    /// what it writes to its standard error is not reported.
    pub(crate) fn goes_into_overtime(&mut self) {
        self.in_overtime = true;
        // What it complains of now is our doing.
        self.stderr.stop_listening();
    }

    /// Its main process has ended: what it left behind is killed.
    pub(crate) fn main_ended(&mut self, how: Ending, at: Duration, tracer: &mut Tracer) {
        self.ending = Some(how);
        self.ended_at = Some(at);
        self.turns.ended(at);
        tracer.kill(self.who);
    }

    /// Nothing of it lives any more: works out how it ended.
    pub(crate) fn conclude(
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
            _ if self.in_overtime => End::Stopped,
            (Some(call), _) => End::Forbidden(call),
            (None, Some(excess)) => End::Limit(excess),
            (None, None) if self.stopped => End::Stopped,
            (None, None) if kernel_killed > 0 => End::Limit(self.memory_excess()),
            (None, None) => match self.exceeded(&sample) {
                Some(excess) => End::Limit(excess),
                None => self.own_end(tracer),
            },
        };
        self.end.insert(end)
    }

    /// The end that it chose itself.
    fn own_end(&self, tracer: &Tracer) -> End {
        match self.ending {
            Some(Ending::Exited(code)) => End::Exited(code),
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

    /// True if it failed by itself: it did not exit with 0.
    pub(crate) fn failed(&self) -> bool {
        !matches!(self.end, None | Some(End::Exited(0) | End::Stopped))
    }

    /// What it did and used, for the reports.
    pub(crate) fn outcome(
        &self,
        at: Duration,
        tracer: &mut Tracer,
        command: &Command,
        streams: Streams,
    ) -> ParticipantOutcome {
        let until = self.ended_at.unwrap_or(at);
        let usage = tracer.usage(self.who);
        let (cpu, (user, system)) = (usage.cpu(), usage.user_and_system());
        ParticipantOutcome {
            role: self.role,
            shown: command.shown.clone(),
            language: command.language.clone(),
            end: self.end.clone(),
            limits: self.limits.clone(),
            cpu,
            user,
            system,
            wall: until,
            turn: self.turns.total(until),
            states: self.turns.states(until),
            idle: self.turns.longest_rest(),
            memory: self.memory,
            tasks: tracer.task_counts(self.who).1,
            stdin_bytes: streams.read,
            stdout_bytes: streams.written,
            messages: self.messages,
            refused: tracer.refused(self.who),
            stderr: self.stderr.kept(),
            explanation: self.explanation(tracer),
        }
    }

    /// Where its program stood and what it died of, if that was to be found out and is known.
    fn explanation(&self, tracer: &Tracer) -> Option<Explanation> {
        let standing = tracer
            .is_explained(self.who)
            .then(|| tracer.standing(self.who))?;
        let standing = standing.cloned().unwrap_or_default();
        // What it said is believed only where it ended itself: it can say anything.
        let ended_itself = match self.end {
            Some(End::Exited(code)) => code != 0,
            Some(End::Killed { signal, .. }) => signal == libc::SIGABRT,
            _ => false,
        };
        let said = || {
            let stderr = self.stderr.kept();
            last_words(&[stderr.head, stderr.tail].concat())
        };
        let cause = standing.cause.or_else(|| ended_itself.then(said).flatten());
        let explanation = Explanation {
            cause,
            stack: standing.stack,
        };
        explanation.says_something().then_some(explanation)
    }
}

/// Bytes of a participant's standard streams.
pub(crate) struct Streams {
    /// Delivered to its standard input.
    pub(crate) read: u64,
    /// Written to its standard output.
    pub(crate) written: u64,
}
