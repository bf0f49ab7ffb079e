//! One judgement: the command line of `rejoinder run`, started under a supervisor.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::identity::Identity;
use super::programs::Program;
use super::report::{self, Report};
use super::stage::Stage;
use super::supervisor::{self, Kill, Request, Supervised};

/// No judgement of these tests may take longer; then it is killed, and the trial fails.
const HARD_LIMIT: Duration = Duration::from_secs(60);

/// How much of a long text a failure shows.
const SHOWN: usize = 3000;

/// `--channel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Channel {
    Tmpfs,
    Pipe,
    Direct,
}

impl Channel {
    pub(crate) const ALL: [Channel; 3] = [Channel::Tmpfs, Channel::Pipe, Channel::Direct];

    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Channel::Tmpfs => "tmpfs",
            Channel::Pipe => "pipe",
            Channel::Direct => "direct",
        }
    }

    /// True if the coordinator sees what is said. On bare pipes nobody does.
    pub(crate) fn sees_bytes(self) -> bool {
        self != Channel::Direct
    }
}

/// The limits of one participant, as they are written on the command line; `None` leaves the
/// program's default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Limits {
    cpu: Option<String>,
    wall: Option<String>,
    idle: Option<String>,
    memory: Option<String>,
    output: Option<String>,
    stack: Option<String>,
    tasks: Option<u32>,
}

impl Limits {
    /// The contestant's, where a case says nothing else.
    pub(crate) fn contestant() -> Limits {
        let some = |text: &str| Some(text.to_owned());
        Limits {
            cpu: some("1s"),
            wall: some("5s"),
            idle: some("2s"),
            memory: some("256MiB"),
            output: some("16MiB"),
            stack: None,
            tasks: Some(16),
        }
    }

    /// The interactor's, where a case says nothing else.
    pub(crate) fn interactor() -> Limits {
        let some = |text: &str| Some(text.to_owned());
        Limits {
            cpu: some("2s"),
            wall: some("10s"),
            ..Limits::default()
        }
    }

    /// Room for a program that makes tasks for a while, on a busy machine.
    pub(crate) fn roomy(tasks: u32) -> Limits {
        let some = |text: &str| Some(text.to_owned());
        Limits {
            cpu: some("20s"),
            wall: some("50s"),
            idle: some("10s"),
            tasks: Some(tasks),
            ..Limits::contestant()
        }
    }

    /// These, and where these say nothing, the others.
    pub(crate) fn or(&self, others: &Limits) -> Limits {
        let first = |a: &Option<String>, b: &Option<String>| a.clone().or_else(|| b.clone());
        Limits {
            cpu: first(&self.cpu, &others.cpu),
            wall: first(&self.wall, &others.wall),
            idle: first(&self.idle, &others.idle),
            memory: first(&self.memory, &others.memory),
            output: first(&self.output, &others.output),
            stack: first(&self.stack, &others.stack),
            tasks: self.tasks.or(others.tasks),
        }
    }

    fn flags(&self, prefix: &str) -> Vec<String> {
        let tasks = self.tasks.map(|tasks| tasks.to_string());
        [
            ("cpu", &self.cpu),
            ("wall", &self.wall),
            ("idle", &self.idle),
            ("memory", &self.memory),
            ("output", &self.output),
            ("stack", &self.stack),
            ("tasks", &tasks),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some([format!("--{prefix}{name}"), value.clone()?]))
        .flatten()
        .collect()
    }
}

/// What is to be judged, and how.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    pub(crate) contestant: Program,
    pub(crate) interactor: Program,
    pub(crate) input: PathBuf,
    pub(crate) answer: Option<PathBuf>,
    /// The folder in which the coordinator is started.
    pub(crate) cwd: PathBuf,
    pub(crate) channel: Channel,
    pub(crate) identity: Identity,
    pub(crate) limits: Limits,
    pub(crate) interactor_limits: Limits,
    pub(crate) cpu_set: Option<String>,
    /// `--isolation`, if not the strongest.
    pub(crate) isolation: Option<&'static str>,
    /// Ask for the report in JSON, as against the one for people.
    pub(crate) json: bool,
    pub(crate) transcript: bool,
    pub(crate) keep_output: bool,
    pub(crate) kill: Option<Kill>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The command line, to be pasted into a shell.
    command: String,
    pub(crate) folder: PathBuf,
    pub(crate) supervised: Supervised,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Judgement {
    /// Runs it once. An error means that the test itself could not do its work.
    pub(crate) fn run(&self, stage: &Stage) -> Result<Ran, String> {
        let kill = self.kill.clone();
        invoke(stage, self.identity, &self.cwd, kill, |folder| {
            self.arguments(folder)
        })
    }

    fn arguments(&self, folder: &Path) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut argv = vec!["run".to_owned()];
        let mut option = |name: &str, value: String| argv.extend([name.to_owned(), value]);
        option("--channel", self.channel.name().to_owned());
        option("--interactor", shell_words::join(&self.interactor.argv));
        option("--input", text(&self.input));
        if let Some(answer) = &self.answer {
            option("--answer", text(answer));
        }
        if let Some(cpus) = &self.cpu_set {
            option("--cpu-set", cpus.clone());
        }
        if let Some(isolation) = self.isolation {
            option("--isolation", isolation.to_owned());
        }
        if self.transcript {
            option("--transcript", text(&transcript_file(folder)));
        }
        if self.keep_output {
            option("--keep-output", text(&output_file(folder)));
        }
        argv.extend(self.limits.flags(""));
        argv.extend(self.interactor_limits.flags("interactor-"));
        if self.json {
            argv.push("--json".to_owned());
        }
        argv.push("--".to_owned());
        argv.extend(self.contestant.argv.iter().cloned());
        argv
    }
}

/// Runs the binary once with the arguments that `arguments` makes of the run's own folder.
pub(crate) fn invoke(
    stage: &Stage,
    identity: Identity,
    cwd: &Path,
    kill: Option<Kill>,
    arguments: impl FnOnce(&Path) -> Vec<String>,
) -> Result<Ran, String> {
    invoke_within(HARD_LIMIT, stage, identity, cwd, kill, arguments)
}

/// The same, for what may take longer than a judgement.
pub(crate) fn invoke_within(
    limit: Duration,
    stage: &Stage,
    identity: Identity,
    cwd: &Path,
    kill: Option<Kill>,
    arguments: impl FnOnce(&Path) -> Vec<String>,
) -> Result<Ran, String> {
    let failed = |error: std::io::Error| format!("cannot prepare the run: {error}");
    let folder = stage.run_folder(identity).map_err(failed)?;
    let mut argv = vec![stage.binary().to_string_lossy().into_owned()];
    argv.extend(arguments(&folder));
    let request = Request {
        env: identity.environment(&stage.home(identity)),
        clear_env: identity == Identity::Nobody,
        cwd: cwd.to_owned(),
        uid: identity.uid(),
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        timeout_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        kill,
        argv: argv.clone(),
    };
    let supervised = supervisor::run(&request)?;
    Ok(Ran {
        command: shell_words::join(&argv),
        supervised,
        stdout: fs::read(&request.stdout).map_err(failed)?,
        stderr: fs::read(&request.stderr).map_err(failed)?,
        folder,
    })
}

impl Ran {
    /// The report of a run with `--json`.
    pub(crate) fn report(&self) -> Result<Report, String> {
        report::parse(&self.stdout).map_err(|error| format!("the standard output {error}"))
    }

    /// The reports of all tests of a run with `--json`, with all their fields.
    pub(crate) fn reports(&self) -> Result<Vec<Value>, String> {
        let lines = self.stdout.split(|byte| *byte == b'\n');
        lines
            .filter(|line| !line.is_empty())
            .map(|line| {
                serde_json::from_slice(line)
                    .map_err(|error| format!("a line of the output is not JSON: {error}"))
            })
            .collect()
    }

    /// Where its transcript was to be written.
    pub(crate) fn transcript_file(&self) -> PathBuf {
        transcript_file(&self.folder)
    }

    /// Where the interactor's output file was to be kept.
    pub(crate) fn output_file(&self) -> PathBuf {
        output_file(&self.folder)
    }

    /// Everything that a person needs to see of a run that went wrong.
    pub(crate) fn shown(&self) -> String {
        let end = match (self.supervised.code, self.supervised.signal) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "no end".to_owned(),
        };
        format!(
            "$ {}\n{end} after {} ms\n--- stdout\n{}\n--- stderr\n{}",
            self.command,
            self.supervised.wall_ms,
            cut(&self.stdout),
            cut(&self.stderr),
        )
    }
}

pub(crate) fn transcript_file(folder: &Path) -> PathBuf {
    folder.join("transcript.jsonl")
}

fn output_file(folder: &Path) -> PathBuf {
    folder.join("output")
}

fn cut(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    let rest = bytes.len().saturating_sub(SHOWN);
    if rest == 0 {
        text.into_owned()
    } else {
        format!("{text} ... and {rest} bytes more")
    }
}
