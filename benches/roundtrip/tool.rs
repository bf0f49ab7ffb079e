//! The same two peers, run by `rejoinder run`.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::harness::process::{Program, Wiring, start};
use crate::run::{Run, TIME_LIMIT};

/// Limits so wide that no figure depends on them.
const LIMITS: [&str; 12] = [
    "--cpu",
    "60s",
    "--wall",
    "300s",
    "--interactor-cpu",
    "60s",
    "--interactor-wall",
    "300s",
    "--session",
    "300s",
    "--output",
    "1GiB",
];

/// What of rejoinder is in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// The value of `--channel`.
    pub(crate) channel: &'static str,
    /// True if a transcript is written.
    pub(crate) transcript: bool,
    /// The value of `--cpu-set`, if it is given.
    pub(crate) cpus: Option<usize>,
}

/// Where everything is that a run needs.
pub(crate) struct Tool {
    pub(crate) binary: OsString,
    pub(crate) peer: PathBuf,
    /// A folder for the input file, the transcript and what the coordinator prints.
    pub(crate) folder: PathBuf,
}

impl Tool {
    /// Plays `rounds` rounds; the time is that of the whole `rejoinder run`, start to end.
    pub(crate) fn play(&self, setting: Setting, rounds: u64) -> Result<Run> {
        let program = Program::new(&self.binary, &self.arguments(setting, rounds)?)?;
        let (printed, complained) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let (stdin, stdout, stderr) = (
            File::open("/dev/null").context("failed to open /dev/null")?,
            File::create(&printed).context("failed to make a file for the report")?,
            File::create(&complained).context("failed to make a file for the messages")?,
        );
        let began = Instant::now();
        let ended = start(
            &program,
            &Wiring {
                stdin: stdin.as_fd(),
                stdout: stdout.as_fd(),
                stderr: Some(stderr.as_fd()),
                cpus: None,
            },
        )?
        .wait(began + TIME_LIMIT)?;
        let wall = began.elapsed();

        let report = std::fs::read(&printed).context("failed to read the report")?;
        let messages = std::fs::read(&complained).context("failed to read the messages")?;
        let report: serde_json::Value = serde_json::from_slice(&report).ok().with_context(|| {
            format!(
                "`rejoinder run` exited with {} and printed no JSON report, but on stderr \"{}\"",
                ended.code,
                String::from_utf8_lossy(&messages).trim()
            )
        })?;
        if ended.code != 0 || report["verdict"] != "accepted" {
            bail!(
                "`rejoinder run` exited with {}, verdict {}, because {}",
                ended.code,
                report["verdict"],
                report["reason"]
            );
        }
        let cpu_ms = report["contestant"]["cpu_ms"]
            .as_f64()
            .context("the report has no number `contestant.cpu_ms`")?;
        Ok(Run {
            wall,
            contestant_cpu: std::time::Duration::try_from_secs_f64(cpu_ms / 1e3)
                .context("`contestant.cpu_ms` is no length of time")?,
            resident_kib: Some(ended.resident_kib),
        })
    }

    fn arguments(&self, setting: Setting, rounds: u64) -> Result<Vec<OsString>> {
        let peer = self
            .peer
            .to_str()
            .context("the temporary folder's path is not UTF-8, which `--interactor` needs")?;
        let rounds = rounds.to_string();
        let input = self.folder.join("input");
        std::fs::write(&input, "1\n").context("failed to write the input file")?;

        let mut args: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| args.extend(words.iter().map(OsString::from));
        add(&["run", "--json", "--channel", setting.channel]);
        add(&[
            "--interactor",
            &format!("{} b {rounds}", shell_words::quote(peer)),
        ]);
        add(&LIMITS);
        if let Some(cpu) = setting.cpus {
            add(&["--cpu-set", &cpu.to_string()]);
        }
        args.extend(["--input".into(), input.into_os_string()]);
        if setting.transcript {
            let transcript = self.folder.join("transcript");
            args.extend(["--transcript".into(), transcript.into_os_string()]);
        }
        args.extend(["--", peer, "a", &rounds].map(OsString::from));
        Ok(args)
    }
}
