//! The programs of these tests, and one run of `rejoinder exec`.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::harness::identity::Identity;
use super::harness::programs::{Program, Source};
use super::harness::stage::Stage;

/// No run takes so long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How output can be captured.
pub(crate) const METHODS: [&str; 7] = [
    "file",
    "tmpfs",
    "pipe",
    "pipe-file",
    "pipe-tmpfs",
    "peek",
    "readv",
];

/// The programs, and the folders of their sources.
const PROGRAMS: [(&str, &str); 4] = [
    ("writer", "exec"),
    ("space", "exec"),
    ("hostile", "exec"),
    ("actor", "limits"),
];

/// The programs, where every user can start them.
pub(crate) struct World {
    pub(crate) stage: Stage,
    programs: Vec<(&'static str, Program)>,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    command: String,
    /// The exit code, or 1000 and a signal.
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// The run's own folder.
    pub(crate) folder: PathBuf,
}

fn source(name: &str, folder: &str) -> Result<Source, String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    Source::find(&tests.join(folder), name)
}

impl World {
    /// The command without which the programs cannot be built.
    pub(crate) fn missing_tool() -> Result<Option<&'static str>, String> {
        Ok(source(PROGRAMS[0].0, PROGRAMS[0].1)?.missing_tool(Identity::Own))
    }

    pub(crate) fn install() -> Result<World, String> {
        let stage = Stage::new()?;
        let folder = stage
            .program_folder("exec")
            .map_err(|error| error.to_string())?;
        let mut programs = Vec::new();
        for (name, place) in PROGRAMS {
            programs.push((name, source(name, place)?.install(&folder)?));
        }
        Ok(World { stage, programs })
    }

    /// The path of a program.
    pub(crate) fn program(&self, name: &str) -> String {
        let found = self.programs.iter().find(|(known, _)| *known == name);
        found.map_or_else(String::new, |(_, program)| program.argv[0].clone())
    }

    /// `rejoinder exec` with these flags, and a program with its arguments, which are the words
    /// of one string.
    pub(crate) fn exec(&self, identity: Identity, flags: &str, program: &str) -> Run<'_> {
        let mut words: Vec<String> = program.split_whitespace().map(str::to_owned).collect();
        if let Some(first) = words.first_mut() {
            let path = self.program(first);
            if !path.is_empty() {
                *first = path;
            }
        }
        self.command(identity, flags, words)
    }

    /// The same with the program's arguments as they are.
    pub(crate) fn command(&self, identity: Identity, flags: &str, program: Vec<String>) -> Run<'_> {
        let folder = self.stage.run_folder(identity).expect("a folder for a run");
        let mut argv = vec!["exec".to_owned()];
        argv.extend(flags.split_whitespace().map(str::to_owned));
        argv.push("--".to_owned());
        argv.extend(program);
        Run {
            world: self,
            identity,
            folder,
            argv,
            shell: None,
            stdin: Stdio::null(),
            stdout: None,
        }
    }
}

/// A run that is being put together.
pub(crate) struct Run<'a> {
    world: &'a World,
    identity: Identity,
    pub(crate) folder: PathBuf,
    argv: Vec<String>,
    shell: Option<String>,
    stdin: Stdio,
    stdout: Option<Stdio>,
}

impl Run<'_> {
    /// A file in the run's folder, where the run is started. It belongs to whoever runs it.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.folder.join(name);
        fs::write(&path, content).expect("write a file");
        if let Some(uid) = self.identity.uid() {
            std::os::unix::fs::chown(&path, Some(uid), Some(uid)).expect("chown");
        }
        self
    }

    pub(crate) fn stdin(mut self, stdin: impl Into<Stdio>) -> Self {
        self.stdin = stdin.into();
        self
    }

    pub(crate) fn stdout(mut self, stdout: impl Into<Stdio>) -> Self {
        self.stdout = Some(stdout.into());
        self
    }

    /// Started by a shell that has run this before, such as `exec <&-`.
    pub(crate) fn after(mut self, shell: &str) -> Self {
        self.shell = Some(format!("{shell} && exec \"$0\" \"$@\""));
        self
    }

    pub(crate) fn ends(self) -> Ended {
        let binary = self.world.stage.binary();
        let mut command = match &self.shell {
            None => Command::new(&binary),
            Some(script) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(script).arg(&binary);
                shell
            }
        };
        if self.identity == Identity::Nobody {
            command.env_clear();
        }
        let (out, err) = (self.folder.join(".out"), self.folder.join(".err"));
        let create = |path| File::create(path).expect("a file for the output");
        command
            .args(&self.argv)
            .envs(
                self.identity
                    .environment(&self.world.stage.home(self.identity)),
            )
            .env("COLUMNS", "100")
            .current_dir(&self.folder)
            .stdin(self.stdin)
            .stdout(self.stdout.unwrap_or_else(|| create(&out).into()))
            .stderr(create(&err));
        if let Some(uid) = self.identity.uid() {
            command.gid(uid).uid(uid);
        }
        let mut child = command.spawn().expect("start rejoinder");
        // What it was given is its own now; a pipe must not stay open here.
        let shown = format!("{command:?}");
        drop(command);
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = child.try_wait().expect("wait") {
                break status;
            }
            if Instant::now() > deadline {
                child.kill().expect("kill");
                child.wait().expect("wait");
                panic!("it hangs: {shown}");
            }
            thread::sleep(Duration::from_millis(3));
        };
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        Ended {
            command: shown,
            status: status.code().unwrap_or(1000 + signal.unwrap_or(0)),
            stdout: fs::read(&out).unwrap_or_default(),
            stderr: String::from_utf8_lossy(&fs::read(&err).unwrap_or_default()).into_owned(),
            folder: self.folder,
        }
    }
}

impl Ended {
    /// The object of `--json`.
    pub(crate) fn json(&self) -> Result<Value, String> {
        serde_json::from_slice(&self.stdout)
            .map_err(|error| format!("it printed no JSON object ({error}): {}", self.shown()))
    }

    /// The report in words, with single spaces: where its lines end depends on what they say.
    pub(crate) fn said(&self) -> String {
        let words: Vec<&str> = self.stderr.split_whitespace().collect();
        words.join(" ")
    }

    /// It ended with this status, and its report has these words.
    pub(crate) fn with(&self, status: i32, words: &[&str]) -> Result<(), String> {
        if self.status != status {
            return Err(format!("not status {status}: {}", self.shown()));
        }
        for words in words {
            if !self.said().contains(words) {
                return Err(format!("{words:?} is not said: {}", self.shown()));
            }
        }
        Ok(())
    }

    /// The JSON has this code, and the exit status that goes with it.
    pub(crate) fn judged(&self, code: &str) -> Result<Value, String> {
        let json = self.json()?;
        let status = match code {
            "OK" => 0,
            "IE" => 4,
            _ => 1,
        };
        match json["code"] == code && self.status == status {
            true => Ok(json),
            false => Err(format!("not {code}: {}", self.shown())),
        }
    }

    /// What it wrote is exactly this.
    pub(crate) fn wrote(&self, expected: &[u8]) -> Result<(), String> {
        same(&self.stdout, expected).map_err(|e| format!("{e}: {}", self.shown()))
    }

    pub(crate) fn shown(&self) -> String {
        let out = String::from_utf8_lossy(&self.stdout[..self.stdout.len().min(1500)]);
        format!(
            "{}\nstatus {}\n--- stdout, {} bytes\n{out}\n--- stderr\n{}",
            self.command,
            self.status,
            self.stdout.len(),
            self.stderr
        )
    }
}

/// Bytes that should be the same; else where they differ.
pub(crate) fn same(found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let common = found.iter().zip(expected).take_while(|(a, b)| a == b);
    Err(format!(
        "{} bytes instead of {}, the same up to {}",
        found.len(),
        expected.len(),
        common.count()
    ))
}

/// A condition that should hold, in words.
pub(crate) fn holds(condition: bool, words: impl FnOnce() -> String) -> Result<(), String> {
    match condition {
        true => Ok(()),
        false => Err(words()),
    }
}
