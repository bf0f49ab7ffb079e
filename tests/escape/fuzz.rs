//! Random making and ending of tasks, from seeds: what `fuzz.c` does must come out as it says.
//!
//! The table of seeds is short, so that it is part of every test run. `REJOINDER_FUZZ_SECONDS` makes
//! each trial go on with further seeds for as long; `REJOINDER_FUZZ_SEED` names the first, to see one
//! again. A seed's program does the same in every run, but when is up to the machine.

use std::time::{Duration, Instant};

use crate::Work;
use crate::harness::identity::Identity;
use crate::harness::programs::Program;
use crate::harness::report::Code;
use crate::harness::run::{Limits, Ran};
use crate::harness::{checks, traces, transcript};
use crate::programs::Programs;

/// How many seeds there are for each identity, and how many a trial has.
const SEEDS: u32 = 50;
const EACH: u32 = 25;

/// What a seed comes to.
struct Plan {
    code: Option<i32>,
    signal: Option<i32>,
    count: String,
}

pub(crate) fn all() -> Result<Vec<(String, Work)>, String> {
    let number = |name: &str| -> Result<Option<u64>, String> {
        let value = std::env::var(name).ok();
        let value = value.map(|text| text.parse().map_err(|_| format!("{name}: {text}?")));
        value.transpose()
    };
    let seconds = number("REJOINDER_FUZZ_SECONDS")?.map(Duration::from_secs);
    let seed = number("REJOINDER_FUZZ_SEED")?.and_then(|seed| u32::try_from(seed).ok());
    let mut trials: Vec<(String, Work)> = Vec::new();
    for isolation in [None, Some("landlock")] {
        for first in (1..=SEEDS).step_by(EACH as usize) {
            let mut name = format!("fuzz-{first}");
            if let Some(isolation) = isolation {
                name = format!("{name}/{isolation}");
            }
            // Trials that go on do so with seeds of their own.
            let from = seed.unwrap_or_else(|| match seconds {
                Some(_) => first * 10_000_000,
                None => first,
            });
            let work: Work = Box::new(move |programs, identity| {
                let end = seconds.map(|seconds| Instant::now() + seconds);
                // Every identity has seeds of its own.
                let from = match (identity, seed) {
                    (Identity::Nobody, None) => from + seconds.map_or(SEEDS, |_| 5_000_000),
                    _ => from,
                };
                let mut seed = from;
                while end.map_or(seed < from + EACH, |end| Instant::now() < end) {
                    once(programs, identity, isolation, seed)
                        .map_err(|e| format!("seed {seed}: {e}"))?;
                    seed += 1;
                }
                if end.is_some() {
                    eprintln!("{} seeds from {from}", seed - from);
                }
                Ok(())
            });
            trials.push((name, work));
        }
    }
    Ok(trials)
}

fn plan(program: &Program, seed: u32) -> Result<Plan, String> {
    let said = transcript::printed_alone(&program.with_args(&["plan", &seed.to_string()]))?;
    let text = String::from_utf8_lossy(&said);
    let words: Vec<&str> = text.split_whitespace().collect();
    let [kind, number, "count", count] = words[..] else {
        return Err(format!("the plan cannot be read: {text}"));
    };
    let number = number.parse().ok();
    let is = |wanted: &str| number.filter(|_| kind == wanted);
    Ok(Plan {
        code: is("exit"),
        signal: is("signal"),
        count: count.to_owned(),
    })
}

fn once(
    programs: &Programs,
    identity: Identity,
    isolation: Option<&'static str>,
    seed: u32,
) -> Result<(), String> {
    let program = programs.get("fuzz")?;
    let plan = plan(&program, seed)?;
    let contestant = program.with_args(&[&seed.to_string()]);
    let interactor = programs.get("counts")?.with_args(&[&plan.count]);
    let mut judgement = programs.judgement(contestant, interactor, identity);
    judgement.isolation = isolation;
    judgement.transcript = true;
    judgement.limits = Limits::roomy(64);
    // A few run on all CPUs, where more can happen at the same time.
    judgement.cpu_set = seed.is_multiple_of(4).then(|| "all".to_owned());
    let ran = judgement.run(&programs.stage)?;
    let mut wrong = compare(&plan, &ran);
    match transcript::said(&programs.stage, &ran.transcript_file(), "contestant") {
        Ok(said) if said == format!("count {}\n", plan.count).as_bytes() => {}
        Ok(said) => wrong.push(format!("it said {:?}", String::from_utf8_lossy(&said))),
        Err(error) => wrong.push(error),
    }
    if seed.is_multiple_of(10) {
        wrong.extend(traces::of(&[ran.supervised.pid], identity));
    }
    programs.verdict(wrong, &ran)
}

fn compare(plan: &Plan, ran: &Ran) -> Vec<String> {
    let (report, mut wrong) = checks::sound(ran);
    let Some(report) = report else {
        return wrong;
    };
    let code = match plan.code {
        Some(0) => Code::Accepted,
        _ => Code::RuntimeError,
    };
    if report.code != code {
        wrong.push(format!("the verdict is {} instead of {code}", report.code));
    }
    let end = report.contestant.end.unwrap_or_default();
    if (end.code, end.signal) != (plan.code, plan.signal) {
        wrong.push(format!(
            "it ended with code {:?} or signal {:?}, not {:?} or {:?}",
            end.code, end.signal, plan.code, plan.signal
        ));
    }
    wrong
}
