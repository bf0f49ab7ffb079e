//! Limits in the course of a session: when to look at them, and what happens to whoever is over one.

use super::{AGAIN, CONTESTANT, INTERACTOR, Session};
use crate::error::{Context, Result};
use crate::evidence::{Excess, LimitKind, Quantity};

impl Session<'_> {
    /// Stops a writer that has written more than it may.
    pub(super) fn check_output(&mut self, link: usize) -> Result<()> {
        let written = self.links[link]
            .written()
            .context(|| "look at an output".into())?;
        let allowed = self.participants[link].limits.output;
        if written > allowed {
            let (used, allowed) = (Quantity::Bytes(written), Quantity::Bytes(allowed));
            self.exceed(
                link,
                Excess {
                    limit: LimitKind::Output,
                    used,
                    allowed,
                },
            );
        }
        Ok(())
    }

    pub(super) fn exceed(&mut self, side: usize, excess: Excess) {
        let flooded = self.participants[CONTESTANT].failed() && self.links[CONTESTANT].is_blocked();
        if side == INTERACTOR && excess.limit.is_time() && flooded {
            // It is still at what the contestant left, which is more than its pipe holds. The
            // contestant's failure stands, and only a rejection could have come before it.
            self.warnings.push(format!(
                "the interactor was stopped at its {} limit, while it took what the contestant had \
                 written before it failed",
                excess.limit.name()
            ));
            return self.participants[INTERACTOR].stop(&mut self.tracer);
        }
        if excess.limit == LimitKind::Idle {
            self.diagnose();
        }
        self.participants[side].stop_for(excess, &mut self.tracer);
    }

    /// A deadline has come: limits, and perhaps a look at who waits.
    pub(super) fn deadline(&mut self) -> Result<()> {
        let at = self.record.now();
        self.next_check = match at > self.plan.session {
            true => at + AGAIN,
            false => self.plan.session,
        };
        for side in 0..2 {
            if self.participants[side].is_running() {
                let (output, kept) = self.output_of(side)?;
                let participant = &self.participants[side];
                let checked = participant.check(at, &mut self.tracer, output, kept);
                if let Some(after) = checked.again_after {
                    self.next_check = self.next_check.min(at + after);
                }
                if let Some(excess) = checked.excess {
                    self.exceed(side, excess);
                }
            } else if !self.participants[side].is_gone() {
                // Once more for whatever was born while it was killed.
                self.tracer.kill(self.participants[side].who);
                self.next_check = self.next_check.min(at + AGAIN);
            }
        }
        if self.overtime.is_some_and(|until| at >= until) {
            self.participants[CONTESTANT].stop(&mut self.tracer);
        }
        if at > self.plan.session {
            let excess = Excess {
                limit: LimitKind::Session,
                used: Quantity::Time(at),
                allowed: Quantity::Time(self.plan.session),
            };
            // Blamed on whoever's turn it is; on the contestant if that cannot be told.
            let turn = |side: usize| {
                let participant = &self.participants[side];
                participant.is_running() && participant.turns.is_acting()
            };
            let blamed = match (turn(CONTESTANT), turn(INTERACTOR)) {
                (false, true) => INTERACTOR,
                _ if self.participants[CONTESTANT].is_running() => CONTESTANT,
                _ => INTERACTOR,
            };
            self.exceed(blamed, excess);
            self.stop_both();
        }
        Ok(())
    }

    /// Sets the timer to the earliest moment at which something could have to be done.
    pub(super) fn set_deadline(&mut self) -> Result<()> {
        let at = self.record.now();
        let next = if self.more {
            at
        } else {
            let next = self.looks.next().min(self.next_check);
            // Once it has struck, what is left is to be killed.
            let overtime = self.overtime.filter(|until| *until > at);
            overtime.map_or(next, |until| next.min(until))
        };
        self.reactor.wake_at(self.record.instant(next))
    }
}
