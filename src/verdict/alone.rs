//! The judgement of a program that ran without an interactor: what it failed of, if it did.
//!
//! These are rows 1, 3, 5 and 6 of the table, which are about one program only, in the same order
//! and the same words.

use super::{Verdict, reason, rows};
use crate::evidence::{ContestantEvidence, End};

/// What became of a program alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// What it failed of; `None` if it ended with exit code 0 within its limits.
    pub failure: Option<Verdict>,
    /// One sentence without a capital at its beginning and without a full stop.
    pub reason: String,
}

/// Judges a program that ran alone. `internal` is a failure of our own machinery, or an
/// interruption, in words.
pub fn judge_alone(program: &ContestantEvidence, internal: Option<&str>) -> Alone {
    let failed = |verdict, reason| Alone {
        failure: Some(verdict),
        reason,
    };
    let it = |phrase: &str| format!("the program {phrase}");
    if let Some(text) = internal {
        return failed(Verdict::InternalError, reason::internal_alone(text));
    }
    match &program.end {
        None => failed(
            Verdict::InternalError,
            reason::gap("how the program ended was not recorded"),
        ),
        Some(End::NotStarted(failure)) if failure.step != rows::EXEC => {
            failed(Verdict::InternalError, reason::set_up_alone(failure))
        }
        Some(End::Forbidden(call)) => {
            failed(Verdict::SecurityViolation, it(&reason::forbidden(call)))
        }
        Some(End::Limit(excess)) => failed(
            rows::verdict_of(excess.limit),
            it(&reason::over_alone(excess)),
        ),
        Some(End::Stopped) => failed(
            Verdict::InternalError,
            reason::gap("the program was stopped for no recorded reason"),
        ),
        Some(_) => match rows::failure(program) {
            Some((verdict, phrase)) => failed(verdict, it(&phrase)),
            None => Alone {
                failure: None,
                reason: it("ended with exit code 0"),
            },
        },
    }
}
