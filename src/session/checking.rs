//! A checker after the interactor: it looks at what the interactor wrote down, and decides.
//!
//! Problems for testlib may have one: where the interactor accepts, it has written its findings into
//! the output file, and the checker is started as `checker INPUT OUTPUT ANSWER` and says by testlib's
//! exit codes what they are worth. It runs alone, in a sandbox as strict as the contestant's. (So it
//! is in Polygon, where a problem with an interactor has a checker as well.)

use std::path::Path;

use crate::error::Result;
use crate::evidence::{Decision, End, signal_name};
use crate::outcome::ParticipantOutcome;
use crate::protocol::{Said, decide};
use crate::runner;
use crate::spec::plan::{Capture, CheckerPlan, Cpus, Plan, RunnerPlan};
use crate::spec::protocol::Protocol;
use crate::transcript::event::EndRecord;
use crate::verdict::{Judgement, Verdict};

/// What came of a checker.
pub(super) struct Checked {
    /// What is judged of the run now.
    pub(super) judgement: Judgement,
    /// What it said.
    pub(super) message: String,
    pub(super) program: ParticipantOutcome,
    pub(super) warnings: Vec<String>,
    pub(super) interrupted: Option<i32>,
}

/// Runs a checker on the output file of an interactor that has accepted, with this judgement.
pub(super) fn check(
    plan: &Plan,
    checker: &CheckerPlan,
    cpus: Option<&[usize]>,
    output: &Path,
    before: &Judgement,
) -> Result<Checked> {
    let (input, answer) = (&plan.interactor.input, &plan.interactor.answer);
    let nothing = Path::new("/dev/null");
    let files = [
        input.as_path(),
        output,
        answer.as_deref().unwrap_or(nothing),
    ];
    let mut command = checker.command.clone();
    command.argv.extend(files.map(Into::into));
    // That device is in every sandbox.
    let shown = files.into_iter().filter(|file| *file != nothing);
    command.reads.extend(shown.map(Path::to_owned));
    let ran = runner::run(&RunnerPlan {
        command,
        limits: checker.limits.clone(),
        stdin: Some(nothing.to_owned()),
        capture: Capture::Pipe,
        stdout: None,
        cpus: cpus.map_or(Cpus::All, |cpus| Cpus::Set(cpus.to_vec())),
        isolation: plan.isolation,
        require: plan.require.clone(),
        explain: plan.explain,
    })?;
    let (decision, message) = match &ran.program.end {
        Some(End::Exited(code)) => {
            let stderr = [&ran.program.stderr.head[..], &ran.program.stderr.tail].concat();
            let said = Said {
                code: *code,
                stderr: &stderr,
                ..Said::default()
            };
            decide(Protocol::Testlib, &said)
        }
        Some(end) => (
            Decision::Undefined(EndRecord::from(end).to_string()),
            String::new(),
        ),
        None => (
            Decision::Undefined("it was not run".to_owned()),
            String::new(),
        ),
    };
    let judgement = match ran.interrupted {
        None => judged(&decision, before.row),
        Some(signal) => Judgement {
            verdict: Verdict::InternalError,
            score: None,
            reason: format!(
                "interrupted by {} while the checker ran",
                signal_name(signal)
            ),
            row: before.row,
        },
    };
    Ok(Checked {
        judgement,
        message,
        program: ran.program,
        warnings: ran.warnings,
        interrupted: ran.interrupted,
    })
}

/// The judgement of a run whose interactor has accepted and whose contestant ended well, as this row
/// of the table has it.
fn judged(decision: &Decision, row: u8) -> Judgement {
    let (verdict, score, reason) = match decision {
        Decision::Accepted => (
            Verdict::Accepted,
            None,
            "the interactor accepted, the contestant ended well, and the checker accepted"
                .to_owned(),
        ),
        Decision::Points(score) if score.is_finite() => (
            Verdict::Points,
            Some(*score),
            format!("the interactor accepted, and the checker gave {score} points"),
        ),
        Decision::Points(score) => (
            Verdict::JudgeError,
            None,
            format!("the checker gave {score} points, which is no number"),
        ),
        Decision::WrongAnswer => (Verdict::WrongAnswer, None, rejected("wrong answer")),
        Decision::PresentationError => (
            Verdict::PresentationError,
            None,
            rejected("presentation error"),
        ),
        Decision::Fail(words) => (
            Verdict::JudgeError,
            None,
            format!("the checker says that it failed: {words}"),
        ),
        Decision::Undefined(why) => (
            Verdict::JudgeError,
            None,
            format!("the checker failed: {why}"),
        ),
    };
    Judgement {
        verdict,
        score,
        reason,
        row,
    }
}

fn rejected(how: &str) -> String {
    format!("the interactor accepted, but the checker rejected what it had written down ({how})")
}
