//! Who plays: the programs, what each can do, and a random choice of it.

use std::path::Path;

use rejoinder::spec::language::Languages;

use crate::dice::Dice;
use crate::harness::identity::Identity;

/// A program and the words that it knows.
pub(crate) struct Player {
    pub(crate) file: &'static str,
    reads: &'static [&'static str],
    writes: &'static [&'static str],
    /// Moves that sleep, in whatever way: they may be long.
    rests: &'static [&'static str],
    /// Moves that work meanwhile.
    works: &'static [&'static str],
}

/// The cheap one first.
pub(crate) const PLAYERS: [Player; 5] = [
    Player {
        file: "plays.c",
        reads: &[
            "plain",
            "poll",
            "epoll",
            "thread",
            "thread-poll",
            "thread-semaphore",
            "thread-pipe",
            "child",
        ],
        writes: &["whole", "pieces", "halves", "thread"],
        rests: &[
            "sleep",
            "until",
            "until-real",
            "poll",
            "ppoll",
            "select",
            "pselect",
            "poll-input",
            "ppoll-input",
            "select-input",
            "epoll-input",
            "epoll-fine",
            "timerfd",
            "timerfd-poll",
            "itimer",
            "posix-timer",
            "sigtimedwait",
            "condition",
            "condition-real",
            "semaphore",
            "mutex",
            "futex",
            "thread",
            "thread-signals",
            "chain",
            "child",
            "child-notifies",
            "child-talks",
            "child-holds-lock",
            "child-continues",
            "socket-timeout",
        ],
        works: &[
            "at-once",
            "naps",
            "poll-input-often",
            "hand-over",
            "child-reports",
            "compute",
            "yield",
        ],
    },
    Player {
        file: "plays.py",
        reads: &["plain", "thread", "loop"],
        writes: &["whole", "halves", "thread"],
        rests: &[
            "sleep", "child", "started", "timer", "queue", "pool", "select", "asyncio",
        ],
        works: &["hand-over"],
    },
    Player {
        file: "plays.js",
        reads: &["data", "lines"],
        writes: &["whole", "halves", "stream"],
        rests: &["timeout", "interval", "worker", "started", "atomics"],
        works: &["steps", "busy"],
    },
    Player {
        file: "plays.go",
        reads: &["plain", "goroutine"],
        writes: &["whole", "halves"],
        rests: &[
            "sleep",
            "after",
            "select",
            "ticker",
            "context",
            "group",
            "started",
            "afterfunc",
        ],
        works: &["hand-over", "busy", "collect"],
    },
    Player {
        file: "Plays.java",
        reads: &["plain", "thread"],
        writes: &["whole", "halves"],
        rests: &[
            "sleep",
            "park",
            "scheduled",
            "poll",
            "wait",
            "future",
            "timer",
        ],
        works: &["hand-over", "collect", "busy"],
    },
];

impl Player {
    /// The compiler or interpreter that this machine does not have.
    pub(crate) fn missing_tool(&self) -> Option<String> {
        let languages = Languages::builtin();
        let language = languages.of_source(Path::new(self.file))?;
        [&language.compilers, &language.interpreters]
            .into_iter()
            .find(|names| {
                !names.is_empty() && names.iter().all(|n| Identity::Own.find(n).is_none())
            })
            .map(|names| names.join("` or `"))
    }

    /// The words with which it is started: its part and so many rounds, the rest by chance. A
    /// `thought` is a rest of so many milliseconds before its first line.
    pub(crate) fn words(
        &self,
        dice: &mut Dice,
        part: &str,
        rounds: u64,
        thought: Option<u64>,
    ) -> Vec<String> {
        let moves: Vec<String> = (0..rounds)
            .map(|round| match thought.filter(|_| round == 0) {
                Some(milliseconds) => format!("{}:{milliseconds}", dice.one(self.rests)),
                None => {
                    let kind = if dice.percent(75) {
                        self.rests
                    } else {
                        self.works
                    };
                    let name = dice.one(kind);
                    format!("{name}:{}", milliseconds(dice))
                }
            })
            .collect();
        let size = match dice.below(10) {
            0 => 64 * 1024 + dice.below(200_000),
            1 => dice.below(8192),
            _ => dice.below(40),
        };
        [
            part,
            &rounds.to_string(),
            dice.one(self.reads),
            dice.one(self.writes),
            &size.to_string(),
            &moves.join(","),
        ]
        .map(str::to_owned)
        .into()
    }
}

/// Mostly about as long as the time between two looks, sometimes much longer.
fn milliseconds(dice: &mut Dice) -> u64 {
    match dice.below(10) {
        0..6 => dice.below(10),
        6..9 => 10 + dice.below(30),
        _ => 40 + dice.below(61),
    }
}
