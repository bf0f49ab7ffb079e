//! Who plays in the soak: programs of `tests/programs/`, and the only verdict for each.

use rejoinder::spec::plan::Capture;
use rejoinder::verdict::Verdict;

/// One session, or one program alone.
pub(crate) struct Entry {
    /// The program and its arguments.
    pub(crate) contestant: &'static str,
    pub(crate) against: Against,
    /// `None` for a program alone that ends well.
    pub(crate) verdict: Option<Verdict>,
}

/// What the contestant is run against.
pub(crate) enum Against {
    Interactor(&'static str),
    /// It is run alone, its output captured so.
    Nobody(Capture),
}

const fn session(contestant: &'static str, interactor: &'static str, verdict: Verdict) -> Entry {
    Entry {
        contestant,
        against: Against::Interactor(interactor),
        verdict: Some(verdict),
    }
}

const fn alone(contestant: &'static str, capture: Capture, verdict: Option<Verdict>) -> Entry {
    Entry {
        contestant,
        against: Against::Nobody(capture),
        verdict,
    }
}

/// They are played from the first to the last and then again: one that does no harm, one that
/// does.
pub(crate) const ROSTER: [Entry; 32] = [
    session("answers read", "asks read", Verdict::Accepted),
    // Forks until it is killed.
    session("bomb", "judge", Verdict::TimeLimit),
    session("prints 200000 4096", "slowly 200000", Verdict::Accepted),
    // Zombies, orphans and daemons.
    session("zombies", "judge", Verdict::Accepted),
    session("fails nothing", "asks read wrong", Verdict::WrongAnswer),
    // Floods of output and of standard error.
    session(
        "prints 100500000 7777",
        "slowly 100001",
        Verdict::OutputLimit,
    ),
    session("answers epoll", "asks epoll", Verdict::Accepted),
    session(
        "prints 20971520 65536 default 2",
        "judge",
        Verdict::Accepted,
    ),
    session("execs leader-stays", "judge", Verdict::Accepted),
    session("fails crash", "asks read ignore", Verdict::RuntimeError),
    session("closes all", "judge", Verdict::Accepted),
    // Forbidden and refused calls.
    session("traces attach", "judge", Verdict::SecurityViolation),
    session("answers thread", "asks thread", Verdict::Accepted),
    session("calls sockets", "judge", Verdict::Accepted),
    session("answers splice", "asks read", Verdict::Accepted),
    // Both wait for each other.
    session("waits read", "waits read", Verdict::IdlenessLimit),
    session("memory cow 20", "judge", Verdict::Accepted),
    session("memory malloc 200", "judge", Verdict::MemoryLimit),
    session("arguments one two three", "judge", Verdict::WrongAnswer),
    session("memory children 200", "judge", Verdict::MemoryLimit),
    session("ticks alarm", "judge", Verdict::Accepted),
    // CPU time where it is hard to find.
    session("burns daemon", "judge", Verdict::TimeLimit),
    alone("prints 200000 4096", Capture::Pipe, None),
    alone("bomb", Capture::Readv, Some(Verdict::TimeLimit)),
    session("stops 19", "judge", Verdict::Accepted),
    session("rests pause", "judge", Verdict::IdlenessLimit),
    alone("prints 200000 4096", Capture::Tmpfs, None),
    alone(
        "prints 100500000 7777",
        Capture::PipeToTmpfs,
        Some(Verdict::OutputLimit),
    ),
    session("queued", "judge", Verdict::Accepted),
    // The interactor fails, with children of its own.
    session("answers read", "bad_jury children", Verdict::JudgeError),
    session("answers poll", "asks poll", Verdict::Accepted),
    session("answers read", "bad_jury signal 11", Verdict::JudgeError),
];
