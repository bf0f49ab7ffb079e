//! The sorts compiled, and one run of one of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::stat::{Mode, umask};
use serde::Serialize;
use serde_json::Value;

use crate::data::{self, Checksum};
use crate::harness::{alone, compile, places};
use crate::options::Plan;
use crate::sorts::{Ground, Limit, Sort};

/// No run takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(1800);

const SOURCES: [(&str, &str); 5] = [
    ("empty", include_str!("empty.c")),
    ("naive", include_str!("naive.c")),
    ("mapped", include_str!("mapped.c")),
    ("external", include_str!("external.c")),
    ("counting", include_str!("counting.c")),
];

/// Where the interactor's folder is made, as root.
const RUNTIME_FOLDER: &str = "/run";

/// What one run came to.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// True if it ended within its limits and the numbers are sorted.
    pub(crate) lived: bool,
    /// How it ended otherwise, with the verdict; or what it was refused and did without.
    pub(crate) how: String,
    /// User and system time, in milliseconds.
    pub(crate) cpu_ms: f64,
    /// Real time.
    pub(crate) real_ms: f64,
    /// Peak memory as rejoinder reports it.
    pub(crate) memory_kib: f64,
    /// Peak memory by the kernel's account of the process; only if it lived to tell.
    pub(crate) own_kib: Option<f64>,
    pub(crate) ground: Ground,
}

/// What a program needs that is linked as the sorts are and does nothing, in KiB.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Footprint {
    pub(crate) address_space_kib: u64,
    /// As rejoinder reports it.
    pub(crate) memory_kib: u64,
}

/// Where everything is that a run needs.
pub(crate) struct Bench {
    folder: PathBuf,
    pub(crate) footprint: Footprint,
}

/// A file of numbers.
pub(crate) struct Numbers {
    pub(crate) plan: Plan,
    path: PathBuf,
    checksum: Checksum,
}

impl Bench {
    /// Compiles the sorts into the folder.
    pub(crate) fn new(folder: &Path) -> Result<Bench> {
        let place = |name: &str| folder.join(name);
        // What is made here is for the users of the sandbox to read.
        umask(Mode::from_bits_truncate(0o022));
        let header = place("sort.h");
        std::fs::write(header, include_str!("sort.h")).context("failed to write sort.h")?;
        for (name, text) in SOURCES {
            compile::c(folder, name, text, &["-pthread"])?;
        }
        let library = ["-shared", "-fPIC", "-ldl"];
        compile::c(folder, "limit.so", include_str!("limit.c"), &library)?;
        std::fs::create_dir(place("output")).context("failed to make a folder")?;
        let mut bench = Bench {
            folder: folder.to_owned(),
            footprint: Footprint {
                address_space_kib: 0,
                memory_kib: 0,
            },
        };
        bench.footprint = bench.look_at_footprint()?;
        Ok(bench)
    }

    fn look_at_footprint(&self) -> Result<Footprint> {
        let words = ["exec", "--json", "--"].map(OsString::from);
        let mut words = words.to_vec();
        words.push(self.folder.join("empty").into());
        let report = self.report(&words)?;
        let program = &report["program"];
        let told = told(program, "address_space_kib");
        Ok(Footprint {
            address_space_kib: told.context("the empty program told no footprint")? as u64,
            memory_kib: number(program, "memory_kib")? as u64,
        })
    }

    /// Writes the file of numbers of a plan.
    pub(crate) fn numbers(&self, plan: Plan) -> Result<Numbers> {
        let path = self.folder.join("numbers");
        let checksum = data::write(&path, plan.data)?;
        Ok(Numbers {
            plan,
            path,
            checksum,
        })
    }

    /// Sorts once.
    pub(crate) fn run(&self, sort: Sort, limit: Limit, numbers: &Numbers) -> Result<Run> {
        self.attempt(sort, limit, numbers)
            .with_context(|| format!("{}, {}", sort.name(), limit.name()))
    }

    fn attempt(&self, sort: Sort, limit: Limit, numbers: &Numbers) -> Result<Run> {
        let output = self.output();
        // It is made by rejoinder: a file that is there when a program is given its name is taken
        // for one that the program reads, and is not written over.
        let _ = std::fs::remove_file(&output);
        let report = match sort.needs_a_folder() {
            true => self.report(&self.as_interactor(sort, limit, numbers)?)?,
            false => self.report(&self.alone(sort, limit, numbers))?,
        };
        let program = match sort.needs_a_folder() {
            true => &report["interactor"],
            false => &report["program"],
        };
        let code = report["code"].as_str().context("the report has no code")?;
        let lived = code == "OK" || code == "AC";
        if code == "IE" {
            bail!("internal error: {}", report["reason"]);
        }
        if lived {
            data::check(&output, numbers.plan.data, numbers.checksum)
                .context("it says that it has sorted, but it has not")?;
        }
        // Not written out any more, if it has not been so far.
        let _ = std::fs::remove_file(&output);
        let layers = report["isolation"].as_array();
        let on_disk = places::file_system(Path::new(RUNTIME_FOLDER)) != "tmpfs";
        Ok(Run {
            lived,
            how: how(program, code, lived),
            cpu_ms: number(program, "cpu_ms")?,
            real_ms: number(program, "wall_ms")?,
            memory_kib: number(program, "memory_kib")?,
            own_kib: told(program, "peak_kib"),
            ground: Ground {
                cgroup: layers.is_some_and(|layers| layers.iter().any(|l| l == "cgroup")),
                on_disk,
            },
        })
    }

    fn output(&self) -> PathBuf {
        self.folder.join("output/sorted")
    }

    /// The arguments for a sort that runs alone.
    fn alone(&self, sort: Sort, limit: Limit, numbers: &Numbers) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["exec".into()];
        words.extend(self.limits("--", limit, numbers.plan));
        words.extend(["--json", "--capture", "file", "--stdin"].map(OsString::from));
        words.extend([numbers.path.clone().into(), "--stdout".into()]);
        words.extend([self.output().into(), "--read".into()]);
        words.extend([self.folder.join("output").into(), "--".into()]);
        words.extend(self.command(sort, limit, numbers.plan));
        words
    }

    /// The arguments for a sort that is an interactor, beside a contestant that does nothing.
    fn as_interactor(&self, sort: Sort, limit: Limit, numbers: &Numbers) -> Result<Vec<OsString>> {
        let command = self.command(sort, limit, numbers.plan);
        let command: Option<Vec<&str>> = command.iter().map(|word| word.to_str()).collect();
        let command = command.context("the path of the temporary folder is not UTF-8")?;
        let mut words: Vec<OsString> = vec!["run".into()];
        words.extend(self.limits("--interactor-", limit, numbers.plan));
        words.extend(["--json", "--session", "1700s", "--interactor"].map(OsString::from));
        words.extend([shell_words::join(command).into(), "--input".into()]);
        words.extend([numbers.path.clone().into(), "--keep-output".into()]);
        words.extend([self.output().into(), "--".into()]);
        words.push(self.folder.join("empty").into());
        Ok(words)
    }

    /// All limits, by flags with a beginning of their own. Those that are not of interest are so
    /// wide that nothing depends on them.
    fn limits(&self, prefix: &str, limit: Limit, plan: Plan) -> Vec<OsString> {
        let kib = |bytes: u64| format!("{}KiB", bytes.div_ceil(1024));
        let memory = match limit {
            Limit::Resident => kib(plan.memory),
            _ => "8GiB".to_owned(),
        };
        let output = kib(2 * plan.data + (1 << 20));
        let library = self.folder.join("limit.so").display().to_string();
        let mut flags = vec![
            ("cpu", "1500s".to_owned()),
            ("wall", "1600s".to_owned()),
            ("idle", "1600s".to_owned()),
            ("stack", "8MiB".to_owned()),
            ("memory", memory),
            ("output", output),
            ("read", library),
        ];
        if limit == Limit::AddressSpace {
            let footprint = self.footprint.address_space_kib << 10;
            flags.push(("address-space", kib(plan.memory + footprint)));
        }
        let flags = flags.into_iter();
        let flags = flags.flat_map(|(name, value)| [format!("{prefix}{name}"), value]);
        // Threads are to have a CPU each.
        let cpus = ["--cpu-set", "all"].map(str::to_owned);
        flags.chain(cpus).map(OsString::from).collect()
    }

    /// The sort and its arguments, below what limits its malloc.
    fn command(&self, sort: Sort, limit: Limit, plan: Plan) -> Vec<OsString> {
        let program = |name: &str| self.folder.join(name).into_os_string();
        let (memory, output) = (plan.memory.to_string(), self.output());
        let mut words = Vec::new();
        if limit == Limit::Malloc {
            let mut preload = OsString::from("LD_PRELOAD=");
            preload.push(program("limit.so"));
            words.extend(["/usr/bin/env".into(), preload]);
            words.push(format!("MALLOC_LIMIT={memory}").into());
        }
        let external = |threads: &str| {
            let words = [program("external"), memory.clone().into()];
            let output = output.clone().into_os_string();
            words.into_iter().chain([threads.into(), output]).collect()
        };
        let own: Vec<OsString> = match sort {
            Sort::Naive => vec![program("naive")],
            Sort::MappedPrivate => vec![program("mapped"), "private".into()],
            Sort::MappedShared => vec![program("mapped"), "shared".into(), "qsort".into()],
            Sort::MappedInPlace => vec![program("mapped"), "shared".into(), "in-place".into()],
            Sort::External => external("1"),
            Sort::ExternalThreads => external("2"),
            Sort::Counting => vec![program("counting"), memory.into()],
        };
        words.extend(own);
        words
    }

    /// Runs rejoinder with these arguments; its report.
    fn report(&self, words: &[OsString]) -> Result<Value> {
        let words = [&[OsString::from(env!("CARGO_BIN_EXE_rejoinder"))], words].concat();
        let ran = alone::run(&words, &self.folder, None, TIME_LIMIT)?;
        serde_json::from_slice(&ran.stdout).ok().with_context(|| {
            let messages = String::from_utf8_lossy(&ran.stderr);
            let (code, messages) = (ran.ended.code, messages.trim());
            format!("rejoinder exited with {code} and printed no JSON report, but \"{messages}\"")
        })
    }
}

/// How a program ended, in a few words. Of one that lived, what it was refused and did without.
fn how(program: &Value, code: &str, lived: bool) -> String {
    let end = &program["end"];
    let mut words = Vec::new();
    if !lived {
        words.push(match end["kind"].as_str() {
            Some("exited") => format!("exit {}", end["code"]),
            Some("killed") => end["name"].as_str().unwrap_or("a signal").to_owned(),
            Some("limit") => format!("{} limit", end["limit"].as_str().unwrap_or("a")),
            kind => kind.unwrap_or("no end").to_owned(),
        });
    }
    let refused = program["refused"].as_array().into_iter().flatten();
    let calls = refused.filter_map(|refusal| refusal["call"].as_str());
    let calls = calls.filter(|call| ["brk", "mmap", "mremap"].contains(call));
    words.extend(calls.map(|call| format!("{call} refused")));
    if stderr(program).contains("malloc_refused") {
        words.push("malloc refused".to_owned());
    }
    let words = words.join(", ");
    match lived {
        true => words,
        false => format!("{code}: {words}"),
    }
}

/// A figure that a program told on its standard error.
fn told(program: &Value, name: &str) -> Option<f64> {
    let mut lines = stderr(program).lines();
    lines.find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

fn stderr(program: &Value) -> &str {
    program["stderr"]["head"].as_str().unwrap_or_default()
}

fn number(program: &Value, name: &str) -> Result<f64> {
    program[name]
        .as_f64()
        .with_context(|| format!("the report has no number `{name}`"))
}
