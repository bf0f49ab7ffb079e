//! When nothing moves any more: what each side waits in, what it holds back, and a last look at a
//! contestant whose buffers cannot be read.

use std::time::Duration;

use super::{CONTESTANT, INTERACTOR, Session, other};
use crate::diagnose;
use crate::error::Result;
use crate::evidence::{Found, Role, Unflushed};
use crate::outcome::Diagnosis;
use crate::sandbox::tracer::Thread;
use crate::transcript::event::Event;

/// How long a contestant may go on after a deadlock, to be seen what it still writes. Runtimes with
/// helper threads take longer to end.
const OVERTIME: Duration = Duration::from_millis(100);
const OVERTIME_OF_ONE_TASK: Duration = Duration::from_millis(50);

impl Session<'_> {
    /// Both sides wait for each other for ever: finds out why, and ends the run.
    pub(super) fn impasse(&mut self, at: Duration) -> Result<()> {
        self.diagnose();
        for side in [CONTESTANT, INTERACTOR] {
            self.tracer
                .locate(self.participants[side].who, Thread::Main);
        }
        match self.unflushed.is_empty() {
            true => self.begin_overtime(at),
            false => {
                self.stop_both();
                Ok(())
            }
        }
    }

    /// Takes down how the sides stand to each other, and what lies in their buffers.
    pub(super) fn diagnose(&mut self) {
        let mut waits = Vec::new();
        for side in [CONTESTANT, INTERACTOR] {
            let participant = &self.participants[side];
            if participant.is_running() {
                let met_in_between = {
                    let seen = &participant.seen;
                    participant.turns.is_asking() && seen.runs && !seen.asks()
                };
                let words = match met_in_between {
                    true => "a loop that looks at its standard input",
                    false => participant.seen.words(),
                };
                waits.push((participant.role, words));
            }
        }
        self.unflushed = self.held();
        let recent = self.record.recent();
        let last = recent.messages.back();
        self.diagnosis = Some(Diagnosis {
            owes: last.map(|message| message.from.peer()),
            last_message: last.map(|message| message.at),
            unended_line: last
                .filter(|message| !message.ends_line())
                .map(|message| message.from),
            exchange: recent.last_exchange(),
            waits,
        });
    }

    /// What lies in the buffers of both sides' standard outputs.
    fn held(&self) -> Vec<Unflushed> {
        // For all processes together: the program decides how many there are.
        let until = diagnose::deadline();
        let mut all: Vec<Unflushed> = Vec::new();
        for (participant, program) in [
            (
                &self.participants[CONTESTANT],
                &self.plan.contestant.command.program,
            ),
            (
                &self.participants[INTERACTOR],
                &self.plan.interactor.command.program,
            ),
        ] {
            for process in self.tracer.processes(participant.who) {
                for found in diagnose::unflushed(process, program, until) {
                    let to_stdout = found.to_stdout;
                    let held = Unflushed {
                        role: participant.role,
                        stream: found.stream,
                        bytes: found.bytes,
                        total: found.total,
                        found: Found::InMemory,
                    };
                    // A child has a copy of what its parent held when it was born.
                    if to_stdout && !all.contains(&held) {
                        all.push(held);
                    }
                }
            }
        }
        all
    }

    /// Stops the interactor and gives the contestant end of input: many a program then writes what
    /// it held back all the time. The verdict does not depend on what it does now.
    fn begin_overtime(&mut self, at: Duration) -> Result<()> {
        self.participants[INTERACTOR].stop(&mut self.tracer);
        self.drain(CONTESTANT)?;
        let one_task = self.tracer.has_one_task(self.participants[CONTESTANT].who);
        self.overtime = Some(match one_task {
            true => at + OVERTIME_OF_ONE_TASK,
            false => at + OVERTIME,
        });
        self.participants[CONTESTANT].goes_into_overtime();
        self.links[CONTESTANT].set_aside();
        let input = &mut self.links[other(CONTESTANT)];
        if input.input_is_open() {
            if let Some(room) = input.writable() {
                self.reactor.deregister(room)?;
            }
            input.end_input();
            let role = Role::Contestant;
            self.record.event(at, &Event::EndOfInput { role });
        }
        Ok(())
    }

    /// What was found in memory, and what the contestant wrote in its overtime.
    pub(super) fn all_unflushed(&self) -> Vec<Unflushed> {
        let mut all = self.unflushed.clone();
        if let Some(late) = self.links[CONTESTANT].aside()
            && late.total > 0
        {
            all.push(Unflushed {
                role: Role::Contestant,
                stream: "standard output".to_owned(),
                bytes: late.bytes.clone(),
                total: late.total,
                found: Found::AtTheEnd,
            });
        }
        all
    }
}
