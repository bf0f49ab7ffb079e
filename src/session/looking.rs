//! Looking at what the participants wait for, when nothing has moved for a moment.
//!
//! A look decides three things that no event tells: whether end of input is due to someone, whether
//! both wait for each other, and whether a side rests on its own turn. The first look comes shortly
//! after the last movement and further ones at growing intervals, so that nothing is spent on it
//! while data flows and little while someone computes.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{CONTESTANT, INTERACTOR, Session, other};
use crate::error::{Context, Result};
use crate::evidence::Deadlock;
use crate::participant::Around;
use crate::sandbox::traffic::{Traffic, exchanged};
use crate::sandbox::waiting::{self, Horizon};
use crate::spec::plan::ChannelKind;
use crate::sys::Pid;
use crate::transcript::event::Event;

/// When to look next. Times are since the start of the session.
#[derive(Debug, Clone)]
pub(super) struct Looks {
    next: Duration,
    interval: Duration,
    /// Every look since then has found both sides asking.
    both_asking: Option<BothAsking>,
}

/// Both sides ask.
#[derive(Debug, Clone)]
struct BothAsking {
    since: Duration,
    asleep: Option<Asleep>,
    /// What both have read and written up to the last look, where we do not see what they say.
    traffic: [Option<Traffic>; 2],
}

/// No task of either side has woken for a while.
#[derive(Debug, Clone)]
struct Asleep {
    since: Duration,
    /// How often each task had gone to sleep then.
    sleeps: [BTreeMap<Pid, u64>; 2],
    /// How long each side must be asleep before it is believed to be for ever, as the last look
    /// had it; `None` if that cannot be told.
    enough: [Option<Duration>; 2],
}

/// The first look after a movement.
const FIRST: Duration = Duration::from_millis(2);
/// The first look when something is expected to have changed.
const SOON: Duration = Duration::from_micros(100);
/// The longest interval between looks.
const LONGEST: Duration = Duration::from_millis(32);

impl Default for Looks {
    fn default() -> Self {
        Looks {
            next: FIRST,
            interval: FIRST,
            both_asking: None,
        }
    }
}

impl Looks {
    /// Data was delivered: whoever asked does so no more.
    pub(super) fn moved(&mut self, at: Duration) {
        self.next = at + FIRST;
        self.interval = FIRST;
        self.both_asking = None;
    }

    /// Something has changed that a look would find.
    pub(super) fn soon(&mut self, at: Duration) {
        self.next = self.next.min(at);
        self.interval = SOON;
    }

    fn looked(&mut self, at: Duration) {
        self.next = at + self.interval;
        self.interval = (self.interval * 2).min(LONGEST);
    }

    /// True if it is time.
    pub(super) fn is_due(&self, at: Duration) -> bool {
        at >= self.next
    }

    /// When it is time.
    pub(super) fn next(&self) -> Duration {
        self.next
    }
}

impl Session<'_> {
    /// Looks at both sides and acts on what shows.
    pub(super) fn look(&mut self, at: Duration) -> Result<()> {
        self.looks.looked(at);
        for side in [CONTESTANT, INTERACTOR] {
            if self.participants[side].is_running() {
                self.look_at(side, at)?;
            }
        }
        for side in [CONTESTANT, INTERACTOR] {
            self.end_of_input_if_due(side, at)?;
        }
        self.find_deadlock(at)?;
        self.record.quiet();
        Ok(())
    }

    fn look_at(&mut self, side: usize, at: Duration) -> Result<()> {
        let link = &self.links[other(side)];
        let participant = &mut self.participants[side];
        let tasks = self.tracer.tasks(participant.who);
        let horizon = Horizon {
            reach: participant.limits.idle,
            lived: at,
        };
        let mut seen = waiting::look(tasks, link.input_inode(), horizon);
        // Asked after the look: who ended meanwhile is still on its way, or has woken someone.
        seen.runs |= self.tracer.has_one_leaving(participant.who);
        // Asked after the look: what is there now may have come since, but then it was not asking
        // in vain.
        let unread_output = !self.links[side]
            .is_empty()
            .context(|| "look at a channel".into())?;
        let nothing_to_read = link.is_empty().context(|| "look at a channel".into())?;
        let cpu = self.tracer.usage(participant.who).cpu();
        // A writer whose reader does not take what it wrote waits for that reader, as one that asks
        // waits for its writer. In tmpfs nobody is held up; what is written there is standard error,
        // which we are about to read.
        let held_up = self.plan.channel != ChannelKind::Tmpfs && unread_output;
        let around = Around {
            nothing_to_read,
            held_up,
        };
        participant.looked(at, seen, cpu, around);
        Ok(())
    }

    /// Gives a side end of input if it asks for more and there can be no more. If the contestant
    /// has failed, an interactor that asks is stopped instead: what it would make of the end must
    /// not become the verdict.
    fn end_of_input_if_due(&mut self, side: usize, at: Duration) -> Result<()> {
        let peer = other(side);
        let participant = &self.participants[side];
        let enough = if participant.seen.reads { 1 } else { 2 };
        if !participant.is_running()
            || participant.asked < enough
            || !self.links[peer].input_is_open()
        {
            return Ok(());
        }
        let peer_is_gone = self.participants[peer].is_gone();
        if !peer_is_gone {
            // Whoever is on its way out is no writer any more, but its end is yet to be told.
            if self.tracer.has_one_leaving(self.participants[peer].who) {
                return Ok(());
            }
            let writers: Vec<_> = self
                .tracer
                .tasks(self.participants[peer].who)
                .map(|(task, _)| task)
                .collect();
            let closed = self.participants[peer].is_running()
                && self.links[peer]
                    .writer_closed(&writers)
                    .context(|| "look at a channel".into())?;
            // A process that is on its way out has closed everything too, but then its end says
            // more than its silence: that is waited for.
            if !closed || writers.iter().all(|task| waiting::is_leaving(*task)) {
                return Ok(());
            }
            // Its last words may have come since the look.
            self.pump(peer)?;
        }
        if !self.links[peer]
            .is_empty()
            .context(|| "look at a channel".into())?
        {
            return Ok(());
        }
        if !peer_is_gone && !self.participants[peer].closed_stdout {
            self.participants[peer].closed_stdout = true;
            let role = self.participants[peer].role;
            self.record.event(at, &Event::ClosedOutput { role });
        }
        if side == INTERACTOR && peer_is_gone && self.participants[CONTESTANT].failed() {
            if !self.has_nothing_to_decide(at) {
                return Ok(());
            }
            self.participants[INTERACTOR].stop(&mut self.tracer);
            return Ok(());
        }
        if let Some(room) = self.links[peer].writable() {
            self.reactor.deregister(room)?;
        }
        self.links[peer].end_input();
        self.participants[side].given_end_of_input = true;
        self.record.event(
            at,
            &Event::EndOfInput {
                role: self.participants[side].role,
            },
        );
        self.looks.soon(at + FIRST);
        Ok(())
    }

    /// True if the interactor, which asks, will not decide by what it was given already: one of its
    /// threads may ask while another still thinks, or exits for all of them.
    fn has_nothing_to_decide(&self, at: Duration) -> bool {
        // Tasks are looked at one after the other, so a look can miss what goes from one of them to
        // another, and a thread still asks for a moment when the process is at its end.
        const SETTLED: Duration = Duration::from_millis(20);
        // One that spins until its reading thread has something would otherwise do so to its limit.
        const PATIENCE: u32 = 64;
        let interactor = &self.participants[INTERACTOR];
        self.tracer.has_one_task(interactor.who)
            || interactor
                .only_asking
                .is_some_and(|since| at >= since + SETTLED)
            || interactor.asked >= PATIENCE
    }

    /// Both alive, both asking, nothing undelivered. That nothing but input can wake either is
    /// proven by two looks between which no task of theirs has woken; if some have timeouts, they
    /// must have passed in vain meanwhile. A side whose tasks wake again and again is believed
    /// when it has asked for as long as it may be idle.
    fn find_deadlock(&mut self, at: Duration) -> Result<()> {
        // One that was given end of input waits for nobody: it is about to notice.
        let waits = |side: usize| {
            let participant = &self.participants[side];
            let waits = participant.is_running() && !participant.turns.is_acting();
            waits && self.links[other(side)].input_is_open()
        };
        if !(waits(CONTESTANT) && waits(INTERACTOR)) {
            self.looks.both_asking = None;
            return Ok(());
        }
        let runs = |side: usize| self.participants[side].seen.runs;
        if runs(CONTESTANT) || runs(INTERACTOR) {
            // It has woken, and perhaps has waited for a CPU since.
            if let Some(both) = &mut self.looks.both_asking {
                both.asleep = None;
            }
            return Ok(());
        }
        let sleeps = match [CONTESTANT, INTERACTOR].map(|side| self.sleeps(side)) {
            [Some(one), Some(two)] => Some([one, two]),
            _ => None,
        };
        let traffic = [CONTESTANT, INTERACTOR].map(|side| self.traffic(side));
        // A look can miss that one has said something and the other has asked anew.
        let unseen = self.plan.channel == ChannelKind::Direct;
        let both = self.looks.both_asking.take();
        let both = both.filter(|both| !(unseen && exchanged(both.traffic, traffic)));
        let mut both = both.unwrap_or(BothAsking {
            since: at,
            asleep: None,
            traffic,
        });
        both.traffic = traffic;
        let asked = at.saturating_sub(both.since);
        let before = both.asleep.take();
        let before = before.filter(|before| Some(&before.sleeps) == sleeps.as_ref());
        let since = before.as_ref().map_or(at, |before| before.since);
        let asleep = at.saturating_sub(since);
        let enough = [CONTESTANT, INTERACTOR].map(|side| self.enough(side, asleep));
        let is_believed = |side: usize| {
            // A task that wakes while we look may be found in a wait whose timeout is not there any
            // more. That it has woken, only the next look tells; what the last one saw was true.
            let enough = enough[side].zip(before.as_ref().and_then(|before| before.enough[side]));
            let sure = self.participants[side].asked >= 2 && !self.participants[side].seen.stopped;
            sure && !asleep.is_zero() && enough.is_some_and(|(now, then)| asleep >= now.max(then))
                || asked >= self.participants[side].limits.idle
        };
        let believed = is_believed(CONTESTANT) && is_believed(INTERACTOR);
        both.asleep = sleeps.map(|sleeps| Asleep {
            since,
            sleeps,
            enough,
        });
        self.looks.both_asking = Some(both);
        if !believed {
            return Ok(());
        }
        for side in [CONTESTANT, INTERACTOR] {
            self.pump(side)?;
        }
        // Anything that was on its way after all has reset the clock of both waiting.
        if self.looks.both_asking.is_some() {
            self.deadlock = Some(Deadlock { waited: asked });
            self.impasse(at)?;
        }
        Ok(())
    }

    /// How long all tasks of a side that asks must have been asleep before it is believed that they
    /// are for ever; `None` if that cannot be told. So far it is `asleep`.
    fn enough(&self, side: usize, asleep: Duration) -> Option<Duration> {
        /// Where there are timeouts at all, whoever passed on what woke it may be asleep again.
        const LEAST: Duration = Duration::from_millis(100);
        /// A wait may end a little late.
        const LATE: Duration = Duration::from_millis(20);
        let participant = &self.participants[side];
        let ends = participant.seen.ends;
        if ends.unknown || self.tracer.set_timer(participant.who) {
            return None;
        }
        let span = Some(ends.span).filter(|time| !time.is_zero());
        let moment = Some(ends.from_now).filter(|time| !time.is_zero());
        let moment = moment.map(|time| asleep + time);
        let Some(latest) = span.max(moment) else {
            return Some(Duration::ZERO);
        };
        // A look and the next, at least.
        Some((latest + LATE).max(LEAST))
    }

    fn traffic(&self, side: usize) -> Option<Traffic> {
        match self.plan.channel {
            ChannelKind::Direct => Traffic::of(&self.tracer.processes(self.participants[side].who)),
            ChannelKind::Tmpfs | ChannelKind::Pipe => None,
        }
    }

    fn sleeps(&self, side: usize) -> Option<BTreeMap<Pid, u64>> {
        let tasks = self.tracer.tasks(self.participants[side].who);
        waiting::sleeps(tasks.map(|(task, _)| task))
    }
}
