//! The tiny programs, and one start of them in each of the ways.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::harness::dialogue::{Link, Placement, start_both};
use crate::harness::process::{Program, only};
use crate::harness::{alone, compile};

/// No start takes so long.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What kind of program is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// C, linked with `-static`.
    Static,
    /// C, linked as the compiler does by itself.
    Dynamic,
    Python,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Static, Kind::Dynamic, Kind::Python];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Static => "C, static",
            Kind::Dynamic => "C, dynamic",
            Kind::Python => "Python 3",
        }
    }
}

/// What is timed, from before the first fork until after the last wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// A program that does nothing, by fork, exec and wait.
    Alone(Kind),
    /// `rejoinder exec` of it, with these flags.
    Exec(Kind, &'static [&'static str]),
    /// Both sides of a dialogue, over pipes.
    Both(Kind),
    /// `rejoinder run` of both, with these flags.
    Run(Kind, &'static [&'static str]),
    /// The same, with a transcript.
    Logged(Kind),
    /// `rejoinder --version`, which starts nothing.
    Version,
}

impl Way {
    /// What is started, if it is one of the programs.
    fn kind(self) -> Option<Kind> {
        match self {
            Way::Alone(kind) | Way::Exec(kind, _) | Way::Both(kind) => Some(kind),
            Way::Run(kind, _) | Way::Logged(kind) => Some(kind),
            Way::Version => None,
        }
    }
}

/// The part that a program plays.
#[derive(Clone, Copy)]
enum Part {
    Nothing,
    Ask,
    Answer,
}

/// Where everything is that a start needs.
pub(crate) struct Bench {
    static_c: PathBuf,
    dynamic_c: PathBuf,
    python: Option<PathBuf>,
    script: PathBuf,
    pub(crate) folder: PathBuf,
    /// Those that may be used; all but the counted sessions are on the first.
    pub(crate) cpus: Vec<usize>,
}

impl Bench {
    /// Compiles the programs into the folder.
    pub(crate) fn new(folder: &Path, cpus: &[usize]) -> Result<Bench> {
        let text = include_str!("tiny.c");
        let script = folder.join("tiny.py");
        std::fs::write(&script, include_str!("tiny.py")).context("failed to write tiny.py")?;
        std::fs::write(folder.join("input"), "1\n").context("failed to write the input")?;
        Ok(Bench {
            static_c: compile::c(folder, "static", text, &["-static"])?,
            dynamic_c: compile::c(folder, "dynamic", text, &[])?,
            python: python(folder),
            script,
            folder: folder.to_owned(),
            cpus: cpus.to_vec(),
        })
    }

    pub(crate) fn cpu(&self) -> Result<usize> {
        let first = self.cpus.first().copied();
        first.context("this process may run on no CPU")
    }

    /// Why it cannot be measured, if so. A first start also warms the caches.
    pub(crate) fn missing(&self, way: Way) -> Option<String> {
        if way.kind() == Some(Kind::Python) && self.python.is_none() {
            return Some("skipped: there is no `python3` for the sandbox".to_owned());
        }
        let failed = self.start_ms(way).err();
        failed.map(|error| format!("not measured: {error:#}"))
    }

    /// The words of a program for rejoinder, which finds the interpreter of a script by itself.
    fn program(&self, kind: Kind, part: Part) -> Vec<OsString> {
        let file = match kind {
            Kind::Static => &self.static_c,
            Kind::Dynamic => &self.dynamic_c,
            Kind::Python => &self.script,
        };
        let mut words: Vec<OsString> = vec![file.into()];
        match part {
            Part::Nothing => {}
            Part::Ask => words.push("ask".into()),
            Part::Answer => words.push("answer".into()),
        }
        words
    }

    /// The same, ready to be started bare.
    fn bare(&self, kind: Kind, part: Part) -> Vec<OsString> {
        let interpreter = self.python.iter().filter(|_| kind == Kind::Python);
        let mut words: Vec<OsString> = interpreter.map(OsString::from).collect();
        words.extend(self.program(kind, part));
        words
    }

    /// The command of `rejoinder exec`.
    fn exec(&self, kind: Kind, flags: &[&str]) -> Result<Vec<OsString>> {
        let mut words = vec![env!("CARGO_BIN_EXE_rejoinder").into(), "exec".into()];
        words.extend(["--cpu-set".into(), self.cpu()?.to_string().into()]);
        words.extend(flags.iter().map(OsString::from));
        words.push("--".into());
        words.extend(self.program(kind, Part::Nothing));
        Ok(words)
    }

    /// The command of `rejoinder run`.
    pub(crate) fn run(&self, kind: Kind, flags: &[&str]) -> Result<Vec<OsString>> {
        let interactor = self.program(kind, Part::Answer);
        let interactor: Option<Vec<&str>> = interactor.iter().map(|word| word.to_str()).collect();
        let interactor = interactor.context("a path of a program is not UTF-8")?;
        let mut words = vec![env!("CARGO_BIN_EXE_rejoinder").into(), "run".into()];
        words.extend(["--interactor".into(), shell_words::join(interactor).into()]);
        words.extend(["--input".into(), self.folder.join("input").into()]);
        words.extend(flags.iter().map(OsString::from));
        words.push("--".into());
        words.extend(self.program(kind, Part::Ask));
        Ok(words)
    }

    /// Both sides, ready to be started bare.
    pub(crate) fn both(&self, kind: Kind) -> Result<(Program, Program)> {
        let program = |part| {
            let words = self.bare(kind, part);
            Program::new(&words[0], &words[1..])
        };
        Ok((program(Part::Ask)?, program(Part::Answer)?))
    }

    /// Milliseconds that one start takes, and the end of what was started.
    pub(crate) fn start_ms(&self, way: Way) -> Result<f64> {
        let cpu = self.cpu()?;
        let pinned = ["--cpu-set".to_owned(), cpu.to_string()];
        let pinned = pinned.each_ref().map(String::as_str);
        let took = match way {
            Way::Alone(kind) => self.timed(self.bare(kind, Part::Nothing))?,
            Way::Exec(kind, flags) => self.timed(self.exec(kind, flags)?)?,
            Way::Run(kind, flags) => self.timed(self.run(kind, &[&pinned, flags].concat())?)?,
            Way::Logged(kind) => {
                let transcript = self.folder.join("transcript");
                let transcript = transcript.to_str().context("a path is not UTF-8")?;
                let logged = ["--transcript", transcript];
                self.timed(self.run(kind, &[pinned, logged].concat())?)?
            }
            Way::Version => {
                let words = [env!("CARGO_BIN_EXE_rejoinder"), "--version"];
                self.timed(words.map(OsString::from).to_vec())?
            }
            Way::Both(kind) => {
                let (asker, answerer) = self.both(kind)?;
                let together = Placement::Together(cpu);
                let began = Instant::now();
                let (asker, answerer) = start_both(&asker, &answerer, Link::Pipes, together)?;
                asker.wait_success(began + TIME_LIMIT)?;
                answerer.wait_success(began + TIME_LIMIT)?;
                began.elapsed()
            }
        };
        Ok(took.as_secs_f64() * 1e3)
    }

    fn timed(&self, words: Vec<OsString>) -> Result<Duration> {
        let cpus = only(self.cpu()?)?;
        let ran = alone::run(&words, &self.folder, Some(cpus), TIME_LIMIT)?;
        Ok(ran.succeeded(&words[0])?.took)
    }
}

/// The interpreter that the sandbox has for scripts: what lies in `PATH` may be another one, or a
/// script that looks for one.
fn python(folder: &Path) -> Option<PathBuf> {
    let script = folder.join("where.py");
    std::fs::write(&script, "import sys\nprint(sys.executable)\n").ok()?;
    let words = [env!("CARGO_BIN_EXE_rejoinder"), "exec", "--"].map(OsString::from);
    let words = [&words[..], &[script.into()]].concat();
    let ran = alone::run(&words, folder, None, TIME_LIMIT).ok()?;
    let ran = ran.succeeded(&words[0]).ok()?;
    let path = String::from_utf8(ran.stdout).ok()?;
    Some(PathBuf::from(path.trim()))
}
