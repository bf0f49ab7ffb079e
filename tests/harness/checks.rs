//! One finished judgement against its case: everything that is wrong with it, in sentences.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::case::{Case, Expected};
use super::report::{Code, Report, Side};
use super::run::{Judgement, Ran};
use super::stage::Stage;
use super::supervisor;
use super::transcript;

/// How long the `after` checks wait for what is to come true.
const PATIENCE: Duration = Duration::from_secs(1);

/// What holds for every judgement that comes to its end, whatever the verdict: the report is one
/// report, the exit status goes with it, and nothing is left behind.
pub(crate) fn sound(ran: &Ran) -> (Option<Report>, Vec<String>) {
    let mut wrong = in_order(ran);
    let report = match ran.report() {
        Ok(report) => report,
        Err(error) => {
            wrong.push(error);
            return (None, wrong);
        }
    };
    if report.verdict != report.code.words() {
        wrong.push(format!(
            "verdict {} does not go with code {}",
            report.verdict, report.code
        ));
    }
    if ran.supervised.code != Some(report.code.exit_status()) {
        let wanted = report.code.exit_status();
        wrong.push(format!("the exit status for {} is {wanted}", report.code));
    }
    if report.reason.is_empty() {
        wrong.push("the reason is empty".to_owned());
    }
    (Some(report), wrong)
}

/// What holds for every run that is not killed, even one without a report.
pub(crate) fn in_order(ran: &Ran) -> Vec<String> {
    let mut wrong = left_behind(ran);
    if ran.supervised.timed_out {
        wrong.push("it did not end in time".to_owned());
    }
    if String::from_utf8_lossy(&ran.stderr).contains("panicked at") {
        wrong.push("the coordinator panicked".to_owned());
    }
    wrong
}

/// The coordinator reaps all that it started, also when that is a daemon of a contestant.
fn left_behind(ran: &Ran) -> Vec<String> {
    let mut wrong = Vec::new();
    if !ran.supervised.left_alive.is_empty() {
        wrong.push(format!(
            "processes were left alive: {}",
            some_of(&ran.supervised.left_alive)
        ));
    }
    if !ran.supervised.left_dead.is_empty() {
        let dead = some_of(&ran.supervised.left_dead);
        wrong.push(format!(
            "processes were not reaped by the coordinator: {dead}"
        ));
    }
    wrong
}

/// A list that stays readable when it is long.
fn some_of(processes: &[String]) -> String {
    let shown = processes
        .iter()
        .take(5)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match processes.len().saturating_sub(5) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A judgement of a case whose coordinator ends by itself.
pub(crate) fn judged(
    case: &Case,
    says: Option<&str>,
    judgement: &Judgement,
    ran: &Ran,
    stage: &Stage,
) -> (Option<Code>, Vec<String>) {
    let (report, mut wrong) = sound(ran);
    let Some(report) = report else {
        return (None, wrong);
    };
    let code = report.code;
    if case.never.contains(&code) {
        wrong.push(format!("{code} is what other judges get wrong here"));
    }
    if !case.verdict.contains(&code) {
        let right: Vec<String> = case.verdict.iter().map(Code::to_string).collect();
        wrong.push(format!(
            "the verdict is {code} instead of {}",
            right.join(" or ")
        ));
    }
    if let Some(detail) = case.detail.get(&code)
        && !report.reason.contains(detail.as_str())
    {
        wrong.push(format!(
            "the reason does not say `{detail}`: {}",
            report.reason
        ));
    }
    participant(
        &case.contestant,
        "contestant",
        &report.contestant,
        code,
        &mut wrong,
    );
    participant(
        &case.interactor,
        "interactor",
        &report.interactor,
        code,
        &mut wrong,
    );
    unflushed(case, &report, &mut wrong);
    let kept = ran.supervised.memory_kib;
    if let Some(bound) = case
        .coordinator
        .max_memory_kib
        .filter(|bound| kept > *bound)
    {
        wrong.push(format!(
            "the coordinator used {kept} KiB of memory, more than {bound}"
        ));
    }
    transcripts(case, says, judgement, ran, stage, &mut wrong);
    wrong.extend(aftermath(case, ran));
    (Some(code), wrong)
}

/// A judgement whose coordinator was killed in the middle.
pub(crate) fn killed(case: &Case, ran: &Ran) -> Vec<String> {
    let mut wrong = Vec::new();
    if !ran.supervised.never_ran.is_empty() {
        let names = ran.supervised.never_ran.join(", ");
        wrong.push(format!(
            "nothing of this name ran when the coordinator was killed: {names}"
        ));
    }
    if ran.supervised.signal != Some(9) {
        wrong.push("the coordinator ended before it was killed".to_owned());
    }
    if !ran.supervised.left_alive.is_empty() {
        let alive = some_of(&ran.supervised.left_alive);
        wrong.push(format!(
            "a second after the coordinator was killed there were still {alive}"
        ));
    }
    wrong.extend(aftermath(case, ran));
    wrong
}

fn participant(wanted: &Expected, role: &str, side: &Side, code: Code, wrong: &mut Vec<String>) {
    let mut same = |what: &str, wanted: Option<String>, found: Option<String>| {
        if wanted.is_some() && wanted != found {
            wrong.push(format!(
                "the {role}'s {what} is {found:?} instead of {wanted:?}"
            ));
        }
    };
    let end = side.end.as_ref();
    let number = |n: i32| n.to_string();
    same(
        "signal",
        wanted.signal.map(number),
        end.and_then(|end| end.signal).map(number),
    );
    same(
        "exit code",
        wanted.code.map(number),
        end.and_then(|end| end.code).map(number),
    );
    same(
        "limit",
        wanted.limit.clone(),
        end.and_then(|end| end.limit.clone()),
    );
    if let Some(bound) = wanted.max_cpu_ms.filter(|bound| side.cpu_ms > *bound) {
        wrong.push(format!(
            "the {role} is said to have used {} ms of CPU, more than {bound}",
            side.cpu_ms
        ));
    }
    times(wanted, role, side, wrong);
    let least = wanted
        .min_cpu_ms_at_time_limit
        .filter(|_| code == Code::TimeLimit);
    if let Some(bound) = least.filter(|bound| side.cpu_ms < *bound) {
        wrong.push(format!(
            "time limit with {} ms of CPU, less than {bound}",
            side.cpu_ms
        ));
    }
    let least = wanted.min_memory_kib;
    if let Some(bound) = least.filter(|bound| side.memory_kib < *bound) {
        wrong.push(format!(
            "the {role} is said to have used {} KiB, less than the {bound} that it touched",
            side.memory_kib
        ));
    }
    if let Some(bound) = wanted
        .max_memory_kib
        .filter(|bound| side.memory_kib > *bound)
    {
        wrong.push(format!(
            "the {role} is said to have used {} KiB, more than {bound}",
            side.memory_kib
        ));
    }
}

/// What it was charged in real time.
fn times(wanted: &Expected, role: &str, side: &Side, wrong: &mut Vec<String>) {
    let turn = side.turn_ms;
    if wanted.max_turn_ms.is_some_and(|most| turn > most) {
        wrong.push(format!("the {role} is charged {turn} ms for its own turns"));
    }
    if wanted.min_turn_ms.is_some_and(|least| turn < least) {
        wrong.push(format!(
            "the {role} is charged only {turn} ms for its own turns"
        ));
    }
    let idle = side.idle_ms;
    if wanted.max_idle_ms.is_some_and(|most| idle > most) {
        wrong.push(format!(
            "the {role} is said to have been idle for {idle} ms"
        ));
    }
}

/// What lies in the buffers of both sides.
fn unflushed(case: &Case, report: &Report, wrong: &mut Vec<String>) {
    let held = report.diagnosis.iter().flat_map(|found| &found.unflushed);
    for (side, bytes) in &case.unflushed {
        let mut of = held.clone().filter(|held| held.side == *side);
        if !of.any(|held| held.bytes == bytes.as_str()) {
            wrong.push(format!(
                "{bytes:?} was not found to lie unflushed in the {side}"
            ));
        }
    }
}

fn transcripts(
    case: &Case,
    says: Option<&str>,
    judgement: &Judgement,
    ran: &Ran,
    stage: &Stage,
    wrong: &mut Vec<String>,
) {
    if !judgement.transcript {
        return;
    }
    let file = ran.transcript_file();
    if let Err(error) = transcript::well_formed(&file) {
        wrong.push(error);
        return;
    }
    if !judgement.channel.sees_bytes() {
        return;
    }
    let said = match transcript::said(stage, &file, "contestant") {
        Ok(said) => said,
        Err(error) => return wrong.push(error),
    };
    if let Some(words) = says.filter(|words| said.trim_ascii() != words.as_bytes()) {
        let said = String::from_utf8_lossy(&said);
        wrong.push(format!("the contestant said {said:?} instead of {words:?}"));
    }
    if case.transcript {
        let alone = match transcript::printed_alone(&judgement.contestant) {
            Ok(bytes) if bytes.is_empty() => {
                return wrong.push("the contestant prints nothing when it is run alone".to_owned());
            }
            Ok(bytes) => bytes,
            Err(error) => return wrong.push(error),
        };
        if let Some(difference) = transcript::difference(&alone, &said) {
            wrong.push(format!(
                "the transcript lost something of the contestant: {difference}"
            ));
        }
    }
}

/// What must hold, or come true soon, when the coordinator has ended.
fn aftermath(case: &Case, ran: &Ran) -> Vec<String> {
    let mut wrong = Vec::new();
    let until = Instant::now() + PATIENCE;
    loop {
        wrong.clear();
        for name in supervisor::running(&case.after.no_process) {
            wrong.push(format!("a process named {name} is still there"));
        }
        for file in case.after.absent.iter().filter(|file| file.exists()) {
            wrong.push(format!("{} exists", file.display()));
        }
        if wrong.is_empty() || Instant::now() >= until {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    if let Some(wanted) = &case.after.output {
        match fs::read_to_string(ran.output_file()) {
            Ok(text) if text.contains(wanted.as_str()) => {}
            Ok(text) => wrong.push(format!(
                "the output file holds {text:?}, without {wanted:?}"
            )),
            Err(error) => wrong.push(format!("the output file was not kept: {error}")),
        }
    }
    wrong
}
