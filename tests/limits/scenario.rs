//! Two actors, the flags of their run, and what must come of it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::figures::Figures;
use super::harness::checks;
use super::harness::identity::Identity;
use super::harness::programs::{Program, Source};
use super::harness::report::Code;
use super::harness::run::{Ran, invoke};
use super::harness::stage::Stage;

/// Bounds on what real time does to a figure hold in one of so many runs.
const ATTEMPTS: usize = 3;

/// What is checked of a finished run besides its verdict.
type Check = fn(&Figures) -> Result<(), String>;

/// One row of the table.
#[derive(Clone)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    flags: &'static str,
    contestant: &'static str,
    interactor: &'static str,
    wanted: Code,
    /// The side that went over a limit, and which.
    over: Option<(&'static str, &'static str)>,
    /// What holds in every run.
    checks: Vec<Check>,
    /// What holds unless the machine was late.
    timely: Vec<Check>,
    /// Even the verdict depends on that.
    is_timely: bool,
}

/// The programs, and where they lie.
pub(crate) struct Actors {
    stage: Stage,
    folder: PathBuf,
    actor: Program,
}

impl Actors {
    fn source() -> Result<Source, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits");
        Source::find(&folder, "actor")
    }

    /// The command without which the actor cannot be built.
    pub(crate) fn missing_tool() -> Result<Option<&'static str>, String> {
        Ok(Self::source()?.missing_tool(Identity::Own))
    }

    /// Compiles the actor and puts it where every user can start it.
    pub(crate) fn install() -> Result<Actors, String> {
        let stage = Stage::new()?;
        let folder = stage.program_folder("limits");
        let folder = folder.map_err(|error| error.to_string())?;
        Ok(Actors {
            actor: Self::source()?.install(&folder)?,
            folder,
            stage,
        })
    }

    fn words(&self, does: &str) -> Vec<String> {
        let words: Vec<&str> = does.split_whitespace().collect();
        self.actor.with_args(&words).argv
    }
}

impl Scenario {
    /// The contestant is right.
    pub(crate) fn accepted(
        name: &'static str,
        flags: &'static str,
        contestant: &'static str,
        interactor: &'static str,
    ) -> Scenario {
        Scenario {
            name,
            flags,
            contestant,
            interactor,
            wanted: Code::Accepted,
            over: None,
            checks: Vec::new(),
            timely: Vec::new(),
            is_timely: false,
        }
    }

    /// It ends with this verdict, without anyone going over a limit.
    pub(crate) fn judged(self, wanted: Code) -> Scenario {
        Scenario { wanted, ..self }
    }

    /// The contestant goes over a limit.
    pub(crate) fn contestant_over(self, limit: &'static str, wanted: Code) -> Scenario {
        Scenario {
            over: Some(("contestant", limit)),
            wanted,
            ..self
        }
    }

    /// The interactor goes over a limit, and that is never the contestant's fault.
    pub(crate) fn interactor_over(self, limit: &'static str) -> Scenario {
        Scenario {
            over: Some(("interactor", limit)),
            wanted: Code::JudgeError,
            ..self
        }
    }

    pub(crate) fn check(mut self, check: Check) -> Scenario {
        self.checks.push(check);
        self
    }

    pub(crate) fn timely(mut self, check: Check) -> Scenario {
        self.timely.push(check);
        self
    }

    /// The verdict itself depends on how long the programs wait for a CPU.
    pub(crate) fn if_the_machine_is_not_late(mut self) -> Scenario {
        self.is_timely = true;
        self
    }

    /// Runs it until the bounds on real time are kept, a few times at most; everything else must
    /// hold in each run.
    pub(crate) fn run(&self, actors: &Actors, identity: Identity) -> Result<(), String> {
        let mut late = String::new();
        for _ in 0..ATTEMPTS {
            let (ran, figures, wrong) = self.ran(actors, identity)?;
            if !wrong.is_empty() && !self.is_timely {
                return Err(explained(&wrong, &ran));
            }
            let mut all = wrong;
            if let Some(figures) = figures {
                all.extend(self.timely.iter().filter_map(|check| check(&figures).err()));
            }
            if all.is_empty() {
                actors.stage.discard(&ran.folder);
                return Ok(());
            }
            late = explained(&all, &ran);
        }
        Err(format!("in {ATTEMPTS} runs; in the last one:\n{late}"))
    }

    /// Runs it once, without the bounds on real time.
    pub(crate) fn once(&self, actors: &Actors, identity: Identity) -> Result<(), String> {
        let (ran, _, wrong) = self.ran(actors, identity)?;
        match wrong.is_empty() {
            true => {
                actors.stage.discard(&ran.folder);
                Ok(())
            }
            false => Err(explained(&wrong, &ran)),
        }
    }

    fn ran(
        &self,
        actors: &Actors,
        identity: Identity,
    ) -> Result<(Ran, Option<Figures>, Vec<String>), String> {
        let arguments = |_: &Path| {
            let mut arguments = vec!["run".to_owned(), "--json".to_owned()];
            arguments.extend(self.flags.split_whitespace().map(str::to_owned));
            let interactor = shell_words::join(actors.words(self.interactor));
            let input = actors.stage.empty_file().to_string_lossy().into_owned();
            arguments.extend(["--interactor".to_owned(), interactor]);
            arguments.extend(["--input".to_owned(), input, "--".to_owned()]);
            arguments.extend(actors.words(self.contestant));
            arguments
        };
        let ran = invoke(&actors.stage, identity, &actors.folder, None, arguments)?;
        let (report, mut wrong) = checks::sound(&ran);
        let Some(report) = report else {
            return Ok((ran, None, wrong));
        };
        if report.code != self.wanted {
            wrong.push(format!(
                "the verdict is {} instead of {}",
                report.code, self.wanted
            ));
        }
        let figures = Figures::new(ran.reports()?.pop().unwrap_or(Value::Null));
        wrong.extend(figures.plausible());
        if report.code == self.wanted {
            if let Some((role, limit)) = self.over {
                wrong.extend(figures.over(role, limit).err());
            }
            wrong.extend(self.checks.iter().filter_map(|check| check(&figures).err()));
        }
        Ok((ran, Some(figures), wrong))
    }
}

fn explained(wrong: &[String], ran: &Ran) -> String {
    format!("Wrong:\n- {}\n{}", wrong.join("\n- "), ran.shown())
}
