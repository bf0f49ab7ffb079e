//! A table such as `tests/programs/trials.toml`: pairs of programs and what must come of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::Work;
use crate::harness::checks;
use crate::harness::identity::Identity;
use crate::harness::programs::Program;
use crate::harness::report::{Code, Report};
use crate::harness::run::{Channel, Judgement, Limits, Ran};
use crate::harness::transcript;
use crate::programs::Programs;

/// What is around a run, and must be as it was afterwards.
pub(crate) trait Surroundings {
    /// What `{name}` stands for on a command line of the table.
    fn names(&self) -> Vec<(&'static str, String)>;
    /// Makes a run take place here.
    fn arrange(&self, judgement: &mut Judgement);
    /// Everything that is not as it must be after the run, in sentences.
    fn wrong(self: Box<Self>, ran: &Ran) -> Vec<String>;
}

/// Makes the surroundings of one run.
pub(crate) type Surround = fn(&Programs, Identity) -> Result<Box<dyn Surroundings>, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    trial: Vec<Row>,
}

/// One trial as it is written; the keys are explained at the beginning of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Row {
    name: String,
    contestant: String,
    #[serde(default = "judge")]
    interactor: String,
    verdict: Code,
    landlock: Option<Landlock>,
    says: Option<String>,
    message: Option<String>,
    /// What exactly the contestant printed, as the transcript has it.
    said: Option<String>,
    /// System calls that the report must name as refused to the contestant.
    #[serde(default)]
    refuses: Vec<String>,
    /// The most memory that the coordinator, or any of its programs, may have used.
    at_most_kib: Option<u64>,
    /// The interactor's output is to be kept.
    #[serde(default)]
    keep_output: bool,
    cpu_ms: Option<[f64; 2]>,
    at_most_ms: Option<u64>,
    #[serde(default = "tmpfs")]
    channels: Vec<Channel>,
    cpu_set: Option<String>,
    #[serde(default = "one")]
    repeat: u32,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    jury_limits: Limits,
    #[serde(default)]
    each: BTreeMap<String, Vec<String>>,
}

fn judge() -> String {
    "judge".to_owned()
}

fn tmpfs() -> Vec<Channel> {
    vec![Channel::Tmpfs]
}

fn one() -> u32 {
    1
}

/// The verdict where Landlock alone isolates.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Landlock {
    Same(Same),
    Code(Code),
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum Same {
    #[serde(rename = "same")]
    Same,
}

/// All trials of the table, with their names.
pub(crate) fn all(file: &Path, surround: Surround) -> Result<Vec<(String, Work)>, String> {
    let wrong = |what: String| format!("{}: {what}", file.display());
    let text = fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
    let table: File = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let mut trials = Vec::new();
    for row in table.trial.into_iter().flat_map(expanded) {
        let row = Arc::new(row);
        for channel in row.channels.clone() {
            let mut name = row.name.clone();
            if channel != Channel::Tmpfs {
                name = format!("{name}/{}", channel.name());
            }
            let here = Arc::clone(&row);
            let work: Work = Box::new(move |programs, identity| {
                let trial = Trial::new(programs, identity, surround, channel, None);
                here.run(&trial, here.verdict)
            });
            trials.push((name.clone(), work));
            let there = match row.landlock {
                Some(Landlock::Same(Same::Same)) => row.verdict,
                Some(Landlock::Code(code)) => code,
                None => continue,
            };
            let row = Arc::clone(&row);
            let work: Work = Box::new(move |programs, identity| {
                let trial = Trial::new(programs, identity, surround, channel, Some("landlock"));
                row.run(&trial, there)
            });
            trials.push((format!("{name}/landlock"), work));
        }
    }
    Ok(trials)
}

/// One row for each combination of the values in `each`.
fn expanded(row: Row) -> Vec<Row> {
    let mut rows = vec![row];
    while let Some((key, values)) = rows.first().and_then(|row| {
        let (key, values) = row.each.first_key_value()?;
        Some((key.clone(), values.clone()))
    }) {
        let with = |row: &Row, value: &String| {
            let place = format!("{{{key}}}");
            let put = |text: &String| text.replace(&place, value);
            let mut row = row.clone();
            row.each.remove(&key);
            let words: String = value.chars().filter(|c| !"{}".contains(*c)).collect();
            row.name = format!("{}-{}", row.name, words.replace(' ', "-"));
            row.contestant = put(&row.contestant);
            row.interactor = put(&row.interactor);
            row.says = row.says.as_ref().map(put);
            row
        };
        rows = rows
            .iter()
            .flat_map(|row| {
                values
                    .iter()
                    .map(|value| with(row, value))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    rows
}

/// One trial of a row: by whom and how it is run.
struct Trial<'a> {
    programs: &'a Programs,
    identity: Identity,
    surround: Surround,
    channel: Channel,
    isolation: Option<&'static str>,
}

impl<'a> Trial<'a> {
    fn new(
        programs: &'a Programs,
        identity: Identity,
        surround: Surround,
        channel: Channel,
        isolation: Option<&'static str>,
    ) -> Trial<'a> {
        Trial {
            programs,
            identity,
            surround,
            channel,
            isolation,
        }
    }
}

impl Row {
    fn run(&self, trial: &Trial<'_>, code: Code) -> Result<(), String> {
        // A busy machine may be late, but not always (see `harness::clocks`).
        let attempts = if self.at_most_ms.is_some() { 3 } else { 1 };
        for _ in 0..self.repeat {
            let mut last = Ok(());
            for _ in 0..attempts {
                last = self.once(trial, code)?;
                if last.is_ok() {
                    break;
                }
            }
            last?;
        }
        Ok(())
    }

    /// Runs it once. What is wrong whatever the machine does is the outer error, that it was late
    /// the inner one.
    fn once(&self, trial: &Trial<'_>, code: Code) -> Result<Result<(), String>, String> {
        let programs = trial.programs;
        let around = (trial.surround)(programs, trial.identity)?;
        let (contestant, interactor) = self.command_lines(programs, &around.names())?;
        let mut judgement = programs.judgement(contestant, interactor, trial.identity);
        judgement.limits = self.limits.or(&judgement.limits);
        judgement.interactor_limits = self.jury_limits.or(&judgement.interactor_limits);
        judgement.channel = trial.channel;
        judgement.isolation = trial.isolation;
        judgement.cpu_set.clone_from(&self.cpu_set);
        judgement.transcript = true;
        judgement.keep_output = self.keep_output;
        around.arrange(&mut judgement);
        let ran = judgement.run(&programs.stage)?;
        let (report, mut wrong) = checks::sound(&ran);
        if let Some(report) = report {
            self.compare(&report, code, &mut wrong);
            self.compare_more(programs, &ran, &mut wrong);
        }
        wrong.extend(transcript::well_formed(&ran.transcript_file()).err());
        wrong.extend(around.wrong(&ran));
        let late = self
            .at_most_ms
            .filter(|bound| wrong.is_empty() && ran.supervised.wall_ms > *bound)
            .map(|bound| format!("took {} ms, more than {bound}", ran.supervised.wall_ms));
        programs.verdict(wrong, &ran)?;
        Ok(late.map_or(Ok(()), Err))
    }

    /// What can be known only from the transcript, the whole report, or outside.
    fn compare_more(&self, programs: &Programs, ran: &Ran, wrong: &mut Vec<String>) {
        if let Some(wanted) = &self.said {
            match transcript::said(&programs.stage, &ran.transcript_file(), "contestant") {
                Ok(said) if said == wanted.as_bytes() => {}
                Ok(said) => {
                    let said = String::from_utf8_lossy(&said);
                    wrong.push(format!("the contestant said {said:?}, not {wanted:?}"));
                }
                Err(error) => wrong.push(error),
            }
        }
        let reports = ran.reports().unwrap_or_default();
        let refused: Vec<&str> = reports
            .iter()
            .flat_map(|report| report["contestant"]["refused"].as_array())
            .flatten()
            .filter_map(|refusal| refusal["call"].as_str())
            .collect();
        for call in &self.refuses {
            if !refused.contains(&call.as_str()) {
                wrong.push(format!("{call} was not refused; what was: {refused:?}"));
            }
        }
        let kib = ran.supervised.memory_kib;
        if let Some(most) = self.at_most_kib.filter(|most| kib > *most) {
            wrong.push(format!("{kib} KiB of memory were used, more than {most}"));
        }
    }

    fn compare(&self, report: &Report, code: Code, wrong: &mut Vec<String>) {
        if report.code != code {
            wrong.push(format!("the verdict is {} instead of {code}", report.code));
        }
        for (what, wanted, found) in [
            ("reason", &self.says, &report.reason),
            ("message", &self.message, &report.message),
        ] {
            if let Some(wanted) = wanted.as_ref().filter(|w| !found.contains(w.as_str())) {
                wrong.push(format!("the {what} does not say `{wanted}`: {found}"));
            }
        }
        let used = report.contestant.cpu_ms;
        if let Some([least, most]) = self.cpu_ms
            && !(least..=most).contains(&used)
        {
            wrong.push(format!("{used} ms of CPU time, not {least} to {most}"));
        }
    }

    fn command_lines(
        &self,
        programs: &Programs,
        names: &[(&'static str, String)],
    ) -> Result<(Program, Program), String> {
        let of = |line: &str| -> Result<(Program, Vec<String>), String> {
            let mut words = line.split_whitespace().map(str::to_owned);
            let name = words.next().ok_or("a program is missing")?;
            Ok((programs.get(&name)?, words.collect()))
        };
        let (contestant, words) = of(&self.contestant)?;
        let (interactor, jury_words) = of(&self.interactor)?;
        let path = |program: &Program| program.argv.last().cloned().unwrap_or_default();
        let mut known = names.to_vec();
        known.push(("contestant", path(&contestant)));
        known.push(("interactor", path(&interactor)));
        let with = |program: Program, words: Vec<String>| {
            let mut args = Vec::new();
            for mut word in words {
                for (name, value) in &known {
                    word = word.replace(&format!("{{{name}}}"), value);
                }
                match word.as_str() {
                    "{many}" => args.extend((0..1500).map(|_| "x".repeat(60))),
                    _ => args.push(word),
                }
            }
            program.with_args(&args.iter().map(String::as_str).collect::<Vec<_>>())
        };
        Ok((with(contestant, words), with(interactor, jury_words)))
    }
}
