//! What the cells come to: each solution as expected or not, and what the problem's owner should
//! think about.

use std::collections::BTreeMap;

use super::record::{Frame, FrameSolution, NotRun, Record, group};
use crate::spec::expectation::{Rule, is_good};
use crate::spec::nearest::{listed, one_of};
use crate::verdict::Verdict;

/// A matrix, as far as it has been run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The groups of tests, in their order.
    pub groups: Vec<String>,
    /// The solutions, in their order.
    pub rows: Vec<Row>,
    /// What the problem's owner should think about, one sentence each.
    pub advice: Vec<String>,
}

/// What became of one solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub solution: String,
    pub expected: Vec<Verdict>,
    /// One for each of the summary's groups; `None` where nothing was run.
    pub cells: Vec<Option<Tally>>,
    pub fate: Fate,
}

/// What one solution did in one group of tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// How often each verdict came, the worst first.
    pub verdicts: Vec<(Verdict, usize)>,
    /// The most CPU time, in milliseconds.
    pub cpu_ms: f64,
    /// The most memory, in KiB.
    pub memory_kib: u64,
    /// The most messages of the contestant.
    pub messages: u64,
}

/// Whether a solution did what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It did.
    AsExpected,
    /// Nothing speaks against it, but not all tests were run.
    Open,
    /// It did not; one sentence.
    Surprise(String),
    /// It was not run, and that is allowed; one sentence.
    Left(String),
}

impl Summary {
    /// Sums up what was recorded of a frame.
    pub fn of(frame: &Frame, records: &[Record]) -> Summary {
        let mut groups: Vec<String> = Vec::new();
        for test in &frame.tests {
            if !groups.iter().any(|known| known == group(test)) {
                groups.push(group(test).to_owned());
            }
        }
        let rows = frame.solutions.iter().map(|solution| {
            let own: Vec<&Record> = (records.iter())
                .filter(|record| record.solution == solution.name)
                .collect();
            let tally = |group: &String| {
                let in_group = own.iter().filter(|record| record.group() == group);
                Tally::of(&in_group.copied().collect::<Vec<_>>())
            };
            Row {
                solution: solution.name.clone(),
                expected: solution.expected.clone(),
                cells: groups.iter().map(tally).collect(),
                fate: fate(frame, solution, &own),
            }
        });
        let rows: Vec<Row> = rows.collect();
        Summary {
            advice: advice(frame, records),
            groups,
            rows,
        }
    }

    /// True if every solution did what is expected of it, as far as was run.
    pub fn holds(&self) -> bool {
        !(self.rows.iter()).any(|row| matches!(row.fate, Fate::Surprise(_)))
    }

    /// True if every cell was run.
    pub fn is_complete(&self) -> bool {
        !self.rows.iter().any(|row| row.fate == Fate::Open)
    }
}

impl Tally {
    /// The most of both.
    pub fn most(self, other: Tally) -> Tally {
        Tally {
            verdicts: self.verdicts,
            cpu_ms: self.cpu_ms.max(other.cpu_ms),
            memory_kib: self.memory_kib.max(other.memory_kib),
            messages: self.messages.max(other.messages),
        }
    }

    fn of(records: &[&Record]) -> Option<Tally> {
        if records.is_empty() {
            return None;
        }
        let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
        for record in records {
            *counts.entry(record.verdict).or_default() += 1;
        }
        Some(Tally {
            verdicts: counts.into_iter().rev().collect(),
            cpu_ms: records.iter().map(|r| r.cpu_ms).fold(0.0, f64::max),
            memory_kib: records.iter().map(|r| r.memory_kib).max().unwrap_or(0),
            messages: records.iter().map(|r| r.messages).max().unwrap_or(0),
        })
    }
}

/// What the records of one solution say about it.
fn fate(frame: &Frame, solution: &FrameSolution, own: &[&Record]) -> Fate {
    if let Some(NotRun { why, allowed }) = &solution.not_run {
        return match allowed {
            true => Fate::Left(why.clone()),
            false => Fate::Surprise(why.clone()),
        };
    }
    if let Some(record) = own.iter().find(|record| !record.may_be()) {
        return Fate::Surprise(format!(
            "{} on test {}: {}",
            record.verdict, record.test, record.reason
        ));
    }
    for record in own {
        let same = |other: &&&Record| other.test == record.test && other.verdict != record.verdict;
        if let Some(other) = own.iter().find(same) {
            return Fate::Surprise(format!(
                "test {} is {} once and {} another time",
                record.test, record.verdict, other.verdict
            ));
        }
    }
    if own.len() < frame.tests.len() * frame.repeats as usize {
        return Fate::Open;
    }
    let unmet = |rule: &&Rule| {
        let mut about = own.iter().filter(|record| rule.is_about(&record.test));
        !rule.required.is_empty() && !about.any(|record| rule.required.contains(&record.verdict))
    };
    match solution.rules.iter().find(unmet) {
        None => Fate::AsExpected,
        Some(rule) => Fate::Surprise(not_shown(rule, own)),
    }
}

/// Says that no test has shown what one should.
fn not_shown(rule: &Rule, own: &[&Record]) -> String {
    let mut about = own.iter().filter(|record| rule.is_about(&record.test));
    let accepted = about.all(|record| is_good(&[record.verdict]));
    let tests = match &rule.tests {
        None => String::new(),
        Some(tests) => format!(" of {}", listed(tests.iter().take(5).map(String::as_str))),
    };
    match accepted {
        true if rule.tests.is_none() => {
            "every test accepts it: none shows what is wrong with it".to_owned()
        }
        _ => format!(
            "no test{tests} shows {}",
            one_of(rule.required.iter().map(|verdict| verdict.name()))
        ),
    }
}

/// What the records say about the problem itself.
fn advice(frame: &Frame, records: &[Record]) -> Vec<String> {
    let mut advice = Vec::new();
    let run = frame
        .solutions
        .iter()
        .filter(|s| s.not_run.is_none())
        .count();
    let complete = records.len() >= frame.tests.len() * frame.repeats as usize * run;
    let slowest = (records.iter())
        .filter(|r| r.verdict == Verdict::Accepted && is_good(&r.expected))
        .max_by(|a, b| (a.cpu_ms / a.cpu_limit_ms).total_cmp(&(b.cpu_ms / b.cpu_limit_ms)));
    if let Some(slowest) = slowest.filter(|r| r.cpu_ms * 2.0 > r.cpu_limit_ms) {
        advice.push(format!(
            "the CPU limit is {:.1} times what {} needs on test {} ({:.0} of {:.0} ms): give twice \
             as much, so that a slower machine accepts it too",
            slowest.cpu_limit_ms / slowest.cpu_ms,
            slowest.solution,
            slowest.test,
            slowest.cpu_ms,
            slowest.cpu_limit_ms
        ));
    }
    if records.is_empty() || !complete {
        return advice;
    }
    let rejected = [Verdict::WrongAnswer, Verdict::PresentationError];
    let decides = records.iter().any(|r| r.verdict == Verdict::Accepted);
    if decides && !records.iter().any(|r| rejected.contains(&r.verdict)) {
        advice.push(
            "the interactor has rejected nothing: add a solution that is wrong, to see that it can"
                .into(),
        );
    }
    let has_bad = frame.solutions.iter().any(|s| !is_good(&s.expected));
    let mut idle: Vec<&str> = Vec::new();
    for test in &frame.tests {
        let mut of_test = records.iter().filter(|r| r.test == *test);
        if has_bad && of_test.all(|r| r.verdict == Verdict::Accepted) {
            idle.push(test);
        }
    }
    match idle.as_slice() {
        [] => {}
        [one] => advice.push(format!("test {one} accepts every solution")),
        several => advice.push(format!(
            "{} tests accept every solution: {}",
            several.len(),
            listed(several.iter().take(10).copied())
        )),
    }
    advice
}
