"""The time of a round: a long dialogue less a short one, all tools in turns."""

from dataclasses import dataclass, field
from statistics import median, quantiles

from adapter import Adapter
from places import Failure

# Rounds of the dialogue whose time is mostly that of starting and ending.
SHORT = 1000

REFERENCE = "bare-one-cpu"


@dataclass
class Speed:
    """Seconds of each measurement of one tool."""

    short: list[float] = field(default_factory=list)
    long: list[float] = field(default_factory=list)
    missing: str | None = None

    def rounds_us(self, rounds: int) -> list[float]:
        """Microseconds of a round, in the order of the measurements."""
        pairs = zip(self.short, self.long)
        return [(long - short) / (rounds - SHORT) * 1e6 for short, long in pairs]


def measure(adapters: list[Adapter], rounds: int, turns: int, tell) -> dict[str, Speed]:
    """Measures every tool `turns` times, backwards every second time."""
    speeds = {adapter.name: Speed() for adapter in adapters}
    for turn in range(turns):
        for adapter in adapters if turn % 2 == 0 else reversed(adapters):
            speed = speeds[adapter.name]
            if speed.missing:
                continue
            tell(f"speed of {adapter.name}, {turn + 1} of {turns}")
            try:
                short, long = adapter.speed(SHORT), adapter.speed(rounds)
            except Failure as failure:
                speed.missing = str(failure)
                continue
            speed.short.append(short)
            speed.long.append(long)
    return speeds


def ratios(speeds: dict[str, Speed], over: str, under: str, rounds: int) -> list[float]:
    """How many times the round of one tool takes that of another, turn by turn."""
    if over not in speeds or under not in speeds:
        return []
    first, second = speeds[over].rounds_us(rounds), speeds[under].rounds_us(rounds)
    # Where a long dialogue took less than a short one, the start varies more than a round takes.
    # To leave out such turns would choose among the measurements: then there is no ratio at all.
    if any(value <= 0 for value in first + second):
        return []
    return [one / other for one, other in zip(first, second)]


def spread(values: list[float]) -> dict | None:
    """Median and quartiles."""
    if not values:
        return None
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"median": median(values), "lower": low, "upper": high}
