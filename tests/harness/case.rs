//! `tests/cases/NN-name/case.toml`: what a pair of programs must come to, as typed values.
//!
//! The keys are explained in `tests/cases/README.md`; one that is not known here is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::report::Code;
use super::run::{Channel, Limits};

/// A case as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Case {
    /// The name of its folder.
    #[serde(skip)]
    pub(crate) name: String,
    /// Its folder.
    #[serde(skip)]
    pub(crate) folder: PathBuf,

    // For the reader of the file; a failure prints them.
    pub(crate) category: String,
    pub(crate) symptom: String,
    pub(crate) right: String,
    #[serde(default)]
    pub(crate) why: String,
    pub(crate) source: Vec<String>,

    /// The verdicts that are right, the best one first. Empty only if the coordinator is killed.
    pub(crate) verdict: Vec<Code>,
    /// Verdicts that other judges were seen to give, and that are wrong.
    #[serde(default)]
    pub(crate) never: Vec<Code>,
    /// What the reason must contain, for each verdict.
    #[serde(default)]
    pub(crate) detail: BTreeMap<Code, String>,
    /// How often it is run; all runs must give the same verdict.
    #[serde(default = "one")]
    pub(crate) repeat: u32,
    /// How many run at a time.
    #[serde(default = "one")]
    pub(crate) parallel: u32,
    /// No other trial may run at the same time.
    #[serde(default)]
    pub(crate) exclusive: bool,
    /// Upper bound of the whole process in real time (see `clocks` for how it is judged).
    pub(crate) max_wall_ms: Option<u64>,
    /// So many CPUs must have been free for the bound to hold.
    #[serde(default = "one")]
    pub(crate) max_wall_needs_cpus: u32,
    /// `--cpu-set`.
    pub(crate) cpu_set: Option<String>,
    /// Check the transcript against what the contestant prints when it is run alone.
    #[serde(default)]
    pub(crate) transcript: bool,
    /// What must be found in the buffer of a side's standard output, by the side's name.
    #[serde(default)]
    pub(crate) unflushed: BTreeMap<String, String>,
    /// What the contestant printed according to the transcript, without white space around it.
    pub(crate) contestant_says: Option<String>,
    /// Kill the coordinator this long after its start, once the programs run.
    pub(crate) kill_coordinator_after_ms: Option<u64>,
    /// The only channels on which the case has a meaning.
    pub(crate) channels: Option<OnlyChannels>,

    /// The contestant's limits, where they are not [`Limits::contestant`].
    #[serde(default)]
    pub(crate) limits: Limits,
    /// The interactor's limits, where they are not [`Limits::interactor`].
    #[serde(default)]
    pub(crate) interactor_limits: Limits,
    #[serde(default)]
    pub(crate) contestant: Expected,
    #[serde(default)]
    pub(crate) interactor: Expected,
    #[serde(default)]
    pub(crate) coordinator: Bounds,
    #[serde(default)]
    pub(crate) after: After,
    /// The same case once more with something changed.
    #[serde(default, rename = "variant")]
    pub(crate) variants: Vec<Variant>,
}

fn one() -> u32 {
    1
}

/// A restriction to some channels, and the reason in words.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct OnlyChannels {
    pub(crate) only: Vec<Channel>,
    pub(crate) because: String,
}

/// What the report must say of one participant.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Expected {
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    /// Its exit code.
    pub(crate) code: Option<i32>,
    /// The limit that ended it.
    pub(crate) limit: Option<String>,
    pub(crate) max_cpu_ms: Option<f64>,
    /// A time limit that is reported with less was not one.
    pub(crate) min_cpu_ms_at_time_limit: Option<f64>,
    /// Real time of its own turns; a waiting peer is charged nothing.
    pub(crate) max_turn_ms: Option<f64>,
    pub(crate) min_turn_ms: Option<f64>,
    /// The longest time in which it neither computed nor asked.
    pub(crate) max_idle_ms: Option<f64>,
    pub(crate) max_memory_kib: Option<f64>,
    /// What it certainly touched; a report of less is not a measurement.
    pub(crate) min_memory_kib: Option<f64>,
}

/// What the coordinator itself may use.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Bounds {
    /// CPU time of the coordinator and of everything it waited for.
    pub(crate) max_cpu_ms: Option<u64>,
    /// Peak resident memory of the largest of them.
    pub(crate) max_memory_kib: Option<u64>,
}

/// What must hold when the coordinator has ended.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct After {
    /// Names (`/proc/PID/comm`) that no process may have.
    #[serde(default)]
    pub(crate) no_process: Vec<String>,
    /// Files that must not exist.
    #[serde(default)]
    pub(crate) absent: Vec<PathBuf>,
    /// What the interactor's output file must contain.
    pub(crate) output: Option<String>,
}

/// A change to a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Variant {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) limits: Limits,
    pub(crate) contestant_says: Option<String>,
}

impl Case {
    /// Reads every case under `folder`, in the order of their names.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Case>, String> {
        let entries = fs::read_dir(folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_dir())
            .collect();
        folders.sort();
        folders.into_iter().map(Case::read).collect()
    }

    fn read(folder: PathBuf) -> Result<Case, String> {
        let file = folder.join("case.toml");
        let wrong = |what: String| format!("{}: {what}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
        let mut case: Case = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        case.name = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        case.folder = folder;
        case.check().map_err(wrong)?;
        Ok(case)
    }

    /// A case that could not fail, or that contradicts itself, is a mistake.
    fn check(&self) -> Result<(), String> {
        if self.verdict.is_empty() != self.kill_coordinator_after_ms.is_some() {
            return Err("`verdict` is empty exactly if the coordinator is killed".to_owned());
        }
        if let Some(code) = self.verdict.iter().find(|code| self.never.contains(code)) {
            return Err(format!("{code} is in `verdict` and in `never`"));
        }
        if let Some(code) = self.detail.keys().find(|code| !self.verdict.contains(code)) {
            return Err(format!(
                "`detail` speaks of {code}, which is not in `verdict`"
            ));
        }
        if self.repeat == 0 || self.parallel == 0 {
            return Err("`repeat` and `parallel` are at least 1".to_owned());
        }
        if self.category.is_empty() || self.source.is_empty() {
            return Err("`category` and `source` say where the case comes from".to_owned());
        }
        Ok(())
    }

    /// The channels on which the case runs.
    pub(crate) fn runs_on(&self, channel: Channel) -> bool {
        self.channels
            .as_ref()
            .is_none_or(|only| only.only.contains(&channel))
    }
}
