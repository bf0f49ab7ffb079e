//! No false alarms: sessions between two healthy programs, chosen by chance, none of which may be
//! called a deadlock.
//!
//! Both sides (`healthy/plays.*`) always answer in the end, but first let some time pass, in one of
//! the ways in which programs do: they sleep, wait for timers, signals, threads and children, hand
//! over between threads, or compute, often while another thread of theirs asks for input. Most are
//! C programs, which cost little; a tenth are Python, Node.js, Go and Java.
//!
//! `REJOINDER_HEALTHY_SESSIONS` is how many there are, `REJOINDER_HEALTHY_PARALLEL` how many at a
//! time, `REJOINDER_HEALTHY_SEED` the seed of the first; each further one has the next number as its
//! seed. A session that fails says how to play it alone.

#[path = "healthy/dice.rs"]
mod dice;
#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;
#[path = "healthy/players.rs"]
mod players;

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use dice::Dice;
use harness::checks;
use harness::identity::Identity;
use harness::run::{Channel, invoke};
use harness::stage::{Stage, copy_readable};
use harness::supervisor;
use libtest_mimic::{Arguments, Failed, Trial};
use players::{PLAYERS, Player};

/// Sessions, if nothing else is said, and how many at a time.
const SESSIONS: u64 = 200;
const PARALLEL: u64 = 2;

/// The idle limit of the contestant, far more than any of its moves takes.
const IDLE_MS: u64 = 4000;
/// What an interactor may think for: longer than a contestant may be idle.
const THOUGHT_MS: u64 = 4300;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let args = Arguments::from_args();
    let mut trials = vec![Trial::test("no-deadlock-is-found", || {
        healthy().map_err(Failed::from)
    })];
    trials.extend(ONCE.iter().map(|once| {
        Trial::test(format!("once/{}", once.name), || {
            once.play().map_err(Failed::from)
        })
    }));
    libtest_mimic::run(&args, trials).exit_code()
}

/// A session that was once called a deadlock.
struct Once {
    name: &'static str,
    channel: Channel,
    /// What both play.
    file: &'static str,
    contestant: &'static str,
    interactor: &'static str,
}

const ONCE: [Once; 5] = [
    // The wait is a read, which has no timeout, of a socket, which has one.
    Once {
        name: "a-socket-has-a-timeout",
        channel: Channel::Tmpfs,
        file: "plays.c",
        contestant: "first 1 plain whole 5 at-once",
        interactor: "second 1 thread whole 5 socket-timeout:300",
    },
    // It thinks for longer than the contestant may be idle, but not longer than itself may.
    Once {
        name: "an-interactor-thinks",
        channel: Channel::Tmpfs,
        file: "plays.c",
        contestant: "first 1 plain whole 5 at-once",
        interactor: "second 1 thread whole 5 condition:4300",
    },
    // What they say is not seen, and whenever one looks, both ask.
    Once {
        name: "a-dialogue-is-not-seen",
        channel: Channel::Direct,
        file: "plays.c",
        contestant: "first 3 epoll whole 5 at-once,poll-input:300,at-once",
        interactor: "second 3 thread whole 5 condition:4300,at-once,at-once",
    },
    // Many children end, each of which keeps its parent asleep until the very end.
    Once {
        name: "children-end",
        channel: Channel::Tmpfs,
        file: "plays.c",
        contestant: "first 60 thread whole 5 child:0",
        interactor: "second 60 thread whole 5 child:0",
    },
    // Their virtual machines end only some time after they exit, because a thread reads.
    Once {
        name: "virtual-machines-exit",
        channel: Channel::Tmpfs,
        file: "Plays.java",
        contestant: "first 1 thread whole 19 busy:1",
        interactor: "second 1 thread whole 19 busy:1",
    },
];

impl Once {
    fn play(&self) -> Result<(), String> {
        let hall = Hall::open()?;
        if hall.players.iter().all(|player| player.file != self.file) {
            return Ok(());
        }
        let source = hall.folder.join(self.file).to_string_lossy().into_owned();
        let words = |rest: &str| {
            let rest = rest.split(' ').map(str::to_owned);
            std::iter::once(source.clone()).chain(rest).collect()
        };
        let chosen = Chosen {
            identity: Identity::Own,
            channel: self.channel,
            all_cpus: false,
            contestant: words(self.contestant),
            interactor: words(self.interactor),
        };
        hall.play(&chosen).map_err(Wrong::words)
    }
}

fn number(name: &str) -> Result<Option<u64>, String> {
    let value = std::env::var(name).ok();
    let value = value.map(|text| {
        let number = text.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| format!("{name} is `{text}`; it must be a number above zero"))
    });
    value.transpose()
}

/// Where the programs are, and those of them that this machine can run.
struct Hall {
    stage: Stage,
    folder: PathBuf,
    players: Vec<&'static Player>,
}

/// A session as it was chosen.
struct Chosen {
    identity: Identity,
    channel: Channel,
    all_cpus: bool,
    contestant: Vec<String>,
    interactor: Vec<String>,
}

/// What is wrong with a session.
enum Wrong {
    /// A deadlock was found, where there is none.
    Deadlock(String),
    /// Anything else.
    Other(String),
}

impl Wrong {
    fn words(self) -> String {
        match self {
            Wrong::Deadlock(words) | Wrong::Other(words) => words,
        }
    }
}

fn healthy() -> Result<(), String> {
    let sessions = number("REJOINDER_HEALTHY_SESSIONS")?.unwrap_or(SESSIONS);
    let parallel = number("REJOINDER_HEALTHY_PARALLEL")?.unwrap_or(PARALLEL);
    let seed = number("REJOINDER_HEALTHY_SEED")?;
    // Short enough to be typed again.
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0) % 1_000_000_000 + 1);
    eprintln!("healthy: {sessions} sessions from REJOINDER_HEALTHY_SEED={seed}");
    let hall = Hall::open()?;
    let next = AtomicU64::new(0);
    let wrong: Mutex<Vec<(u64, Wrong)>> = Mutex::default();
    let played: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let work = || {
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= sessions {
                break;
            }
            let chosen = hall.choose(seed + turn);
            let came = hall.play(&chosen);
            let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
            for program in [&chosen.contestant, &chosen.interactor] {
                *played.entry(language(program)).or_default() += 1;
            }
            if let Err(error) = came {
                let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                eprintln!("healthy: the session of seed {} failed", seed + turn);
                wrong.push((seed + turn, error));
            }
            if (turn + 1).is_multiple_of(1000) {
                eprintln!("healthy: {} sessions", turn + 1);
            }
        }
    };
    thread::scope(|scope| (0..parallel).for_each(|_| drop(scope.spawn(work))));
    let played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    eprintln!("healthy: programs: {played:?}");
    judged(wrong.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The kind of a program's source.
fn language(words: &[String]) -> String {
    let source = Path::new(&words[0]).extension().unwrap_or_default();
    source.to_string_lossy().into_owned()
}

fn judged(mut wrong: Vec<(u64, Wrong)>) -> Result<(), String> {
    if wrong.is_empty() {
        return Ok(());
    }
    // The worst first.
    wrong.sort_by_key(|(seed, wrong)| (matches!(wrong, Wrong::Other(_)), *seed));
    let deadlocks = wrong.iter().filter(|w| matches!(w.1, Wrong::Deadlock(_)));
    let deadlocks = deadlocks.count();
    let mut text = format!(
        "{} sessions were called deadlocks, {} others failed\n",
        deadlocks,
        wrong.len() - deadlocks
    );
    for (seed, wrong) in wrong.into_iter().take(5) {
        let words = wrong.words();
        text += &format!(
            "\nREJOINDER_HEALTHY_SEED={seed} REJOINDER_HEALTHY_SESSIONS=1 plays this one:\n{words}\n"
        );
    }
    Err(text)
}

impl Hall {
    fn open() -> Result<Hall, String> {
        let stage = Stage::new()?;
        let failed = |e: std::io::Error| format!("cannot copy the programs: {e}");
        let folder = stage.program_folder("healthy").map_err(failed)?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/healthy");
        for entry in fs::read_dir(sources).map_err(failed)? {
            copy_readable(&entry.map_err(failed)?.path(), &folder).map_err(failed)?;
        }
        let mut players = Vec::new();
        for player in &PLAYERS {
            match player.missing_tool() {
                Some(tool) => eprintln!("healthy: no {}: `{tool}` is not to be had", player.file),
                None => players.push(player),
            }
        }
        Ok(Hall {
            stage,
            folder,
            players,
        })
    }

    fn choose(&self, seed: u64) -> Chosen {
        let mut dice = Dice::new(seed);
        let identity = match dice.percent(10) {
            true => dice.one(Identity::possible()),
            false => Identity::Own,
        };
        let rounds = 1 + dice.below(4);
        let thought = dice.percent(1).then_some(THOUGHT_MS);
        let mut words = |part: &str, thought| {
            // What another user can run depends on where the runtimes are installed.
            let player = match dice.percent(10) && identity == Identity::Own {
                true => dice.one(&self.players),
                false => self.players[0],
            };
            let source = self.folder.join(player.file).to_string_lossy().into_owned();
            let rest = player.words(&mut dice, part, rounds, thought);
            std::iter::once(source).chain(rest).collect()
        };
        Chosen {
            identity,
            contestant: words("first", None),
            interactor: words("second", thought),
            channel: match dice.percent(50) {
                true => Channel::Tmpfs,
                false => dice.one(&Channel::ALL),
            },
            all_cpus: dice.percent(40),
        }
    }

    fn play(&self, chosen: &Chosen) -> Result<(), Wrong> {
        let input = self.stage.empty_file().to_string_lossy().into_owned();
        let ran = invoke(&self.stage, chosen.identity, &self.folder, None, |_| {
            let mut words: Vec<String> = ["run", "--json", "--channel", chosen.channel.name()]
                .map(str::to_owned)
                .into();
            for (flag, value) in [
                ("--interactor", shell_words::join(&chosen.interactor)),
                ("--input", input),
                ("--cpu", "50s".to_owned()),
                ("--wall", "55s".to_owned()),
                ("--idle", format!("{IDLE_MS}ms")),
                ("--interactor-idle", "30s".to_owned()),
                ("--interactor-cpu", "50s".to_owned()),
                ("--memory", "1GiB".to_owned()),
                ("--tasks", "200".to_owned()),
                ("--interactor-tasks", "200".to_owned()),
            ] {
                words.extend([flag.to_owned(), value]);
            }
            if chosen.all_cpus {
                words.extend(["--cpu-set".to_owned(), "all".to_owned()]);
            }
            words.push("--".to_owned());
            words.extend(chosen.contestant.iter().cloned());
            words
        })
        .map_err(Wrong::Other)?;
        let reports = ran.reports().map_err(Wrong::Other)?;
        let mut complaints = checks::in_order(&ran);
        let report = reports.first();
        if report.is_none_or(|report| report["code"] != "AC") {
            complaints.push("it was not accepted".to_owned());
        }
        if complaints.is_empty() {
            self.stage.discard(&ran.folder);
            return Ok(());
        }
        let words = format!("- {}\n{}", complaints.join("\n- "), ran.shown());
        Err(match report {
            Some(report) if report["diagnosis"]["kind"] == "deadlock" => Wrong::Deadlock(words),
            _ => Wrong::Other(words),
        })
    }
}
