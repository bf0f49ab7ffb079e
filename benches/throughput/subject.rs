//! The program compiled, and one run of two of them.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::fcntl::OFlag;

use crate::flows::{Between, Flow};
use crate::harness::compile;
use crate::harness::process::{Program, Wiring, cpu_set, start};

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Limits of time so wide that no figure depends on them.
const LIMITS: [&str; 14] = [
    "--cpu",
    "100s",
    "--wall",
    "100s",
    "--idle",
    "100s",
    "--interactor-cpu",
    "100s",
    "--interactor-wall",
    "100s",
    "--interactor-idle",
    "100s",
    "--session",
    "110s",
];

/// What one run came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// From the first byte to the last, by the programs' own clocks.
    pub(crate) real: Duration,
    pub(crate) contestant_cpu: Duration,
    /// `None` without a coordinator, or where the kernel does not tell.
    pub(crate) coordinator_cpu: Option<Duration>,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    flood: PathBuf,
    folder: PathBuf,
    cpus: Vec<usize>,
    /// Bytes that go each way.
    size: u64,
}

impl Bench {
    /// Compiles the program into the folder; `cpus` are those that may be used.
    pub(crate) fn new(folder: &Path, cpus: &[usize], size: u64) -> Result<Bench> {
        let sources = [("flood.c", include_str!("flood.c"))];
        Ok(Bench {
            flood: compile::c_of(folder, "flood", &sources, &["-pthread"])?,
            folder: folder.to_owned(),
            cpus: cpus.to_owned(),
            size,
        })
    }

    /// Lets the bytes go once.
    pub(crate) fn run(&self, flow: Flow, between: Between) -> Result<Run> {
        match between.channel() {
            None => self.bare(flow),
            Some(channel) => self.sandboxed(flow, channel),
        }
    }

    fn words(&self, what: &str, flow: Flow) -> [String; 3] {
        [
            what.to_owned(),
            self.size.to_string(),
            flow.block.to_string(),
        ]
    }

    fn bare(&self, flow: Flow) -> Result<Run> {
        let cpus = cpu_set(flow.placement.of(&self.cpus)?)?;
        let (contestant, interactor) = flow.direction.words();
        let program = |what| Program::new(self.flood.as_os_str(), &self.words(what, flow));
        let (contestant, interactor) = (program(contestant)?, program(interactor)?);
        let pipe = || nix::unistd::pipe2(OFlag::O_CLOEXEC).context("failed to make a pipe");
        let ((interactor_in, contestant_out), (contestant_in, interactor_out)) = (pipe()?, pipe()?);
        let told = ["contestant", "interactor"].map(|who| self.folder.join(who));
        let file = |path| File::create(path).context("failed to make a file for stderr");
        let (contestant_err, interactor_err) = (file(&told[0])?, file(&told[1])?);
        let began = Instant::now();
        let contestant = start(
            &contestant,
            &Wiring {
                stdin: contestant_in.as_fd(),
                stdout: contestant_out.as_fd(),
                stderr: Some(contestant_err.as_fd()),
                cpus: Some(cpus),
            },
        )?;
        let interactor = start(
            &interactor,
            &Wiring {
                stdin: interactor_in.as_fd(),
                stdout: interactor_out.as_fd(),
                stderr: Some(interactor_err.as_fd()),
                cpus: Some(cpus),
            },
        )?;
        // With our ends open, a program would wait for ever for another that died.
        drop((contestant_in, contestant_out, interactor_in, interactor_out));
        let ended = contestant.wait_success(began + TIME_LIMIT)?;
        interactor.wait_success(began + TIME_LIMIT)?;
        let read = |path| std::fs::read_to_string(path).context("failed to read the times");
        Ok(Run {
            real: elapsed(&[&read(&told[0])?, &read(&told[1])?])?,
            contestant_cpu: ended.cpu,
            coordinator_cpu: None,
        })
    }

    fn sandboxed(&self, flow: Flow, channel: &str) -> Result<Run> {
        let binary: OsString = env!("CARGO_BIN_EXE_rejoinder").into();
        let program = Program::new(&binary, &self.arguments(flow, channel)?)?;
        let (printed, complained) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let (stdin, stdout, stderr) = (
            File::open("/dev/null").context("failed to open /dev/null")?,
            File::create(&printed).context("failed to make a file for the report")?,
            File::create(&complained).context("failed to make a file for the messages")?,
        );
        let wiring = Wiring {
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: Some(stderr.as_fd()),
            cpus: None,
        };
        let deadline = Instant::now() + TIME_LIMIT;
        let (ended, coordinator_cpu) = start(&program, &wiring)?.wait_apart(deadline)?;
        let report = std::fs::read(&printed).context("failed to read the report")?;
        let report: serde_json::Value = serde_json::from_slice(&report).ok().with_context(|| {
            let messages = std::fs::read(&complained).unwrap_or_default();
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
        let told = |who: &str| {
            let text = report[who]["stderr"]["head"].as_str();
            text.with_context(|| format!("the report has no standard error of the {who}"))
        };
        let cpu_ms = report["contestant"]["cpu_ms"]
            .as_f64()
            .context("the report has no number `contestant.cpu_ms`")?;
        Ok(Run {
            real: elapsed(&[told("contestant")?, told("interactor")?])?,
            contestant_cpu: Duration::try_from_secs_f64(cpu_ms / 1e3)
                .context("`contestant.cpu_ms` is no length of time")?,
            coordinator_cpu,
        })
    }

    fn arguments(&self, flow: Flow, channel: &str) -> Result<Vec<OsString>> {
        let flood = self
            .flood
            .to_str()
            .context("the temporary folder's path is not UTF-8, which `--interactor` needs")?;
        let (contestant, interactor) = flow.direction.words();
        let input = self.folder.join("input");
        std::fs::write(&input, "1\n").context("failed to write the input file")?;
        let cpus = flow.placement.of(&self.cpus)?.iter().map(usize::to_string);
        let cpus = cpus.collect::<Vec<_>>().join(",");
        // All that is written may lie in memory, on its writer's account.
        let memory = format!("{}B", self.size + (256 << 20));
        let output = format!("{}B", self.size);
        let words = self.words(interactor, flow).join(" ");
        let interactor = format!("{} {words}", shell_words::quote(flood));

        let mut args: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| args.extend(words.iter().map(OsString::from));
        add(&["run", "--json", "--channel", channel, "--cpu-set", &cpus]);
        add(&["--interactor", &interactor]);
        add(&["--output", &output, "--interactor-output", &output]);
        add(&["--memory", &memory, "--interactor-memory", &memory]);
        add(&LIMITS);
        args.extend(["--input".into(), input.into_os_string()]);
        args.extend(["--", flood].map(OsString::from));
        args.extend(self.words(contestant, flow).map(OsString::from));
        Ok(args)
    }
}

/// From the earliest of the times that the programs told to the latest.
fn elapsed(told: &[&str]) -> Result<Duration> {
    let mut times = Vec::new();
    for text in told {
        for word in text.split_whitespace() {
            let time: u64 = word
                .parse()
                .with_context(|| format!("a program told `{}` instead of times", text.trim()))?;
            times.push(time);
        }
    }
    let (first, last) = (times.iter().min(), times.iter().max());
    let (first, last) = first.zip(last).context("the programs told no times")?;
    Ok(Duration::from_nanos(last - first))
}
