//! The reference: two peers with nothing between them but what the kernel gives.

use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use nix::fcntl::OFlag;
use nix::sched::CpuSet;

use crate::harness::process::{Program, Wiring, start};
use crate::run::{Run, TIME_LIMIT};

/// What connects the two peers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// One pipe in each direction.
    Pipes,
    /// One socketpair for both directions.
    Socketpair,
}

/// Where the two peers run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Both on this CPU.
    Together(usize),
    /// The asking side on the first, the answering side on the second.
    Apart(usize, usize),
    /// Wherever the scheduler puts them.
    Free,
}

/// Two bare peers, connected and placed in one of the ways.
pub(crate) struct Bare {
    pub(crate) peer: PathBuf,
    pub(crate) link: Link,
    pub(crate) placement: Placement,
}

impl Bare {
    /// Plays `rounds` rounds; the time runs from before the first fork until both were waited for.
    pub(crate) fn play(&self, rounds: u64) -> Result<Run> {
        let rounds = rounds.to_string();
        let asker = Program::new(self.peer.as_os_str(), &["a", &rounds])?;
        let answerer = Program::new(self.peer.as_os_str(), &["b", &rounds])?;
        let (asker_cpus, answerer_cpus) = match self.placement {
            Placement::Together(cpu) => (Some(only(cpu)?), Some(only(cpu)?)),
            Placement::Apart(first, second) => (Some(only(first)?), Some(only(second)?)),
            Placement::Free => (None, None),
        };

        let began = Instant::now();
        let ends = connect(self.link)?;
        let asker = start(
            &asker,
            &Wiring {
                stdin: ends.asker_in.as_fd(),
                stdout: ends.asker_out.as_fd(),
                stderr: None,
                cpus: asker_cpus,
            },
        )?;
        let answerer = start(
            &answerer,
            &Wiring {
                stdin: ends.answerer_in.as_fd(),
                stdout: ends.answerer_out.as_fd(),
                stderr: None,
                cpus: answerer_cpus,
            },
        )?;
        // With our ends open, a peer would wait for ever for another that died.
        drop(ends);
        let asked = asker.wait_success(began + TIME_LIMIT)?;
        answerer.wait_success(began + TIME_LIMIT)?;
        Ok(Run {
            wall: began.elapsed(),
            contestant_cpu: asked.cpu,
            resident_kib: None,
        })
    }
}

struct Ends {
    asker_in: OwnedFd,
    asker_out: OwnedFd,
    answerer_in: OwnedFd,
    answerer_out: OwnedFd,
}

fn connect(link: Link) -> Result<Ends> {
    match link {
        Link::Pipes => {
            let pipe = || nix::unistd::pipe2(OFlag::O_CLOEXEC).context("failed to make a pipe");
            let ((answerer_in, asker_out), (asker_in, answerer_out)) = (pipe()?, pipe()?);
            Ok(Ends {
                asker_in,
                asker_out,
                answerer_in,
                answerer_out,
            })
        }
        Link::Socketpair => {
            let (asker, answerer) = std::os::unix::net::UnixStream::pair()
                .map(|(one, other)| (OwnedFd::from(one), OwnedFd::from(other)))
                .context("failed to make a socketpair")?;
            Ok(Ends {
                asker_in: asker.try_clone()?,
                asker_out: asker,
                answerer_in: answerer.try_clone()?,
                answerer_out: answerer,
            })
        }
    }
}

fn only(cpu: usize) -> Result<CpuSet> {
    let mut set = CpuSet::new();
    set.set(cpu)
        .with_context(|| format!("CPU {cpu} does not fit into a CPU set"))?;
    Ok(set)
}
