//! The programs of `tests/programs/` and its like, built when they are first needed, and the stage for them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::harness::identity::Identity;
use crate::harness::programs::{Program, Source};
use crate::harness::run::{Channel, Judgement, Limits, Ran};
use crate::harness::stage::Stage;

/// The stage and the programs on it.
pub(crate) struct Programs {
    pub(crate) stage: Stage,
    folder: PathBuf,
    sources: Vec<PathBuf>,
    built: Mutex<BTreeMap<String, &'static OnceLock<Result<Program, String>>>>,
}

/// A folder of sources below `tests`.
pub(crate) fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

impl Programs {
    /// Programs of these [folders](sources); the first that has one of a name counts.
    pub(crate) fn new(sources: Vec<PathBuf>) -> Result<Programs, String> {
        let stage = Stage::new()?;
        let folder = stage
            .program_folder("programs")
            .map_err(|e| e.to_string())?;
        for identity in Identity::possible() {
            // A test input that belongs to the user who runs the judge.
            let input = stage.home(*identity).join("input.txt");
            fs::write(&input, "the jury's secret\n").map_err(|e| e.to_string())?;
            if let Some(uid) = identity.uid() {
                chown(&input, Some(uid), Some(uid)).map_err(|e| e.to_string())?;
            }
        }
        Ok(Programs {
            stage,
            folder,
            sources,
            built: Mutex::default(),
        })
    }

    /// The program of that name.
    pub(crate) fn get(&self, name: &str) -> Result<Program, String> {
        let stem = name.strip_suffix(".py").unwrap_or(name);
        let cell = *self
            .built
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(stem.to_owned())
            .or_insert_with(|| Box::leak(Box::default()));
        let found = || {
            let sources = self.sources.iter();
            let mut found = sources.map(|folder| Source::find(folder, stem));
            let first = found.find(Result::is_ok);
            first.unwrap_or_else(|| Err(format!("there is no program {stem}")))
        };
        cell.get_or_init(|| found()?.install(&self.folder)).clone()
    }

    /// The test input of that user's judgements.
    pub(crate) fn input(&self, identity: Identity) -> PathBuf {
        self.stage.home(identity).join("input.txt")
    }

    /// A judgement of two programs with the usual limits.
    pub(crate) fn judgement(
        &self,
        contestant: Program,
        interactor: Program,
        identity: Identity,
    ) -> Judgement {
        Judgement {
            contestant,
            interactor,
            input: self.input(identity),
            answer: None,
            cwd: self.stage.home(identity),
            channel: Channel::Tmpfs,
            identity,
            limits: Limits::contestant(),
            interactor_limits: Limits::interactor(),
            cpu_set: None,
            isolation: None,
            json: true,
            transcript: false,
            keep_output: false,
            kill: None,
        }
    }

    /// Everything that a person needs to see, if something is wrong.
    pub(crate) fn verdict(&self, wrong: Vec<String>, ran: &Ran) -> Result<(), String> {
        if wrong.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        Err(format!("wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown()))
    }
}
