//! Two bare programs with nothing between them but what the kernel gives.

use std::os::fd::{AsFd, OwnedFd};

use anyhow::{Context, Result};
use nix::fcntl::OFlag;

use super::process::{Program, Running, Wiring, only, start};

/// What connects the two programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// One pipe in each direction.
    Pipes,
    /// One socketpair for both directions.
    Socketpair,
}

/// Where the two programs run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Both on this CPU.
    Together(usize),
    /// The asking side on the first, the answering side on the second.
    Apart(usize, usize),
    /// Wherever the scheduler puts them.
    Free,
}

/// Starts both, connected and placed in one of the ways. None of our descriptors stays open: with one,
/// a program would wait for ever for another that died.
pub(crate) fn start_both(
    asker: &Program,
    answerer: &Program,
    link: Link,
    placement: Placement,
) -> Result<(Running, Running)> {
    let (asker_cpus, answerer_cpus) = match placement {
        Placement::Together(cpu) => (Some(only(cpu)?), Some(only(cpu)?)),
        Placement::Apart(first, second) => (Some(only(first)?), Some(only(second)?)),
        Placement::Free => (None, None),
    };
    let ends = connect(link)?;
    let asker = start(
        asker,
        &Wiring {
            stdin: ends.asker_in.as_fd(),
            stdout: ends.asker_out.as_fd(),
            stderr: None,
            cpus: asker_cpus,
        },
    )?;
    let answerer = start(
        answerer,
        &Wiring {
            stdin: ends.answerer_in.as_fd(),
            stdout: ends.answerer_out.as_fd(),
            stderr: None,
            cpus: answerer_cpus,
        },
    )?;
    Ok((asker, answerer))
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
