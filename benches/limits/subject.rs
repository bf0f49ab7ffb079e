//! The program that exceeds limits, one run of it, and the machine's other work.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cases::{Case, Limit};
use crate::harness::process::{Program, Running, Wiring, start};
use crate::harness::{alone, compile};

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Busy processes for each CPU.
const BUSY: usize = 2;

/// How far one run went beyond its limit, in the limit's unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overrun {
    /// When it was found: what the verdict says.
    pub(crate) found: f64,
    /// In all, when it had ended.
    pub(crate) in_all: f64,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    exceeds: PathBuf,
    folder: PathBuf,
    cpus: usize,
}

impl Bench {
    /// Compiles the program into the folder. There are so many CPUs.
    pub(crate) fn new(folder: &Path, cpus: usize) -> Result<Bench> {
        let text = include_str!("exceeds.c");
        Ok(Bench {
            exceeds: compile::c(folder, "exceeds", text, &["-pthread"])?,
            folder: folder.to_owned(),
            cpus,
        })
    }

    /// Other work for the machine, until it is dropped.
    pub(crate) fn load(&self) -> Result<Vec<Running>> {
        let null = File::options().read(true).write(true).open("/dev/null");
        let null = null.context("failed to open /dev/null")?;
        let program = Program::new(self.exceeds.as_os_str(), &["one-thread"])?;
        let wiring = Wiring {
            stdin: null.as_fd(),
            stdout: null.as_fd(),
            stderr: None,
            cpus: None,
        };
        (0..BUSY * self.cpus)
            .map(|_| start(&program, &wiring))
            .collect()
    }

    /// Runs the program until its limit ends it.
    pub(crate) fn run(&self, case: &Case) -> Result<Overrun> {
        let report = self.report(case)?;
        let (program, limit) = (&report["program"], case.limit);
        let end = &program["end"];
        if end["limit"] != limit.name() {
            bail!("it was not ended by that limit: {}", report["reason"]);
        }
        let (_, allowed) = limit.value();
        let (field, unit) = limit.used();
        let number = |value: &Value, name: &str| {
            let number = value[name].as_f64();
            number.with_context(|| format!("the report has no number `{name}`"))
        };
        Ok(Overrun {
            found: number(end, "used")? * limit.scale() - allowed,
            in_all: number(program, field)? * unit - allowed,
        })
    }

    /// The layers of isolation that a run has here.
    pub(crate) fn layers(&self, case: &Case) -> Result<Vec<String>> {
        let report = self.report(case)?;
        let layers = report["isolation"].as_array().into_iter().flatten();
        Ok(layers
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect())
    }

    fn report(&self, case: &Case) -> Result<Value> {
        // So wide that the one limit comes first, however busy the machine is.
        let limit = |limit: Limit, wide: &str| {
            let value = if limit == case.limit {
                limit.value().0
            } else {
                wide
            };
            [format!("--{}", limit.name()), value.to_owned()]
        };
        let limits = [
            limit(Limit::Cpu, "60s"),
            limit(Limit::Wall, "100s"),
            limit(Limit::Idle, "100s"),
            limit(Limit::Memory, "1GiB"),
            limit(Limit::Output, "1GiB"),
        ];
        let mut words: Vec<OsString> = vec![env!("CARGO_BIN_EXE_rejoinder").into()];
        words.extend(["exec", "--json", "--explain", "no"].map(OsString::from));
        words.extend(["--cpu-set", case.cpus].map(OsString::from));
        words.extend(limits.into_iter().flatten().map(OsString::from));
        words.extend(["--".into(), self.exceeds.clone().into(), case.way.into()]);
        let ran = alone::run(&words, &self.folder, None, TIME_LIMIT)?;
        serde_json::from_slice(&ran.stdout).ok().with_context(|| {
            let messages = String::from_utf8_lossy(&ran.stderr);
            let (code, messages) = (ran.ended.code, messages.trim());
            format!("rejoinder exited with {code} and printed no JSON report, but \"{messages}\"")
        })
    }
}
