//! What comes of a session: the interactor's decision, the verdict, and the outcome for the reports.

use super::{CONTESTANT, INTERACTOR, Session, other};
use crate::error::{Context, Result};
use crate::evidence::{Decision, End, Evidence, Role, signal_name};
use crate::outcome::{Outcome, ParticipantOutcome};
use crate::participant::Streams;
use crate::protocol::{Said, decide};
use crate::transcript::event::Event;
use crate::verdict::judge;

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
            judge_message: self.scratch.read("judgemessage.txt"),
            score: self.scratch.read("score.txt"),
        };
        let (decision, message) = decide(self.plan.interactor.protocol, &said);
        let decided_alone = !interactor.given_end_of_input;
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

    pub(super) fn finish(mut self) -> Result<Outcome> {
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
        let judgement = judge(&evidence, &self.plan.policy);
        self.record.event(at, &Event::verdict(&judgement));
        if let Some(target) = &self.plan.interactor.keep_output
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
        let kept = self.record.finish(at);
        self.warnings.extend(kept.failed);
        Ok(Outcome {
            title: self.plan.title.clone(),
            judgement,
            evidence,
            contestant: contestant?,
            interactor: interactor?,
            message: self.message,
            elapsed: at,
            isolation: self.participants[CONTESTANT].sandbox.layers.clone(),
            diagnosis: self.diagnosis,
            recent: kept.recent,
            timeline: kept.timeline,
            warnings: self.warnings,
            transcript: self.plan.transcript.clone(),
            interrupted: self.interrupted,
        })
    }

    pub(super) fn outcome_of(&mut self, side: usize) -> Result<ParticipantOutcome> {
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
