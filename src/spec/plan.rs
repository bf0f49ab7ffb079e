//! One run, checked: nothing behind this module parses, defaults or looks at a user's file.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::spec::command::Command;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::protocol::Protocol;
use crate::verdict::Policy;

/// How the two programs are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelKind {
    /// A sealed file in memory for each output; writers never block. The default.
    #[default]
    Tmpfs,
    /// Pipes through the coordinator.
    Pipe,
    /// One pipe from program to program; nothing of what is said is seen or logged.
    Direct,
}

/// Which CPUs the session runs on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cpus {
    /// One CPU that no other session uses, for both programs and the coordinator.
    #[default]
    OneOfOurOwn,
    /// These CPUs.
    Set(Vec<usize>),
    /// No restriction.
    All,
}

/// Which layer hides the file system from the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Namespaces where the machine gives them, otherwise Landlock.
    #[default]
    Strongest,
    /// Mount and pid namespaces, or an error.
    Namespaces,
    /// Landlock alone, or an error.
    Landlock,
}

/// The contestant of a run.
#[derive(Debug, Clone)]
pub struct ContestantPlan {
    pub command: Command,
    pub limits: Limits,
}

/// The interactor of a run.
#[derive(Debug, Clone)]
pub struct InteractorPlan {
    pub command: Command,
    pub limits: Limits,
    pub protocol: Protocol,
    /// The test's input, passed as the protocol says.
    pub input: PathBuf,
    /// The test's answer file, if there is one.
    pub answer: Option<PathBuf>,
    /// Arguments after those of the protocol.
    pub extra_args: Vec<std::ffi::OsString>,
    /// How often both programs may be run, if the interactor asks for it: 1, or more in a
    /// multi-pass problem (icpc).
    pub passes: u32,
    /// Who decides about what an interactor that accepts wrote into its output file (testlib).
    pub checker: Option<CheckerPlan>,
    /// Where to leave a copy of the output file (testlib) or the feedback folder (icpc).
    pub keep_output: Option<PathBuf>,
}

/// The checker of a run.
#[derive(Debug, Clone)]
pub struct CheckerPlan {
    pub command: Command,
    pub limits: Limits,
}

/// How the runner captures what its program writes to its standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Capture {
    /// A regular file is its standard output.
    File,
    /// A file in memory is its standard output.
    Tmpfs,
    /// A pipe, read into memory.
    Pipe,
    /// A pipe, read into a regular file. The default.
    #[default]
    PipeToFile,
    /// A pipe, read into a file in memory.
    PipeToTmpfs,
    /// The tracer reads each write from its memory a word at a time.
    Peek,
    /// The tracer reads each write from its memory at once.
    Readv,
}

/// One program alone, as the runner needs to know it.
#[derive(Debug, Clone)]
pub struct RunnerPlan {
    pub command: Command,
    pub limits: Limits,
    /// The file that is its standard input; `None` for our own, if that is a pipe or a file.
    pub stdin: Option<PathBuf>,
    pub capture: Capture,
    /// Where its output goes. `None` leaves it to whoever asked for the run.
    pub stdout: Option<PathBuf>,
    pub cpus: Cpus,
    pub isolation: Isolation,
    /// Layers without which nothing is run.
    pub require: Vec<Layer>,
    /// Whether the report says where the program stood when it failed. That is for its owner alone.
    pub explain: bool,
}

/// Everything a session needs to know.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is run, for the header of the transcript and the reports.
    pub title: String,
    pub contestant: ContestantPlan,
    pub interactor: InteractorPlan,
    pub channel: ChannelKind,
    pub cpus: Cpus,
    pub isolation: Isolation,
    /// Layers without which nothing is run.
    pub require: Vec<Layer>,
    /// Upper bound of the whole session in real time.
    pub session: Duration,
    pub policy: Policy,
    /// Whether the report says where the programs stood when they failed. That is for their owner
    /// alone.
    pub explain: bool,
    /// Where the transcript is written, if it is wanted.
    pub transcript: Option<PathBuf>,
}

impl Plan {
    /// The bound of a session for which none is given: what both walls add up to, and a little
    /// more.
    pub fn safety_net(contestant: &Limits, interactor: &Limits) -> Duration {
        let walls = contestant.wall.saturating_add(interactor.wall);
        walls.saturating_add(Duration::from_secs(10))
    }
}

/// The most passes that a problem may have.
const MOST_PASSES: u32 = 1000;

/// Finds out whether a run may have so many passes with this protocol.
///
/// # Errors
/// A sentence without a subject, to be read after the name of whatever says so.
pub fn passes(passes: u32, protocol: Protocol) -> Result<u32, String> {
    match (passes, protocol) {
        (0, _) => Err("is 0, but every run has a first pass: write 1 or more".to_owned()),
        (1, _) => Ok(1),
        (_, Protocol::Testlib) => Err(format!(
            "is {passes}, but only an interactor of the protocol icpc can ask for another pass"
        )),
        (MOST_PASSES.., Protocol::Icpc) if passes > MOST_PASSES => {
            Err(format!("is {passes}: there may be at most {MOST_PASSES}"))
        }
        (_, Protocol::Icpc) => Ok(passes),
    }
}

/// Finds out whether a run may have a checker with this protocol.
///
/// # Errors
/// A sentence without a subject, to be read after the name of whatever says so.
pub fn checker(is_there: bool, protocol: Protocol) -> Result<(), String> {
    match protocol {
        Protocol::Icpc if is_there => {
            Err("cannot be used: an interactor of the protocol icpc decides alone".to_owned())
        }
        Protocol::Icpc | Protocol::Testlib => Ok(()),
    }
}

/// Finds out whether layers that are required can be there at all in this way of isolating.
///
/// # Errors
/// A sentence without a subject, to be read after the name of whatever asked for them.
pub fn required(require: &[Layer], isolation: Isolation) -> Result<(), String> {
    let absent: &[Layer] = match isolation {
        Isolation::Landlock => &[Layer::Namespaces, Layer::UserNamespace, Layer::Net],
        Isolation::Strongest | Isolation::Namespaces => &[],
    };
    if let Some(layer) = absent.iter().find(|layer| require.contains(layer)) {
        return Err(format!(
            "{} cannot be met with isolation by landlock, which makes no namespaces",
            layer.name()
        ));
    }
    match [Layer::UserNamespace, Layer::Identity].map(|layer| require.contains(&layer)) {
        [true, true] => Err(
            "cannot be met: a program in a user namespace has no identity of \
                             its own, so ask for `user-namespace` or for `identity`"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}
