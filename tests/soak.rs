//! Many sessions in a row in one process, half of them hostile: after each, the process has what it
//! had before and no more.
//!
//! Looked for are processes, descriptors (and with them locks and files in memory), threads,
//! mounts, cgroups, scratch folders, and growing memory. `REJOINDER_SOAK_SESSIONS=1000` sets how
//! many sessions there are.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "soak/remains.rs"]
mod remains;
#[path = "soak/roster.rs"]
mod roster;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use harness::identity::Identity;
use harness::programs::Source;
use harness::stage::Stage;
use libtest_mimic::{Arguments, Failed, Trial};
use rejoinder::evidence::Role;
use rejoinder::spec::cache::Cache;
use rejoinder::spec::language::Languages;
use rejoinder::spec::limits::Limits;
use rejoinder::spec::plan::{
    ChannelKind, ContestantPlan, Cpus, InteractorPlan, Isolation, Plan, RunnerPlan,
};
use rejoinder::spec::protocol::Protocol;
use rejoinder::spec::resolve::resolve;
use rejoinder::verdict::{Policy, Verdict};
use rejoinder::{runner, session};
use remains::{Possessions, nothing_but, resident_kib};
use roster::{Against, Entry, ROSTER};

/// The first argument by which this binary knows that it is to play the sessions.
const FLAG: &str = "--play";

/// Sessions, if nobody says how many.
const SESSIONS: usize = 150;

/// What the allocator and the kernel's caches may keep after the first sessions.
const GROWTH_KIB: u64 = 2048;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if words.first().is_some_and(|word| word == FLAG) {
        return match play(&words[1..]) {
            Ok(said) => {
                println!("{said}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let args = Arguments::from_args();
    match trials(&args) {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One trial for each identity: a process of its own that plays all sessions.
fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let names = ROSTER.iter().flat_map(|entry| {
        let interactor = match entry.against {
            Against::Interactor(words) => words,
            Against::Nobody(_) => entry.contestant,
        };
        [entry.contestant, interactor].map(program)
    });
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let sources = names.iter().map(|name| Source::find(&folder, name));
    let sources = sources.collect::<Result<Vec<_>, String>>()?;
    let missing = sources[0].missing_tool(Identity::Own);
    if let Some(tool) = missing {
        eprintln!("soak: ignored: `{tool}` is not to be had");
    }
    let stage = match args.list || missing.is_some() {
        true => None,
        false => Some(Arc::new(Stage::new()?)),
    };
    if let Some(stage) = &stage {
        let failed = |error: std::io::Error| format!("cannot prepare the stage: {error}");
        let folder = stage.program_folder("programs").map_err(failed)?;
        for source in &sources {
            source.install(&folder)?;
        }
        let ourselves = std::env::current_exe().map_err(failed)?;
        std::fs::copy(ourselves, folder.join("soak")).map_err(failed)?;
    }
    let sessions = sessions()?;
    let trial = |identity: &Identity| {
        let (identity, stage) = (*identity, stage.clone());
        let trial = Trial::test(format!("nothing-is-left/{}", identity.name()), move || {
            let stage = stage.ok_or_else(|| Failed::from("there is no stage"))?;
            played_by(identity, &stage, sessions).map_err(Failed::from)
        });
        trial.with_ignored_flag(missing.is_some())
    };
    Ok(Identity::possible().iter().map(trial).collect())
}

fn sessions() -> Result<usize, String> {
    match std::env::var("REJOINDER_SOAK_SESSIONS") {
        Err(_) => Ok(SESSIONS),
        Ok(text) => match text.parse() {
            Ok(sessions) if sessions > 0 => Ok(sessions),
            _ => Err(format!(
                "REJOINDER_SOAK_SESSIONS is `{text}`; it must be a number above zero"
            )),
        },
    }
}

/// Plays the sessions in a new process of that user.
fn played_by(identity: Identity, stage: &Stage, sessions: usize) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot play: {error}");
    let folder = stage.program_folder("programs").map_err(failed)?;
    let mut command = Command::new(folder.join("soak"));
    command
        .args([FLAG, &sessions.to_string()])
        .args([&folder, &stage.empty_file()])
        .current_dir(stage.home(identity));
    if let Some(uid) = identity.uid() {
        command.env_clear().uid(uid).gid(uid);
    }
    command.envs(identity.environment(&stage.home(identity)));
    let output = command.output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.success() {
        true => {
            eprint!("soak: {}: {said}", identity.name());
            Ok(())
        }
        false => Err(format!(
            "{}\n{said}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

fn program(words: &'static str) -> &'static str {
    words.split(' ').next().unwrap_or_default()
}

/// Plays so many sessions, and looks around after each. The words are how many, the folder of the
/// programs, and the test's input.
fn play(words: &[OsString]) -> Result<String, String> {
    let [sessions, folder, input] = words else {
        return Err("it takes a number, a folder and a file".to_owned());
    };
    let sessions = sessions.to_str().and_then(|text| text.parse().ok());
    let sessions: usize = sessions.ok_or("the number is none")?;
    let place = Place {
        folder: folder.into(),
        input: input.into(),
        cache: Cache::open().map_err(|error| error.to_string())?,
    };
    // As the program itself does: orphans are ours to reap.
    nix::sys::prctl::set_child_subreaper(true).map_err(|error| error.to_string())?;
    let mut had = None;
    let mut memory = (0, 0);
    for number in 0..sessions {
        let entry = &ROSTER[number % ROSTER.len()];
        let wrong = |what: String| format!("session {number}, {}: {what}", entry.contestant);
        let verdict = place.judged(entry).map_err(wrong)?;
        if verdict.0 != entry.verdict {
            return Err(wrong(format!(
                "{:?} instead of {:?}: {}",
                verdict.0, entry.verdict, verdict.1
            )));
        }
        // What the process sets up once for all, such as signal handlers, comes with the first.
        let before = had.get_or_insert_with(Possessions::now);
        nothing_but(before).map_err(wrong)?;
        let resident = resident_kib();
        if number <= ROSTER.len() {
            memory.0 = memory.0.max(resident);
        }
        memory.1 = resident;
    }
    let (first, last) = memory;
    match last <= first + GROWTH_KIB {
        true => Ok(format!(
            "{sessions} sessions, {first} KiB after the first {}, {last} KiB at the end",
            ROSTER.len()
        )),
        false => Err(format!("memory has grown from {first} KiB to {last} KiB")),
    }
}

/// What the sessions need.
struct Place {
    folder: PathBuf,
    input: PathBuf,
    cache: Cache,
}

impl Place {
    /// The verdict, and its reason.
    fn judged(&self, entry: &Entry) -> Result<(Option<Verdict>, String), String> {
        let contestant = self.command(entry.contestant)?;
        let limits = Limits {
            cpu: Duration::from_millis(150),
            // Nothing here is about real time but what rests.
            wall: Duration::from_secs(60),
            idle: Duration::from_millis(match program(entry.contestant) {
                "rests" => 200,
                _ => 30_000,
            }),
            memory: 100 << 20,
            output: 1 << 20,
            tasks: 16,
            ..Limits::default_for(Role::Contestant)
        };
        let failed = |error: rejoinder::error::Error| error.to_string();
        match entry.against {
            Against::Interactor(words) => {
                let plan = Plan {
                    title: entry.contestant.to_owned(),
                    contestant: ContestantPlan {
                        command: contestant,
                        limits,
                    },
                    interactor: InteractorPlan {
                        command: self.command(words)?,
                        limits: Limits {
                            cpu: Duration::from_millis(300),
                            tasks: 16,
                            ..Limits::default_for(Role::Interactor)
                        },
                        protocol: Protocol::Testlib,
                        input: self.input.clone(),
                        answer: None,
                        extra_args: Vec::new(),
                        passes: 1,
                        checker: None,
                        keep_output: None,
                    },
                    channel: ChannelKind::Tmpfs,
                    cpus: Cpus::OneOfOurOwn,
                    isolation: Isolation::Strongest,
                    require: Vec::new(),
                    session: Duration::from_secs(120),
                    policy: Policy::default(),
                    explain: true,
                    transcript: None,
                };
                let judgement = session::run(&plan).map_err(failed)?.judgement;
                Ok((Some(judgement.verdict), judgement.reason))
            }
            Against::Nobody(capture) => {
                let plan = RunnerPlan {
                    command: contestant,
                    limits,
                    stdin: Some(self.input.clone()),
                    capture,
                    stdout: None,
                    cpus: Cpus::OneOfOurOwn,
                    isolation: Isolation::Strongest,
                    require: Vec::new(),
                    explain: true,
                };
                let judgement = runner::run(&plan).map_err(failed)?.judgement;
                Ok((judgement.failure, judgement.reason))
            }
        }
    }

    /// A program of the folder with its arguments.
    fn command(&self, words: &str) -> Result<rejoinder::spec::command::Command, String> {
        let mut all = words.split(' ').map(OsString::from);
        let program = self.folder.join(all.next().unwrap_or_default());
        let words: Vec<OsString> = [program.into_os_string()].into_iter().chain(all).collect();
        resolve(&words, &Languages::builtin(), &self.cache).map_err(|error| error.to_string())
    }
}
