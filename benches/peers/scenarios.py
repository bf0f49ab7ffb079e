"""What a contestant or an interactor can do, each told to every tool."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scenario:
    """One pair of programs."""

    key: str
    what: str
    # Names of sources in `programs/contestants` and `programs/interactors`.
    contestant: str
    interactor: str = "answers"
    # True if it is a race, which only many runs show.
    race: bool = False


# Rounds of a dialogue in which the time of a round is of no interest.
ROUNDS = 10

RIGHT = Scenario("right", "right", "right")

SCENARIOS = [
    RIGHT,
    Scenario("race", "wrong, then a crash at once", "wrong_then_crash", race=True),
    Scenario("exits", "exit 0 at once", "exits_at_once"),
    Scenario("crashes", "crash", "crashes"),
    Scenario("unflushed", "prints without flushing", "never_flushes"),
    Scenario("computes", "computes for ever", "computes_for_ever"),
    Scenario("floods", "floods without reading", "floods"),
    Scenario("sleeps", "right, then sleeps for ever", "sleeps_after"),
    Scenario("hangs", "interactor that hangs", "right", interactor="hangs"),
    Scenario("bytes", "bytes that are no UTF-8", "not_utf8"),
]
