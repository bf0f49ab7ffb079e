//! What comes of a session: the interactor's decision, the verdict, and the outcome for the reports.

use std::path::PathBuf;

use super::checking::{self, Checked};
use super::ground::Ground;
use super::{CONTESTANT, INTERACTOR, Played, Session, other};
use crate::error::{Context, Result as OurResult};
use crate::evidence::{Decision, End, Evidence, Role, signal_name};
use crate::outcome::{Outcome, ParticipantOutcome};
use crate::participant::Streams;
use crate::protocol::{Said, decide};
use crate::spec::protocol::Protocol;
use crate::transcript::event::Event;
use crate::verdict::{Judgement, Verdict, judge};

impl Session<'_> {
    /// The interactor has ended: reads what it decided, and stops the contestant unless it has to
    /// end by itself.
    pub(super) fn interactor_has_decided(&mut self) {
        let interactor = &self.participants[INTERACTOR];
        let Some(End::Exited(code)) = interactor.end else {
            // Its own fault, or our stop: there is no decision, and nothing to wait for.
            return self.participants[CONTESTANT].stop(&mut self.tracer);
        };
        let stderr = interactor.stderr.kept();
        let stderr = [stderr.head, stderr.tail].concat();
        let said = Said {
            code,
            stderr: &stderr,
            judge_message: self.scratch.judge_message(),
            score: self.scratch.read("score.txt"),
        };
        let (mut decision, message) = decide(self.plan.interactor.protocol, &said);
        let decided_alone = !interactor.given_end_of_input;
        if matches!(decision, Decision::Accepted | Decision::Points(_)) {
            match self.next_input() {
                Ok(next) => self.next = next,
                Err(why) => decision = Decision::Undefined(why),
            }
        }
        let contestant_must_end_by_itself = match decision {
            Decision::Accepted | Decision::Points(_) => true,
            Decision::WrongAnswer | Decision::PresentationError => !decided_alone,
            Decision::Fail(_) | Decision::Undefined(_) => false,
        };
        if !contestant_must_end_by_itself {
            self.participants[CONTESTANT].stop(&mut self.tracer);
        }
        (self.decision, self.message) = (Some(decision), message);
    }

    /// Nothing of the participants lives any more: judges, and hands over what the next pass needs, if
    /// there is to be one.
    pub(super) fn finish(mut self) -> OurResult<Played> {
        let at = self.record.now();
        self.tracer.bury();
        let extra_output = self.links[CONTESTANT]
            .unread()
            .context(|| "look at what was not read".into())?;
        let [contestant, interactor] = &self.participants;
        let evidence = Evidence {
            internal: self
                .interrupted
                .map(|s| format!("interrupted by {}", signal_name(s))),
            contestant: crate::evidence::ContestantEvidence {
                end: contestant.end.clone(),
                refused: self.tracer.refused(contestant.who),
                closed_stdout: contestant.closed_stdout,
            },
            interactor: crate::evidence::InteractorEvidence {
                end: interactor.end.clone(),
                decision: self.decision.clone(),
                given_end_of_input: interactor.given_end_of_input,
            },
            deadlock: self.deadlock.clone(),
            unflushed: self.all_unflushed(),
            extra_output,
        };
        let mut judgement = self.pass.judged(judge(&evidence, &self.plan.policy));
        let next = self.next.take().filter(|_| {
            let accepted = [Verdict::Accepted, Verdict::Points].contains(&judgement.verdict);
            accepted && self.interrupted.is_none()
        });
        let checked = self.checked(&judgement)?;
        if let Some(checked) = &checked {
            judgement = checked.judgement.clone();
            self.message.clone_from(&checked.message);
            self.warnings.extend(checked.warnings.iter().cloned());
            self.interrupted = self.interrupted.or(checked.interrupted);
        }
        // The checker has taken time as well.
        let at = self.record.now().max(at);
        if next.is_none() {
            self.record.event(at, &Event::verdict(&judgement));
        }
        if let Some(target) = &self.plan.interactor.keep_output
            && next.is_none()
            && let Err(e) = self.scratch.keep(target)
        {
            let (target, reason) = (crate::error::shown(target), crate::error::reason(&e));
            self.warnings.push(format!(
                "cannot keep the interactor's output in {target}: {reason}"
            ));
        }
        let outcomes = [CONTESTANT, INTERACTOR].map(|side| self.outcome_of(side));
        let [contestant, interactor] = outcomes;
        if extra_output > 0 && self.decision == Some(Decision::Accepted) {
            self.warnings.push(format!(
                "{extra_output} bytes of the contestant's output were never read by the interactor"
            ));
        }
        let (kept, record) = match next {
            Some(_) => {
                let (kept, record) = self.record.go_on(at, self.pass.number + 1);
                (kept, Some(record))
            }
            None => (self.record.finish(at), None),
        };
        self.warnings.extend(kept.failed);
        let outcome = Box::new(Outcome {
            title: self.plan.title.clone(),
            judgement,
            evidence,
            contestant: contestant?,
            interactor: interactor?,
            message: self.message,
            elapsed: at,
            checker: checked.map(|checked| checked.program),
            passes: Vec::new(),
            isolation: self.participants[CONTESTANT].sandbox.layers.clone(),
            diagnosis: self.diagnosis,
            recent: kept.recent,
            timeline: kept.timeline,
            warnings: self.warnings,
            transcript: self.plan.transcript.clone(),
            interrupted: self.interrupted,
        });
        Ok(match next.zip(record) {
            None => Played::Over(outcome),
            Some((input, record)) => {
                let ground = Ground {
                    cpu: self.held.cpu,
                    identities: self.held.identities,
                    scratch: self.scratch,
                    record,
                };
                Played::GoesOn(outcome, Box::new(ground), input)
            }
        })
    }

    /// Has the checker look at what an interactor that accepts has written, if there is a checker.
    fn checked(&mut self, judgement: &Judgement) -> OurResult<Option<Checked>> {
        let accepted = [Verdict::Accepted, Verdict::Points].contains(&judgement.verdict);
        let Some(checker) = self.plan.interactor.checker.as_ref().filter(|_| accepted) else {
            return Ok(None);
        };
        let output = self.scratch.output();
        let output = output.context(|| "take the interactor's output for the checker".into())?;
        let cpus = self.held.cpu.cpus.as_deref();
        checking::check(self.plan, checker, cpus, &output, judgement).map(Some)
    }

    /// The input of the pass that the interactor asks for, if it asks for one; or why that cannot be.
    fn next_input(&mut self) -> Result<Option<PathBuf>, String> {
        let (number, most) = (self.pass.number, self.plan.interactor.passes);
        if self.plan.interactor.protocol != Protocol::Icpc || !self.scratch.has_next() {
            return Ok(None);
        }
        match most {
            1 => {
                self.warnings.push(
                    "the interactor left `nextpass.in`, which asks for another pass, but this \
                     problem has only one"
                        .to_owned(),
                );
                Ok(None)
            }
            most if number >= most => Err(format!(
                "it asks for another pass after pass {number}, and there may be {most}"
            )),
            _ => match self.scratch.take_next(number + 1) {
                Ok(input) => Ok(Some(input)),
                Err(error) => Err(format!(
                    "the `nextpass.in` that it left cannot be read: {}",
                    crate::error::reason(&error)
                )),
            },
        }
    }

    pub(super) fn outcome_of(&mut self, side: usize) -> OurResult<ParticipantOutcome> {
        let at = self.record.now();
        let (stdout_bytes, _) = self.output_of(side)?;
        let participant = &self.participants[side];
        let command = match participant.role {
            Role::Contestant => &self.plan.contestant.command,
            Role::Interactor => &self.plan.interactor.command,
        };
        let streams = Streams {
            read: self.links[other(side)].delivered(),
            written: stdout_bytes,
        };
        Ok(participant.outcome(at, &mut self.tracer, command, streams))
    }
}
