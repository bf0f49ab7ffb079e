//! Every sentence, whole, with the verdict and the row it belongs to.

use super::*;

mod contestant_failed;
mod deadlocked;
mod decided;
mod others_failed;

/// `row verdict: reason`.
fn told(evidence: &Evidence, policy: &Policy) -> String {
    let judgement = judge(evidence, policy);
    format!(
        "{} {}: {}",
        judgement.row,
        judgement.verdict.letters(),
        judgement.reason
    )
}

/// Asserts what is told of each evidence under the default policy.
#[track_caller]
fn assert_told<const N: usize>(cases: [(Evidence, &str); N]) {
    for (evidence, expected) in cases {
        let told = told(&evidence, &Policy::default());
        assert_eq!(told, expected, "{evidence:#?}");
    }
}

fn with_internal(text: &str, evidence: Evidence) -> Evidence {
    Evidence {
        internal: Some(text.to_owned()),
        ..evidence
    }
}

fn with_refused<const N: usize>(refused: [Refusal; N], mut evidence: Evidence) -> Evidence {
    evidence.contestant.refused = refused.into();
    evidence
}

fn with_extra(extra_output: u64, evidence: Evidence) -> Evidence {
    Evidence {
        extra_output,
        ..evidence
    }
}

fn half_closed(mut evidence: Evidence) -> Evidence {
    evidence.contestant.closed_stdout = true;
    evidence
}
