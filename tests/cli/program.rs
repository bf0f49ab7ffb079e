//! One run of the real program.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// No run takes so long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An unprivileged user.
const NOBODY: u32 = 65534;

/// A run of the program in a folder of its own.
pub(crate) struct Run {
    folder: TempDir,
    pub(crate) command: Command,
    /// Another user than ours is to run it.
    nobody: bool,
}

/// How it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code, or -1 if a signal ended it.
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The folder holds `accepts`, a contestant and interactor in one that exits with 0, `rejects`, and
/// `input`.
pub(crate) fn run<W: AsRef<OsStr>>(words: &[W]) -> Run {
    // Programs in it are run by other users, which a folder in a private TMPDIR would forbid.
    let folder = tempfile::Builder::new()
        .prefix("rejoinder-cli-")
        .permissions(fs::Permissions::from_mode(0o755))
        .tempdir_in("/tmp")
        .expect("tempdir");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rejoinder"));
    command
        .args(words)
        .current_dir(folder.path())
        .env("COLUMNS", "80")
        .env("REJOINDER_CACHE", folder.path().join(".cache"))
        .env_remove("REJOINDER_LANGUAGES")
        .stdin(Stdio::null());
    let nobody = false;
    let run = Run {
        folder,
        command,
        nobody,
    };
    run.script("accepts", "#!/bin/sh\nexit 0\n")
        .script("rejects", "#!/bin/sh\necho wrong answer no >&2\nexit 1\n")
        .file("input", "1\n")
}

/// `rejoinder run` of `accepts` against itself, with more words before `--`.
pub(crate) fn pair(more: &[&str]) -> Run {
    let words = ["run", "--interactor", "./accepts", "--input", "input"];
    run(&[&words, more, &["--", "./accepts"]].concat())
}

/// `rejoinder run` of this contestant against `accepts`.
pub(crate) fn contestant<W: AsRef<OsStr>>(words: &[W]) -> Run {
    let start = ["run", "--interactor", "./accepts", "--input", "input", "--"];
    let start = start.iter().map(OsStr::new);
    let words = start.chain(words.iter().map(AsRef::as_ref));
    run(&words.collect::<Vec<_>>())
}

/// True if these tests run as root; else says which test is left out.
pub(crate) fn is_root_or_skip(test: &str) -> bool {
    let root = nix::unistd::geteuid().is_root();
    if !root {
        eprintln!("skipped: {test} needs root");
    }
    root
}

/// True if the command is installed; else says which test is left out.
pub(crate) fn has_or_skip(command: &str, test: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(command).is_file());
    if !found {
        eprintln!("skipped: {test} needs {command}");
    }
    found
}

impl Run {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the folder, readable by everybody.
    pub(crate) fn file(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Run {
        self.file_with_mode(name, content, 0o644)
    }

    /// An executable file in the folder.
    pub(crate) fn script(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Run {
        self.file_with_mode(name, content, 0o755)
    }

    pub(crate) fn file_with_mode(
        self,
        name: impl AsRef<Path>,
        content: impl AsRef<[u8]>,
        mode: u32,
    ) -> Run {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("mkdir");
        fs::write(&path, content).expect("write");
        set_mode(&path, mode);
        self
    }

    /// A folder in the folder.
    pub(crate) fn folder_with_mode(self, name: &str, mode: u32) -> Run {
        let path = self.path().join(name);
        fs::create_dir_all(&path).expect("mkdir");
        set_mode(&path, mode);
        self
    }

    /// A named pipe in the folder.
    pub(crate) fn fifo(self, name: &str) -> Run {
        let mode = nix::sys::stat::Mode::from_bits_truncate(0o666);
        nix::unistd::mkfifo(&self.path().join(name), mode).expect("mkfifo");
        self
    }

    /// A symbolic link in the folder.
    pub(crate) fn link(self, name: &str, target: &str) -> Run {
        std::os::unix::fs::symlink(target, self.path().join(name)).expect("symlink");
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Run {
        self.command.env(name, value);
        self
    }

    pub(crate) fn env_remove(mut self, name: &str) -> Run {
        self.command.env_remove(name);
        self
    }

    /// Starts it from a shell that has done this before, such as `ulimit -n 20` or `exec <&-`.
    pub(crate) fn after(self, shell: &str) -> Run {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{shell} && exec \"$0\" \"$@\"")])
            .arg(self.command.get_program())
            .args(self.command.get_args());
        self.replace(command)
    }

    /// Runs a script of the shell, in which `$0` is the program.
    pub(crate) fn shell(self, script: &str) -> Run {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(self.command.get_program());
        self.replace(command)
    }

    /// Runs it as an ordinary user, whose the folder becomes; as whoever we are if not root. The
    /// files in it stay ours.
    pub(crate) fn by_nobody(mut self) -> Run {
        if !nix::unistd::geteuid().is_root() {
            return self;
        }
        self.nobody = true;
        chown(self.path(), Some(NOBODY), Some(NOBODY)).expect("chown");
        // What we have of our own is not for that user; the binary, too, may lie in a private home.
        let ours = ["HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"];
        let unset = ours.map(OsStr::new).into_iter().filter(|name| {
            let set: Vec<_> = self.command.get_envs().map(|(name, _)| name).collect();
            !set.contains(name)
        });
        let unset: Vec<_> = unset.collect();
        for name in unset {
            self.command.env_remove(name);
        }
        self.command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let binary: PathBuf = self.path().join(".rejoinder");
        // By another process: a child that another test starts meanwhile would hold a descriptor of
        // ours open for writing, and what is open for writing cannot be executed.
        let mut copy = Command::new("cp");
        let copied = copy.arg(self.command.get_program()).arg(&binary).status();
        assert!(copied.expect("start cp").success());
        set_mode(&binary, 0o755);
        let mut command = Command::new(binary);
        command.args(self.command.get_args());
        self.replace(command)
    }

    /// Another command with the same environment, in the same folder.
    pub(crate) fn replace(mut self, mut command: Command) -> Run {
        command.current_dir(self.path()).stdin(Stdio::null());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.command = command;
        self
    }

    fn become_user(&mut self) {
        if self.nobody {
            self.command.gid(NOBODY).uid(NOBODY);
        }
    }

    /// Runs it with its output as bytes.
    pub(crate) fn output(mut self) -> Output {
        self.become_user();
        self.command.output().expect("start rejoinder")
    }

    /// Runs it with its output caught.
    pub(crate) fn ends(self) -> Ended {
        self.ends_with(|_| ())
    }

    /// Runs it with its output caught, unless `change` sends it elsewhere.
    pub(crate) fn ends_with(mut self, change: impl FnOnce(&mut Command)) -> Ended {
        let [mut out, mut err] = [(); 2].map(|()| tempfile::tempfile().expect("tempfile"));
        self.command.stdout(out.try_clone().expect("clone"));
        self.command.stderr(err.try_clone().expect("clone"));
        self.become_user();
        change(&mut self.command);
        let mut child = self.command.spawn().expect("start rejoinder");
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = child.try_wait().expect("wait") {
                break status;
            }
            if Instant::now() > deadline {
                child.kill().expect("kill");
                child.wait().expect("wait");
                panic!("it hangs: {:?}", self.command);
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let ended = Ended {
            status: status.code().unwrap_or(-1),
            stdout: self.text(&mut out),
            stderr: self.text(&mut err),
        };
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        ended
    }

    fn text(&self, file: &mut File) -> String {
        let mut bytes = Vec::new();
        file.rewind().expect("rewind");
        file.read_to_end(&mut bytes).expect("read");
        let folder = self.path().to_string_lossy().into_owned();
        String::from_utf8_lossy(&bytes).replace(&folder, "FOLDER")
    }

    /// It is the user's mistake, and all that is said is this.
    #[track_caller]
    pub(crate) fn refused(self, sentence: &str) {
        let ended = self.ends();
        assert_eq!(
            (ended.status, ended.stderr.trim_end()),
            (2, format!("rejoinder: {sentence}").as_str()),
            "{ended:?}"
        );
        assert_eq!(ended.stdout, "");
    }

    /// It is the user's mistake, and what is said has these words.
    #[track_caller]
    pub(crate) fn refused_with(self, words: &[&str]) {
        self.fails_with(2, words);
    }

    /// It ends with this status before anything is run, and what is said has these words.
    #[track_caller]
    pub(crate) fn fails_with(self, status: i32, words: &[&str]) {
        let ended = self.ends();
        assert_eq!(ended.status, status, "{ended:?}");
        assert_eq!(ended.stdout, "", "{ended:?}");
        assert!(ended.stderr.starts_with("rejoinder: "), "{ended:?}");
        for words in words {
            let said = &ended.stderr;
            assert!(said.contains(words), "{words:?} not in {said}");
        }
    }

    /// It is accepted, and the report has these words.
    #[track_caller]
    pub(crate) fn accepted_with(self, words: &[&str]) {
        let ended = self.ends();
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
        // The report is filled: where its lines end depends on what they say.
        let said: Vec<&str> = ended.stdout.split_whitespace().collect();
        let said = said.join(" ");
        for words in ["AC accepted"].iter().chain(words) {
            assert!(said.contains(words), "{words:?} not in {said}");
        }
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("chmod");
}
