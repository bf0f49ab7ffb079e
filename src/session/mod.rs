//! One run: two participants, the links between them, their limits, and how it comes to an end.
//!
//! [`run`] plays one or several [`passes`]. Each sets everything up ([`stage`]), then handles one event after the other until nothing of
//! the participants lives any more, and hands the evidence to the [verdict](crate::verdict). What
//! it decides on the way, and why, is in docs/verdicts.md; in short:
//!
//! - A participant that ends, closes its output or is stopped does its peer no harm: everything it
//!   wrote is delivered first.
//! - End of input is given only to a participant that *asks* for more, found by looking at what it
//!   waits for ([`looking`]). So whether it saw the end before it decided does not depend on time.
//! - If the contestant failed, the interactor is not shown an end of input at all: when it asks,
//!   the run is over.
//! - Both asking with nothing on the way is a deadlock.
//!
//! Nothing here sleeps or blocks while the programs may run; the only wait is the reactor's. Once a
//! run is decided, a program that is stopped may be waited for and looked into, for a bounded time.

mod bounds;
mod checking;
mod conclusion;
mod ground;
mod impasse;
mod looking;
mod passes;
mod record;
mod relay;
mod remove;
mod scratch;
mod stage;

use std::path::PathBuf;
use std::time::Duration;

use crate::channel::Link;
use crate::error::{Context, Result};
use crate::evidence::{Deadlock, Decision, End, Unflushed};
use crate::interrupts;
use crate::outcome::Diagnosis;
use crate::participant::Participant;
use crate::reactor::{self, Reactor};
use crate::sandbox::tracer::{Happening, Tracer};
use crate::spec::plan::Plan;
use crate::transcript::event::Event;
use looking::Looks;
pub use passes::run;
use passes::{Pass, Played};
use record::Record;
use relay::Relay;
use scratch::Scratch;

/// When to look again at what is being killed. It needs the CPU that we would take from it.
const AGAIN: Duration = Duration::from_millis(32);

/// Index of the contestant, and of the link that it writes to.
const CONTESTANT: usize = 0;
/// Index of the interactor, and of the link that it writes to.
const INTERACTOR: usize = 1;

/// The link that a participant reads, and its peer.
fn other(side: usize) -> usize {
    1 - side
}

/// What a descriptor in the poll belongs to; see [`reactor::Event::Ready`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// There is something on this participant's standard error.
    Stderr(usize),
    /// There is something on this link's output.
    Output(usize),
    /// There is room on this link's input.
    Room(usize),
}

impl Source {
    fn tag(self) -> usize {
        match self {
            Source::Stderr(side) => side * 3,
            Source::Output(link) => link * 3 + 1,
            Source::Room(link) => link * 3 + 2,
        }
    }

    fn of(tag: usize) -> Source {
        match tag % 3 {
            0 => Source::Stderr(tag / 3),
            1 => Source::Output(tag / 3),
            _ => Source::Room(tag / 3),
        }
    }
}

/// A run under way.
pub(crate) struct Session<'a> {
    plan: &'a Plan,
    /// Which pass of the run it is.
    pass: Pass,
    reactor: Reactor,
    tracer: Tracer,
    /// The contestant and the interactor.
    participants: [Participant; 2],
    /// The links that each of them writes to.
    links: [Link; 2],
    scratch: Scratch,
    record: Record,
    looks: Looks,
    relay: Relay,
    warnings: Vec<String>,
    /// A source was left before it was empty, to be fair to the others.
    more: bool,
    /// Before this moment no limit can be exceeded without an event.
    next_check: Duration,
    decision: Option<Decision>,
    message: String,
    /// The input of another pass, for which the interactor has asked.
    next: Option<PathBuf>,
    deadlock: Option<Deadlock>,
    diagnosis: Option<Diagnosis>,
    unflushed: Vec<Unflushed>,
    /// Until when the contestant of a deadlock may go on to be looked at.
    overtime: Option<Duration>,
    interrupted: Option<i32>,
    /// What is held as long as the session lasts: its CPU and identities.
    held: stage::Held,
}

impl Session<'_> {
    fn play(mut self) -> Result<Played> {
        self.record.start();
        for side in [INTERACTOR, CONTESTANT] {
            let participant = &self.participants[side];
            let pid = Some(participant.sandbox.main);
            let role = participant.role;
            self.record
                .event(Duration::ZERO, &Event::Start { role, pid });
            self.tracer.release(self.participants[side].who);
        }
        // One that came before the reactor listened.
        if let Some(signal) = interrupts::seen() {
            self.interrupt(signal);
        }
        let mut events = Vec::new();
        let mut happenings = Vec::new();
        self.set_deadline()?;
        while !self.participants.iter().all(Participant::is_gone) {
            self.relay()?;
            self.reactor.wait(&mut events)?;
            let more = std::mem::take(&mut self.more);
            for event in events.drain(..) {
                self.handle(event, &mut happenings)?;
            }
            if more {
                self.tracees(&mut happenings)?;
                (0..2).try_for_each(|side| self.pump(side).and_then(|()| self.drain(side)))?;
            }
            self.relay.begin(self.record.now());
            self.advance()?;
            self.set_deadline()?;
        }
        self.finish()
    }

    fn handle(&mut self, event: reactor::Event, happenings: &mut Vec<Happening>) -> Result<()> {
        match event {
            reactor::Event::Output(link) => self.output(link),
            reactor::Event::Ready(tag) => match Source::of(tag) {
                Source::Stderr(side) => self.drain(side),
                Source::Output(link) | Source::Room(link) => self.pump(link),
            },
            reactor::Event::Tracees => self.tracees(happenings),
            reactor::Event::Deadline => self.deadline(),
            reactor::Event::Interrupted(signal) => {
                self.interrupt(signal);
                Ok(())
            }
        }
    }

    /// A sandboxed process or thread has something to report.
    fn tracees(&mut self, happenings: &mut Vec<Happening>) -> Result<()> {
        let before = self.most_tasks();
        self.more |= self.tracer.take(happenings)?;
        if self.most_tasks() > before {
            // More tasks at once reach a CPU limit sooner than was worked out.
            self.next_check = self.record.now();
        }
        happenings
            .drain(..)
            .try_for_each(|happening| self.happened(happening))
    }

    /// An output file has grown, or a descriptor of it was closed.
    fn output(&mut self, link: usize) -> Result<()> {
        // While the reader's pipe is full, its room is what we wait for.
        if self.links[link].is_blocked() {
            return self.check_output(link);
        }
        let before = self.links[link].delivered();
        self.pump(link)?;
        if self.links[link].delivered() == before && !self.relay.has_passed_on() {
            // Perhaps it was closed, which matters to a reader that asks.
            self.looks.soon(self.record.now());
        }
        Ok(())
    }

    /// Delivers what a link has.
    fn pump(&mut self, link: usize) -> Result<()> {
        let at = self.record.now();
        let (writer, reader) = (link, other(link));
        let role = self.participants[writer].role;
        let record = &mut self.record;
        let pumped = self.links[link]
            .pump(|bytes| record.message(at, role, bytes))
            .context(|| format!("deliver the {role}'s output"))?;
        self.more |= pumped.more;
        if pumped.delivered > 0 {
            self.participants[writer].messages += 1;
            self.participants[writer].turns.wrote(at);
            self.participants[reader].turns.received(at);
            for side in [reader, writer] {
                self.participants[side].asked = 0;
                self.participants[side].only_asking = None;
            }
            self.looks.moved(at);
            self.relay.given = Some(reader);
        }
        if self.links[link].delivered() > self.participants[writer].limits.output
            || self.links[link].is_blocked()
        {
            self.check_output(link)?;
        }
        Ok(())
    }

    /// Takes what a participant wrote to its standard error.
    fn drain(&mut self, side: usize) -> Result<()> {
        let at = self.record.now();
        let participant = &mut self.participants[side];
        let (role, record) = (participant.role, &mut self.record);
        let more = participant
            .stderr
            .drain(|offset, bytes| record.stderr(at, role, offset, bytes))
            .context(|| format!("read the {role}'s standard error"))?;
        self.more |= more;
        Ok(())
    }

    fn happened(&mut self, happening: Happening) -> Result<()> {
        let at = self.record.now();
        match happening {
            Happening::Ended { who, how } => {
                self.participants[who].main_ended(how, at, &mut self.tracer);
            }
            Happening::Gone { who } => self.gone(who)?,
            Happening::Forbidden { who, call } => self.participants[who].forbid(call),
            // Sessions have channels.
            Happening::Wrote { .. } => {}
            Happening::Refused { who, call } => {
                let role = self.participants[who].role;
                self.record.event(at, &Event::Refused { role, call });
            }
        }
        Ok(())
    }

    /// Nothing of a participant lives any more: its output is complete.
    fn gone(&mut self, side: usize) -> Result<()> {
        self.pump(side)?;
        while {
            self.more = false;
            self.drain(side)?;
            self.more
        } {}
        self.more = true;
        let at = self.record.now();
        let (output, kept) = self.output_of(side)?;
        let participant = &mut self.participants[side];
        let end = participant
            .conclude(at, &mut self.tracer, output, kept)
            .clone();
        let role = participant.role;
        let total = participant.stderr.kept().total;
        self.record.stderr_total(at, role, total);
        if let End::Limit(excess) = &end {
            self.record.event(at, &Event::limit(role, excess));
        }
        self.record.event(at, &Event::end(role, &end));
        // What it did not read is counted; its peer can go on writing.
        let link = &mut self.links[other(side)];
        if let Some(room) = link.writable() {
            self.reactor.deregister(room)?;
        }
        link.reader_is_gone()
            .context(|| "look at what was not read".into())?;
        if self.plan.channel == crate::spec::plan::ChannelKind::Direct
            && let Some(output) = link.readable()
        {
            self.reactor
                .register_readable(output, Source::Output(other(side)).tag())?;
            self.pump(other(side))?;
        }
        self.looks.soon(at);
        Ok(())
    }

    fn most_tasks(&self) -> u32 {
        self.participants
            .iter()
            .map(|p| self.tracer.task_counts(p.who).1)
            .sum()
    }

    /// Bytes that a participant wrote, and those of them that lie in memory on its account.
    fn output_of(&self, side: usize) -> Result<(u64, u64)> {
        let link = &self.links[side];
        Ok((
            link.written().context(|| "look at an output".into())?,
            link.peak_kept(),
        ))
    }

    fn interrupt(&mut self, signal: i32) {
        if self.interrupted.is_none() {
            self.interrupted = Some(signal);
            self.record
                .event(self.record.now(), &Event::Signal { signal });
        }
        self.stop_both();
    }

    fn stop_both(&mut self) {
        for participant in &mut self.participants {
            participant.stop(&mut self.tracer);
        }
    }

    /// What follows from everything that has happened so far.
    fn advance(&mut self) -> Result<()> {
        let undecided = self.decision.is_none() && self.overtime.is_none();
        if undecided && self.participants[INTERACTOR].is_gone() {
            self.interactor_has_decided();
        }
        let at = self.record.now();
        if self.looks.is_due(at) {
            self.look(at)?;
        }
        Ok(())
    }
}
