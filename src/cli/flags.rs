//! Flags that several commands share, and what they turn into.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::error::{Error, Result, shown};
use crate::evidence::Role;
use crate::spec::layer::Layer;
use crate::spec::limits::Limits;
use crate::spec::plan::{ChannelKind, Cpus, Isolation, Plan, required};
use crate::spec::protocol::Protocol;
use crate::units::{parse_duration, parse_size};
use crate::verdict::{DeadlockPolicy, ExtraOutput, Policy};

/// Limits of the contestant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct ContestantLimits {
    /// CPU time of its whole process tree [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    cpu: Option<Duration>,
    /// Real time on its own turn: waiting for the other side is free [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    wall: Option<Duration>,
    /// Longest time without computing or asking for input [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    idle: Option<Duration>,
    /// Resident memory of its whole process tree [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Address space of each of its processes, used or not [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    address_space: Option<u64>,
    /// Bytes that it may write to its standard output [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    output: Option<u64>,
    /// Processes and threads that may be alive at once [default: 64]
    #[arg(long, value_name = "N", value_parser = parse_tasks, allow_hyphen_values = true)]
    tasks: Option<u32>,
    /// Stack of its main thread [default: the memory limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_stack, allow_hyphen_values = true)]
    stack: Option<u64>,
}

/// Limits of the interactor.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of the interactor")]
pub(super) struct InteractorLimits {
    /// CPU time [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    interactor_cpu: Option<Duration>,
    /// Real time on its own turn [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    interactor_wall: Option<Duration>,
    /// Idle time on its own turn [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    interactor_idle: Option<Duration>,
    /// Resident memory [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    interactor_memory: Option<u64>,
    /// Address space of each of its processes [default: no limit]
    // Its length would give every flag of the group a line of its own.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true, hide_short_help = true)]
    interactor_address_space: Option<u64>,
    /// Bytes to standard output [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    interactor_output: Option<u64>,
    /// Processes and threads [default: 64]
    #[arg(long, value_name = "N", value_parser = parse_tasks, allow_hyphen_values = true)]
    interactor_tasks: Option<u32>,
    /// Stack [default: its memory limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_stack, allow_hyphen_values = true)]
    interactor_stack: Option<u64>,
}

fn parse_tasks(text: &str) -> std::result::Result<u32, String> {
    match text.parse::<u32>() {
        Ok(0) => Err("a program needs at least one task: write 1 or more".into()),
        Ok(tasks) if tasks <= 100_000 => Ok(tasks),
        _ => Err(format!(
            "`{text}` is not a number of tasks: write a whole number up to 100000"
        )),
    }
}

/// The least stack that a program and its arguments have a chance in.
const LEAST_STACK: u64 = 64 << 10;

fn parse_stack(text: &str) -> std::result::Result<u64, String> {
    match parse_size(text)? {
        bytes if bytes < LEAST_STACK => Err(format!(
            "no program starts with a stack of \"{text}\": write at least \"64KiB\""
        )),
        bytes => Ok(bytes),
    }
}

impl ContestantLimits {
    /// These limits, the rest from `base`.
    pub(super) fn over(&self, base: &Limits) -> Limits {
        Limits {
            cpu: self.cpu.unwrap_or(base.cpu),
            wall: self.wall.unwrap_or(base.wall),
            idle: self.idle.unwrap_or(base.idle),
            memory: self.memory.unwrap_or(base.memory),
            address_space: self.address_space.or(base.address_space),
            output: self.output.unwrap_or(base.output),
            tasks: self.tasks.unwrap_or(base.tasks),
            stack: self.stack.or(base.stack),
        }
    }
}

impl InteractorLimits {
    /// These limits, the rest from `base`.
    pub(super) fn over(&self, base: &Limits) -> Limits {
        Limits {
            cpu: self.interactor_cpu.unwrap_or(base.cpu),
            wall: self.interactor_wall.unwrap_or(base.wall),
            idle: self.interactor_idle.unwrap_or(base.idle),
            memory: self.interactor_memory.unwrap_or(base.memory),
            address_space: self.interactor_address_space.or(base.address_space),
            output: self.interactor_output.unwrap_or(base.output),
            tasks: self.interactor_tasks.unwrap_or(base.tasks),
            stack: self.interactor_stack.or(base.stack),
        }
    }
}

/// The limits that hold where neither a flag nor a problem says anything.
pub(super) fn default_limits() -> (Limits, Limits) {
    (
        Limits::default_for(Role::Contestant),
        Limits::default_for(Role::Interactor),
    )
}

/// Where programs run, and behind what.
#[derive(Debug, Args)]
#[command(next_help_heading = "How it is run")]
pub(super) struct Place {
    /// CPUs for the programs and the coordinator: `own` is one that no other run uses; programs
    /// with threads want `all`, or a list such as `0,2-3`
    #[arg(long, value_name = "CPUS", default_value = "own", value_parser = parse_cpus, allow_hyphen_values = true)]
    pub(super) cpu_set: Cpus,
    /// What isolates the programs: namespaces, Landlock alone, or the strongest that there is
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Isolate::Strongest)]
    isolation: Isolate,
    /// Layers without which nothing is run, such as `landlock,cgroup` (see `rejoinder doctor`)
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = Layer::named)]
    require: Vec<Layer>,
    /// Say of a program that failed why, and at which line it stood: for those to whom it belongs
    /// [default: yes]
    #[arg(long, value_enum, value_name = "WHETHER")]
    explain: Option<Explain>,
}

impl Place {
    /// Whether where the programs stood is told.
    pub(super) fn explain(&self) -> bool {
        !matches!(self.explain, Some(Explain::No))
    }

    pub(super) fn isolation(&self) -> Isolation {
        match self.isolation {
            Isolate::Strongest => Isolation::Strongest,
            Isolate::Namespaces => Isolation::Namespaces,
            Isolate::Landlock => Isolation::Landlock,
        }
    }

    /// The layers that are required.
    pub(super) fn require(&self) -> Result<Vec<Layer>> {
        required(&self.require, self.isolation())
            .map_err(|text| Error::usage(format!("--require {text}")))?;
        Ok(self.require.clone())
    }
}

/// How the run is carried out.
#[derive(Debug, Args)]
#[command(next_help_heading = "How it is run")]
pub(super) struct Manner {
    /// How the two are connected: through files in memory, through pipes, or directly, in which
    /// case nobody sees what they say [default: tmpfs]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) channel: Option<Channel>,
    #[command(flatten)]
    pub(super) place: Place,
    /// Real time of the whole session, as a safety net [default: both walls and 10 s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    session: Option<Duration>,
    /// Who is blamed when both sides wait for each other [default: contestant]
    #[arg(long, value_enum, value_name = "WHO")]
    deadlock: Option<Deadlock>,
    /// What it means if an interactor accepts and has not read all output [default: ignore]
    #[arg(long, value_enum, value_name = "WHAT")]
    extra_output: Option<Extra>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Channel {
    Tmpfs,
    Pipe,
    Direct,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Explain {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Isolate {
    Strongest,
    Namespaces,
    Landlock,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Deadlock {
    Contestant,
    Interactor,
    WrongAnswer,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Extra {
    Ignore,
    WrongAnswer,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ProtocolName {
    Testlib,
    Icpc,
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Testlib => Protocol::Testlib,
            ProtocolName::Icpc => Protocol::Icpc,
        }
    }
}

impl Manner {
    pub(super) fn channel(&self, problem: Option<ChannelKind>) -> ChannelKind {
        match self.channel {
            None => problem.unwrap_or_default(),
            Some(Channel::Tmpfs) => ChannelKind::Tmpfs,
            Some(Channel::Pipe) => ChannelKind::Pipe,
            Some(Channel::Direct) => ChannelKind::Direct,
        }
    }

    pub(super) fn policy(&self, problem: Policy) -> Policy {
        Policy {
            deadlock: self
                .deadlock
                .map_or(problem.deadlock, |policy| match policy {
                    Deadlock::Contestant => DeadlockPolicy::Contestant,
                    Deadlock::Interactor => DeadlockPolicy::Interactor,
                    Deadlock::WrongAnswer => DeadlockPolicy::WrongAnswer,
                }),
            extra_output: self
                .extra_output
                .map_or(problem.extra_output, |policy| match policy {
                    Extra::Ignore => ExtraOutput::Ignore,
                    Extra::WrongAnswer => ExtraOutput::WrongAnswer,
                }),
        }
    }

    /// The session's bound: as asked, as the problem says, or what both walls add up to and a
    /// little more.
    pub(super) fn session(
        &self,
        problem: Option<Duration>,
        contestant: &Limits,
        interactor: &Limits,
    ) -> Duration {
        let asked = self.session.or(problem);
        asked.unwrap_or_else(|| Plan::safety_net(contestant, interactor))
    }
}

fn parse_cpus(text: &str) -> std::result::Result<Cpus, String> {
    match text {
        "own" => return Ok(Cpus::OneOfOurOwn),
        "all" => return Ok(Cpus::All),
        _ => {}
    }
    let wrong = || format!("`{text}` is no list of CPUs: write `own`, `all`, or e.g. `0,2-3`");
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<usize>().ok().filter(|cpu| *cpu < 1024);
        let (first, last) = (
            number(first).ok_or_else(wrong)?,
            number(last).ok_or_else(wrong)?,
        );
        if first > last {
            return Err(wrong());
        }
        cpus.extend(
            (first..=last)
                .filter(|cpu| !cpus.contains(cpu))
                .collect::<Vec<_>>(),
        );
    }
    Ok(Cpus::Set(cpus))
}

/// A command in one argument, split into words as a shell would.
pub(super) fn words(flag: &str, text: &OsStr) -> Result<Vec<OsString>> {
    // File names are bytes and need not be UTF-8. As one character for each byte they pass through
    // the splitter, for which only ASCII has a meaning.
    let characters: String = text.as_bytes().iter().map(|b| char::from(*b)).collect();
    let words = shell_words::split(&characters).map_err(|e| {
        let text = shown(Path::new(text));
        Error::usage(format!("{flag} {text} cannot be split into words: {e}"))
    })?;
    let bytes = |word: String| word.chars().map(|c| c as u8).collect();
    Ok(words
        .into_iter()
        .map(|w| OsString::from_vec(bytes(w)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_lists() {
        assert_eq!(parse_cpus("own"), Ok(Cpus::OneOfOurOwn));
        assert_eq!(parse_cpus("all"), Ok(Cpus::All));
        assert_eq!(parse_cpus("0,2-4,3"), Ok(Cpus::Set(vec![0, 2, 3, 4])));
        for wrong in ["", "x", "1-", "-1", "3-2", "0,,1", "99999"] {
            assert!(parse_cpus(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_bytes() {
        let text = OsStr::from_bytes(b"./a\xff 'two words' \xc3\xa9");
        let expected: [&[u8]; 3] = [b"./a\xff", b"two words", b"\xc3\xa9"];
        let words = words("--interactor", text).expect("words");
        assert_eq!(words, expected.map(OsStr::from_bytes));
    }
}
