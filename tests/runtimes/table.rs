//! `tests/runtimes/table.toml`, as it is written and with the common values filled in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What every program does, unless its runtime says otherwise.
const COMMON: [&str; 6] = ["hello", "answer", "threads", "heap", "crash", "exhaust"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    behaviour: BTreeMap<String, Wanted>,
    runtime: Vec<Runtime>,
}

/// What must come of a behaviour; `None` leaves it to the common value.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Wanted {
    pub(crate) verdict: Option<String>,
    pub(crate) stdout: Option<String>,
    pub(crate) says: Option<String>,
    pub(crate) stderr: Option<String>,
    pub(crate) memory_mib: Option<[f64; 2]>,
    pub(crate) limits: Option<String>,
    pub(crate) dialogue: Option<bool>,
}

/// One way in which programs are made and started.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Runtime {
    pub(crate) name: String,
    pub(crate) source: PathBuf,
    pub(crate) build: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) start: Vec<String>,
    pub(crate) tools: Vec<String>,
    behaviours: Option<Vec<String>>,
    /// Names of calls and why they are refused.
    #[serde(default)]
    pub(crate) refused: BTreeMap<String, String>,
    pub(crate) no_landlock: Option<String>,
    /// What this runtime says of a behaviour.
    #[serde(flatten)]
    own: BTreeMap<String, Wanted>,
}

impl Wanted {
    /// These, and where these say nothing, the others.
    fn or(self, others: &Wanted) -> Wanted {
        let others = others.clone();
        Wanted {
            verdict: self.verdict.or(others.verdict),
            stdout: self.stdout.or(others.stdout),
            says: self.says.or(others.says),
            stderr: self.stderr.or(others.stderr),
            memory_mib: self.memory_mib.or(others.memory_mib),
            limits: self.limits.or(others.limits),
            dialogue: self.dialogue.or(others.dialogue),
        }
    }
}

/// The folder of the table and the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtimes")
}

/// The behaviours of a runtime's program and what must come of them.
pub(crate) type Behaviours = Vec<(String, Wanted)>;

/// All runtimes.
pub(crate) fn all() -> Result<Vec<(Runtime, Behaviours)>, String> {
    let file = folder().join("table.toml");
    let wrong = |what: String| format!("{}: {what}", file.display());
    let text = fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
    let Table { behaviour, runtime } =
        toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let with_behaviours = |runtime: Runtime| {
        if let Some(unknown) = runtime.own.keys().find(|key| !behaviour.contains_key(*key)) {
            return Err(wrong(format!(
                "{}: there is no behaviour `{unknown}`",
                runtime.name
            )));
        }
        let names = runtime.behaviours.clone();
        let names = names.unwrap_or_else(|| COMMON.map(str::to_owned).to_vec());
        let wanted = |name: String| {
            let common = behaviour.get(&name);
            let common = common.ok_or_else(|| wrong(format!("there is no behaviour `{name}`")))?;
            let own = runtime.own.get(&name).cloned().unwrap_or_default();
            Ok((name, own.or(common)))
        };
        let all = names.into_iter().map(wanted);
        let all = all.collect::<Result<Vec<_>, String>>()?;
        Ok((runtime, all))
    };
    runtime.into_iter().map(with_behaviours).collect()
}
