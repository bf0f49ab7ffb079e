//! A run, which is one session, or in a multi-pass problem several after each other.
//!
//! An interactor that accepts and leaves `nextpass.in` in its feedback folder asks for another pass:
//! both programs are started anew, with that file as the input. The feedback folder is kept, so that
//! the interactor can leave notes to itself; nothing of the contestant's is. The first pass that is
//! not accepted decides, or the last one. The limits are those of each pass. (The rules are those
//! of the ICPC problem package format, version 2025-09.)

use std::path::PathBuf;

use super::ground::Ground;
use super::stage;
use crate::error::Result;
use crate::outcome::{Outcome, PassOutcome};
use crate::reactor::Reactor;
use crate::spec::plan::Plan;
use crate::verdict::Judgement;

/// One of the passes of a run.
#[derive(Debug, Clone)]
pub(super) struct Pass {
    /// From 1.
    pub(super) number: u32,
    /// The interactor's input.
    pub(super) input: PathBuf,
}

impl Pass {
    /// The judgement of this pass, whose reason says which one it was of several.
    pub(super) fn judged(&self, judgement: Judgement) -> Judgement {
        match self.number {
            1 => judgement,
            number => Judgement {
                reason: format!("in pass {number}: {}", judgement.reason),
                ..judgement
            },
        }
    }
}

/// How a pass came out.
pub(super) enum Played {
    /// The run is over.
    Over(Box<Outcome>),
    /// There is to be another pass, with this input.
    GoesOn(Box<Outcome>, Box<Ground>, PathBuf),
}

/// Runs a plan to its verdict.
///
/// # Errors
/// Only what keeps the run from being judged at all: a plan that this machine cannot carry out, or
/// a failing call of ours. Whatever the programs do is an [`Outcome`].
pub fn run(plan: &Plan) -> Result<Outcome> {
    // Its signal handlers come first: from here on nothing is left behind when we are told to end.
    let mut reactor = Reactor::new()?;
    let mut ground = Ground::of(plan)?;
    let mut pass = Pass {
        number: 1,
        input: plan.interactor.input.clone(),
    };
    let mut passes = Vec::new();
    let mut warnings: Vec<String> = Vec::new();
    loop {
        let number = pass.number;
        let played = match stage::set(plan, pass, reactor, ground)? {
            stage::Set::Ready(session) => session.play()?,
            stage::Set::NotStarted(outcome) => Played::Over(outcome),
        };
        let (Played::Over(outcome) | Played::GoesOn(outcome, ..)) = &played;
        if plan.interactor.passes > 1 {
            passes.push(PassOutcome::of(outcome));
        }
        let new = |warning: &&String| !warnings.contains(warning);
        let new: Vec<String> = outcome.warnings.iter().filter(new).cloned().collect();
        warnings.extend(new);
        match played {
            Played::Over(mut outcome) => {
                outcome.elapsed = match passes.is_empty() {
                    true => outcome.elapsed,
                    false => passes.iter().map(|pass| pass.elapsed).sum(),
                };
                (outcome.passes, outcome.warnings) = (passes, warnings);
                return Ok(*outcome);
            }
            Played::GoesOn(_, same, input) => {
                ground = *same;
                pass = Pass {
                    number: number + 1,
                    input,
                };
                reactor = Reactor::new()?;
            }
        }
    }
}
