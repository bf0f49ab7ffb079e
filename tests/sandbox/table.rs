//! `tests/programs/trials.toml`: pairs of programs and what must come of them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use serde::Deserialize;

use crate::Work;
use crate::harness::checks;
use crate::harness::identity::Identity;
use crate::harness::programs::Program;
use crate::harness::report::{Code, Report};
use crate::harness::run::{Channel, Limits};
use crate::harness::transcript;
use crate::programs::{self, Programs};

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
pub(crate) fn all() -> Result<Vec<(String, Work)>, String> {
    let file = programs::sources().join("trials.toml");
    let wrong = |what: String| format!("{}: {what}", file.display());
    let text = fs::read_to_string(&file).map_err(|e| wrong(e.to_string()))?;
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
                here.run(programs, identity, channel, None, here.verdict)
            });
            trials.push((name.clone(), work));
            let there = match row.landlock {
                Some(Landlock::Same(Same::Same)) => row.verdict,
                Some(Landlock::Code(code)) => code,
                None => continue,
            };
            let row = Arc::clone(&row);
            let work: Work = Box::new(move |programs, identity| {
                row.run(programs, identity, channel, Some("landlock"), there)
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
            row.name = format!("{}-{}", row.name, value.replace(' ', "-"));
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

impl Row {
    fn run(
        &self,
        programs: &Programs,
        identity: Identity,
        channel: Channel,
        isolation: Option<&'static str>,
        code: Code,
    ) -> Result<(), String> {
        // A busy machine may be late, but not always (see `harness::clocks`).
        let attempts = if self.at_most_ms.is_some() { 3 } else { 1 };
        for _ in 0..self.repeat {
            let mut last = Ok(());
            for _ in 0..attempts {
                last = self.once(programs, identity, channel, isolation, code)?;
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
    fn once(
        &self,
        programs: &Programs,
        identity: Identity,
        channel: Channel,
        isolation: Option<&'static str>,
        code: Code,
    ) -> Result<Result<(), String>, String> {
        let (contestant, interactor) = self.command_lines(programs, identity)?;
        let mut judgement = programs.judgement(contestant, interactor, identity);
        judgement.limits = self.limits.or(&judgement.limits);
        judgement.interactor_limits = self.jury_limits.or(&judgement.interactor_limits);
        judgement.channel = channel;
        judgement.isolation = isolation;
        judgement.cpu_set.clone_from(&self.cpu_set);
        judgement.transcript = true;
        let ran = judgement.run(&programs.stage)?;
        let (report, mut wrong) = checks::sound(&ran);
        if let Some(report) = report {
            self.compare(&report, code, &mut wrong);
        }
        wrong.extend(transcript::well_formed(&ran.transcript_file()).err());
        wrong.extend(untouched(programs, identity).err());
        let late = self
            .at_most_ms
            .filter(|bound| wrong.is_empty() && ran.supervised.wall_ms > *bound)
            .map(|bound| format!("took {} ms, more than {bound}", ran.supervised.wall_ms));
        programs.verdict(wrong, &ran)?;
        Ok(late.map_or(Ok(()), Err))
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
        identity: Identity,
    ) -> Result<(Program, Program), String> {
        let program = |line: &str| -> Result<(Program, Vec<String>), String> {
            let mut words = line.split_whitespace().map(str::to_owned);
            let name = words.next().ok_or("a program is missing")?;
            Ok((programs.get(&name)?, words.collect()))
        };
        let (contestant, words) = program(&self.contestant)?;
        let (interactor, jury_words) = program(&self.interactor)?;
        let path = |program: &Program| program.argv.last().cloned().unwrap_or_default();
        let text = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
        let known = [
            ("{input}", text(programs.input(identity))),
            ("{folder}", text(programs.stage.home(identity))),
            ("{contestant}", path(&contestant)),
            ("{interactor}", path(&interactor)),
        ];
        let mut args = Vec::new();
        for mut word in words {
            for (name, value) in &known {
                word = word.replace(name, value);
            }
            match word.as_str() {
                "{many}" => args.extend((0..1500).map(|_| "x".repeat(60))),
                _ => args.push(word),
            }
        }
        let with = |program: Program, args: &[String]| {
            program.with_args(&args.iter().map(String::as_str).collect::<Vec<_>>())
        };
        Ok((with(contestant, &args), with(interactor, &jury_words)))
    }
}

/// No program may have left a mark, or changed the test's input.
fn untouched(programs: &Programs, identity: Identity) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let input = programs.input(identity);
    let mode = fs::metadata(&input)
        .map_err(|e| e.to_string())?
        .permissions()
        .mode();
    let text = fs::read_to_string(&input).map_err(|e| format!("the input: {e}"))?;
    if mode & 0o777 != 0o644 || text != "the jury's secret\n" {
        return Err(format!("the input was changed: mode {mode:o}, {text:?}"));
    }
    let home = programs.stage.home(identity);
    for folder in ["/tmp", "/var/tmp", "/dev/shm", "/"]
        .map(std::path::Path::new)
        .into_iter()
        .chain([home.as_path()])
    {
        let mark = folder.join("rejoinder-hostile-mark");
        if mark.exists() {
            let _ = fs::remove_file(&mark);
            return Err(format!("{} was made", mark.display()));
        }
    }
    Ok(())
}
