//! A sandbox that is being laid out: what its processes say until its program is loaded.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::Sandbox;
use crate::error::{Context, Error, Result};
use crate::evidence::{StartFailure, errno_text};
use crate::sandbox::child::message::{Message, Step};
use crate::sandbox::obstacle::Obstacle;
use crate::sandbox::tracer;
use crate::spec::layer::Layer;
use crate::sys::{self, Pid};

/// A sandbox that is being laid out.
pub(super) struct Pending {
    pub(super) sandbox: Sandbox,
    /// The process that was forked: the init, or the participant itself.
    pub(super) forked: Pid,
    pub(super) status: File,
    /// The program and a stack do not fit into the address space that it may have.
    pub(super) too_large: bool,
}

/// Why there is no program in it.
pub(super) enum Refused {
    /// The machine refuses a layer.
    Layer(Obstacle),
    /// A step that should always succeed did not, or the program cannot be executed.
    Program(StartFailure),
}

/// How long a sandbox may take to be set up.
const PATIENCE_MS: u16 = 20_000;

impl Pending {
    /// Waits for the set-up, traces the participant, and lets it load its program.
    pub(super) fn finish(mut self) -> Result<std::result::Result<Sandbox, Refused>> {
        let main = match self.next_message()? {
            Some(Message::Ready(pid)) => pid,
            Some(Message::Failed {
                step,
                detail,
                errno,
            }) => {
                return Ok(Err(failed(step, detail, errno)));
            }
            None => return Err(self.died("before it was ready")),
        };
        self.sandbox.main = main;
        if let Err(e) = sys::ptrace_seize(main, tracer::OPTIONS) {
            let reason = format!("cannot trace a program: {}", crate::error::reason(&e));
            let layer = Layer::Ptrace;
            return Ok(Err(Refused::Layer(Obstacle { layer, reason })));
        }
        nix::unistd::write(&self.sandbox._life, b"g").context(|| "open the barrier".into())?;
        if self.has_executed(main)? {
            return Ok(Ok(self.sandbox));
        }
        if let Some(Message::Failed {
            step,
            detail,
            errno,
        }) = self.next_message()?
        {
            // Behind the barrier it counts against its own memory limit: where that is so small that
            // a step fails, the program cannot be loaded either.
            let for_its_memory = self.sandbox.memory.is_some() && i32::from(errno) == libc::ENOMEM;
            let step = if for_its_memory { Step::Exec } else { step };
            return Ok(Err(failed(step, detail, errno)));
        }
        // The kernel had begun to load the program, or it would have sent a message.
        let out_of_memory = self.sandbox.memory.as_ref().is_some_and(|m| m.kills() > 0);
        let errno = match out_of_memory || self.too_large {
            true => libc::ENOMEM,
            // The file is broken, or the stack too small for the arguments.
            false => libc::ENOEXEC,
        };
        Ok(Err(failed(Step::Exec, 0, errno as u16)))
    }

    /// Waits until the participant has executed its program (true) or ended before.
    fn has_executed(&self, main: Pid) -> Result<bool> {
        // Exec closes the participant's end of the pipe, and so does its end. But while it is
        // killed for its memory, it stops with the pipe still open, and waits for its tracer.
        const LOOK_MS: u16 = 100;
        for _ in 0..PATIENCE_MS / LOOK_MS {
            let closed = self.wait(LOOK_MS)?;
            if let Some(executed) = tracer::has_executed(main, closed)? {
                return Ok(executed);
            }
        }
        Err(too_slow())
    }

    fn died(&self, when: &str) -> Error {
        Error::Environment(format!(
            "the sandbox's process {} ended {when}",
            self.forked
        ))
    }

    /// Waits until there is a message, or the end of the pipe; false if neither came in time.
    fn wait(&self, milliseconds: u16) -> Result<bool> {
        let mut wait = [PollFd::new(self.status.as_fd(), PollFlags::POLLIN)];
        loop {
            match poll(&mut wait, PollTimeout::from(milliseconds)) {
                Err(nix::errno::Errno::EINTR) => {}
                Ok(ready) => return Ok(ready > 0),
                Err(e) => return Err(e).context(|| "wait for a sandbox's set-up".into()),
            }
        }
    }

    /// The next message; `None` at the end of the pipe.
    fn next_message(&mut self) -> Result<Option<Message>> {
        if !self.wait(PATIENCE_MS)? {
            return Err(too_slow());
        }
        let mut bytes = [0; Message::SIZE];
        match self.status.read_exact(&mut bytes) {
            Ok(()) => Ok(Message::decode(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(e) => Err(e).context(|| "read a sandbox's status".into()),
        }
    }
}

fn too_slow() -> Error {
    let seconds = PATIENCE_MS / 1000;
    Error::Environment(format!("a sandbox was not set up within {seconds} s"))
}

fn failed(step: Step, detail: u16, errno: u16) -> Refused {
    let errno = i32::from(errno);
    match step.layer() {
        Some(layer) => Refused::Layer(Obstacle {
            layer,
            reason: format!(
                "step {} ({detail}): {}",
                step.name(),
                errno_text(errno).to_lowercase()
            ),
        }),
        None => Refused::Program(StartFailure {
            step: step.name(),
            errno,
        }),
    }
}
