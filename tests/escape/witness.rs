//! A process outside the sandbox that must not notice anything: `witness.c`, started as the user who
//! judges.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::identity::{Identity, secret};
use crate::programs::Programs;

/// The process, and where it listens.
pub(crate) struct Witness {
    child: Child,
    output: BufReader<ChildStdout>,
    /// What its abstract sockets' names end in.
    pub(crate) hidden: String,
    pub(crate) tcp: String,
    pub(crate) udp: String,
}

impl Witness {
    /// Starts it; `socket` is the path of its socket in a folder.
    pub(crate) fn start(
        programs: &Programs,
        identity: Identity,
        socket: &Path,
    ) -> Result<Witness, String> {
        let program = programs.get("witness")?;
        let failed = |e: std::io::Error| format!("cannot start the witness: {e}");
        let mut command = Command::new(&program.argv[0]);
        command
            .arg(secret("command-line"))
            .arg(socket)
            .env("A_SECRET", secret("other-environment"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A contestant that reaches its group must not reach ours.
            .process_group(0);
        if let Some(uid) = identity.uid() {
            command.gid(uid).uid(uid);
        }
        let mut child = command.spawn().map_err(failed)?;
        let output = child.stdout.take().ok_or("the witness has no output")?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line).map_err(failed)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, hidden, tcp, udp] = words[..] else {
            return Err(format!("the witness said {line:?}"));
        };
        let [hidden, tcp, udp] = [hidden, tcp, udp].map(str::to_owned);
        Ok(Witness {
            child,
            output,
            hidden,
            tcp,
            udp,
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What happened to it, in sentences.
    pub(crate) fn testimony(mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let pid = self.child.id();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.contains(") T ") || stat.contains(") t ") {
            wrong.push("the witness was stopped".to_owned());
            let pid = Pid::from_raw(i32::try_from(pid).unwrap_or(i32::MAX));
            let _ = kill(pid, Signal::SIGCONT);
        }
        drop(self.child.stdin.take());
        let mut text = String::new();
        if let Err(error) = self.output.read_to_string(&mut text) {
            wrong.push(format!("the witness cannot be heard: {error}"));
        }
        let status = self.child.wait();
        match text.strip_suffix("end\n") {
            Some(sentences) => wrong.extend(sentences.lines().map(|s| format!("witness: {s}"))),
            None => wrong.push(format!(
                "the witness ended with {status:?} and said {text:?}"
            )),
        }
        wrong
    }
}
