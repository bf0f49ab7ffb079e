//! One program alone in the sandbox: its input from a file, its output captured, its limits held,
//! and a judgement.
//!
//! This is what judges of problems without an interactor call a runner engine. It shares everything
//! with a [session](crate::session) but the dialogue: there is one [`Participant`], no turn, and no
//! transcript. Its `wall` limit is real time from start to end, except where it waits for input
//! from a pipe of ours; `idle` is the time in which it neither computes nor waits for that.

mod capture;
mod input;

use std::time::{Duration, Instant};

pub use capture::Captured;

use crate::channel;
use crate::error::Result;
use crate::evidence::{ContestantEvidence, End, Role, StartFailure, signal_name};
use crate::interrupts;
use crate::outcome::{ParticipantOutcome, RunnerOutcome};
use crate::participant::stderr::StderrDrain;
use crate::participant::{Around, Participant, Streams};
use crate::reactor::{Event, Reactor};
use crate::sandbox::cpus::{self, Chosen, Pinned};
use crate::sandbox::identity;
use crate::sandbox::launch::{self, Order};
use crate::sandbox::policy::Policy;
use crate::sandbox::slots::Slot;
use crate::sandbox::tracer::{Happening, Tracer};
use crate::sandbox::view::Given;
use crate::sandbox::waiting::{self, Horizon};
use crate::spec::layer::Layer;
use crate::spec::plan::RunnerPlan;
use crate::verdict::judge_alone;
use capture::Capture;
use input::Input;

/// Runs a program to its end.
///
/// # Errors
/// Only what keeps it from being run at all: a plan that this machine cannot carry out, or a
/// failing call of ours. Whatever the program does is a [`RunnerOutcome`].
pub fn run(plan: &RunnerPlan) -> Result<RunnerOutcome> {
    // Its signal handlers come first: from here on nothing is left behind when we are told to end.
    let reactor = Reactor::new()?;
    let Chosen { slot: _cpu, cpus } = cpus::choose(&plan.cpus)?;
    // From the beginning: nothing of the start is to wait for another CPU to wake up.
    let _pinned = cpus.as_deref().map(Pinned::to).transpose()?;
    let identities = identity::take(1)?;
    let (input, stdin) = Input::open(plan.stdin.as_deref())?;
    let target = plan.stdout.as_deref();
    let (capture, ends) = Capture::open(plan.capture, target, plan.limits.output)?;
    let (stderr, stderr_end) = channel::drained_pipe()?;
    let order = Order {
        program: plan.command.program.clone(),
        argv: plan.command.argv.clone(),
        given: Given {
            read: plan.command.reads.clone(),
            write: None,
            folder: launch::working_folder(),
        },
        limits: &plan.limits,
        cpus: cpus.as_deref(),
        isolation: plan.isolation,
        require: &plan.require,
        identity: identities.first().map(Slot::user_id),
        stdio: [stdin, ends.stdout, stderr_end],
        policy: Policy::of(Role::Contestant, plan.command.profile),
        reads_writes: ends.tap.is_some(),
    };
    let sandbox = match launch::begin(order)?.finish()? {
        Ok(sandbox) => sandbox,
        Err(failure) => return Ok(not_started(plan, failure)),
    };
    let isolation = sandbox.layers.clone();
    let mut warnings = input.warning().into_iter().collect::<Vec<_>>();
    warnings.extend(sandbox.warnings.clone());
    let mut tracer = Tracer::default();
    let program = Participant::new(
        Role::Contestant,
        sandbox,
        &mut tracer,
        &plan.limits,
        cpus::count(cpus.as_deref()),
        StderrDrain::new(stderr),
        ends.tap,
    );
    if plan.explain {
        tracer.explain(program.who, &plan.command.program);
    }
    if let Some(fd) = program.stderr.descriptor() {
        reactor.register_readable(fd, STDERR)?;
    }
    if let Some(fd) = capture.readable() {
        reactor.register_readable(fd, OUTPUT)?;
    }
    let runner = Runner {
        plan,
        reactor,
        tracer,
        program,
        capture,
        input,
        start: Instant::now(),
        more: false,
        next_check: Duration::ZERO,
        next_look: FIRST_LOOK,
        interval: FIRST_LOOK,
        interrupted: None,
    };
    runner.play(isolation, warnings)
}

/// What the reactor reports when there is something on standard error, and in the output's pipe.
const STDERR: usize = 0;
const OUTPUT: usize = 1;

/// The first look at what the program waits for, and the longest interval between two.
const FIRST_LOOK: Duration = Duration::from_millis(4);
const LONGEST_INTERVAL: Duration = Duration::from_millis(32);

/// A run under way.
struct Runner<'a> {
    plan: &'a RunnerPlan,
    reactor: Reactor,
    tracer: Tracer,
    program: Participant,
    capture: Capture,
    input: Input,
    start: Instant,
    /// A source was left before it was empty, to be fair to the others.
    more: bool,
    /// Before this moment no limit can be exceeded without an event.
    next_check: Duration,
    next_look: Duration,
    interval: Duration,
    interrupted: Option<i32>,
}

impl Runner<'_> {
    fn play(mut self, isolation: Vec<Layer>, warnings: Vec<String>) -> Result<RunnerOutcome> {
        self.tracer.release(self.program.who);
        // One that came before the reactor listened.
        if let Some(signal) = interrupts::seen() {
            self.interrupt(signal);
        }
        let mut events = Vec::new();
        let mut happenings = Vec::new();
        self.set_deadline()?;
        while !self.program.is_gone() {
            self.reactor.wait(&mut events)?;
            let more = std::mem::take(&mut self.more);
            for event in events.drain(..) {
                match event {
                    Event::Tracees => self.tracees(&mut happenings)?,
                    Event::Ready(STDERR) => self.drain_stderr()?,
                    Event::Ready(_) => self.drain_output()?,
                    Event::Interrupted(signal) => self.interrupt(signal),
                    Event::Deadline => self.check()?,
                    Event::Output(_) => {}
                }
            }
            if more {
                self.tracees(&mut happenings)?;
                self.drain_output()?;
                self.drain_stderr()?;
            }
            if self.now() >= self.next_look {
                self.look();
            }
            self.set_deadline()?;
        }
        self.tracer.bury();
        self.finish(isolation, warnings)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn set_deadline(&mut self) -> Result<()> {
        if self.more {
            return self.reactor.wake_at(Instant::now());
        }
        let next = self.next_check.min(self.next_look);
        self.reactor.wake_at(self.start + next)
    }

    /// The program, or something that it started, has something to report.
    fn tracees(&mut self, happenings: &mut Vec<Happening>) -> Result<()> {
        let most_tasks = |tracer: &Tracer, who| tracer.task_counts(who).1;
        let before = most_tasks(&self.tracer, self.program.who);
        self.more |= self.tracer.take(happenings)?;
        let at = self.now();
        if most_tasks(&self.tracer, self.program.who) > before {
            // More tasks at once reach a CPU limit sooner than was worked out.
            self.next_check = at;
        }
        for happening in happenings.drain(..) {
            match happening {
                Happening::Ended { how, .. } => {
                    self.program.main_ended(how, at, &mut self.tracer);
                }
                Happening::Gone { .. } => self.gone()?,
                Happening::Forbidden { call, .. } => self.program.forbid(call),
                // Counted by the tracer.
                Happening::Refused { .. } => {}
                Happening::Wrote { bytes, .. } => {
                    self.capture.keep(&bytes)?;
                    self.check_output()?;
                }
            }
        }
        Ok(())
    }

    /// Nothing of the program lives any more: what it wrote is complete.
    fn gone(&mut self) -> Result<()> {
        while self.capture.drain()? {}
        while self.program.stderr.drain(|_, _| {}).is_ok_and(|more| more) {}
        let (written, charged) = (self.capture.written()?, self.capture.charged()?);
        let at = self.now();
        self.program
            .conclude(at, &mut self.tracer, written, charged);
        Ok(())
    }

    fn drain_output(&mut self) -> Result<()> {
        self.more |= self.capture.drain()?;
        self.check_output()
    }

    fn drain_stderr(&mut self) -> Result<()> {
        use crate::error::Context;
        let more = self.program.stderr.drain(|_, _| {});
        self.more |= more.context(|| "read the program's standard error".into())?;
        Ok(())
    }

    /// Stops a program that has written more than it may. (Into a file the kernel lets it write
    /// no more than that.)
    fn check_output(&mut self) -> Result<()> {
        if self.capture.written()? > self.plan.limits.output {
            self.check()?;
        }
        Ok(())
    }

    /// Looks at the limits.
    fn check(&mut self) -> Result<()> {
        let at = self.now();
        if !self.program.is_running() {
            if !self.program.is_gone() {
                // Once more for whatever was born while it was killed.
                self.tracer.kill(self.program.who);
            }
            self.next_check = at + LONGEST_INTERVAL;
            return Ok(());
        }
        let (written, charged) = (self.capture.written()?, self.capture.charged()?);
        let checked = self.program.check(at, &mut self.tracer, written, charged);
        self.next_check = checked
            .again_after
            .map_or(Duration::MAX, |after| at + after);
        if let Some(excess) = checked.excess {
            self.program.stop_for(excess, &mut self.tracer);
            self.next_check = at + LONGEST_INTERVAL;
        }
        Ok(())
    }

    /// Looks at what the program does: only a look shows that it rests, or waits for its input.
    fn look(&mut self) {
        let at = self.now();
        self.next_look = at + self.interval;
        self.interval = (self.interval * 2).min(LONGEST_INTERVAL);
        if !self.program.is_running() {
            return;
        }
        let tasks = self.tracer.tasks(self.program.who);
        let horizon = Horizon {
            reach: self.plan.limits.idle,
            lived: at,
        };
        let mut seen = waiting::look(tasks, self.input.inode(), horizon);
        seen.runs |= self.tracer.has_one_leaving(self.program.who);
        let cpu = self.tracer.usage(self.program.who).cpu();
        // What it writes is taken by us or by the disk.
        let around = Around {
            nothing_to_read: self.input.is_empty(),
            held_up: false,
        };
        self.program.looked(at, seen, cpu, around);
        // A clock may have begun to run.
        self.next_check = self.next_check.min(at + self.interval);
    }

    fn interrupt(&mut self, signal: i32) {
        self.interrupted.get_or_insert(signal);
        self.program.stop(&mut self.tracer);
    }

    fn finish(mut self, isolation: Vec<Layer>, warnings: Vec<String>) -> Result<RunnerOutcome> {
        let at = self.now();
        let streams = Streams {
            read: self.input.read().unwrap_or(0),
            written: self.capture.written()?,
        };
        let command = &self.plan.command;
        let program = self.program.outcome(at, &mut self.tracer, command, streams);
        let evidence = ContestantEvidence {
            end: program.end.clone(),
            refused: program.refused.clone(),
            closed_stdout: false,
        };
        let interrupted = self
            .interrupted
            .map(|signal| format!("it was interrupted by {}", signal_name(signal)));
        let cut = self.capture.is_cut_by_the_disk();
        let cut = cut.then(|| "there is no room on the disk for the program's output".to_owned());
        let (output, lost) = match self.capture.finish() {
            Ok(output) => (output, None),
            Err(e) => (None, Some(e.to_string())),
        };
        let internal = interrupted.or(cut).or(lost);
        Ok(RunnerOutcome {
            judgement: judge_alone(&evidence, internal.as_deref()),
            program,
            output,
            elapsed: at,
            isolation,
            warnings,
            interrupted: self.interrupted,
        })
    }
}

/// The outcome of a run in which the program could not be started.
fn not_started(plan: &RunnerPlan, failure: StartFailure) -> RunnerOutcome {
    let end = Some(End::NotStarted(failure));
    let evidence = ContestantEvidence {
        end: end.clone(),
        ..ContestantEvidence::default()
    };
    RunnerOutcome {
        judgement: judge_alone(&evidence, None),
        program: ParticipantOutcome::unstarted(Role::Contestant, &plan.command, end, &plan.limits),
        output: None,
        elapsed: Duration::ZERO,
        isolation: Vec::new(),
        warnings: Vec::new(),
        interrupted: None,
    }
}
