//! The same two peers, run by `rejoinder run`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::harness::alone;
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
        let words = self.words(setting, rounds)?;
        let ran = alone::run(&words, &self.folder, None, TIME_LIMIT)?;
        let report = serde_json::from_slice(&ran.stdout);
        let report: serde_json::Value = report.ok().with_context(|| {
            format!(
                "`rejoinder run` exited with {} and printed no JSON report, but on stderr \"{}\"",
                ran.ended.code,
                String::from_utf8_lossy(&ran.stderr).trim()
            )
        })?;
        if ran.ended.code != 0 || report["verdict"] != "accepted" {
            bail!(
                "`rejoinder run` exited with {}, verdict {}, because {}",
                ran.ended.code,
                report["verdict"],
                report["reason"]
            );
        }
        let cpu_ms = report["contestant"]["cpu_ms"]
            .as_f64()
            .context("the report has no number `contestant.cpu_ms`")?;
        Ok(Run {
            wall: ran.took,
            contestant_cpu: std::time::Duration::try_from_secs_f64(cpu_ms / 1e3)
                .context("`contestant.cpu_ms` is no length of time")?,
            resident_kib: Some(ran.ended.resident_kib),
        })
    }

    fn words(&self, setting: Setting, rounds: u64) -> Result<Vec<OsString>> {
        let peer = self
            .peer
            .to_str()
            .context("the temporary folder's path is not UTF-8, which `--interactor` needs")?;
        let rounds = rounds.to_string();
        let input = self.folder.join("input");
        std::fs::write(&input, "1\n").context("failed to write the input file")?;

        let mut args: Vec<OsString> = vec![self.binary.clone()];
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
