"""The flags."""

import argparse


def at_least(least: int):
    """A whole number that is not too small."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is too small: give at least {least}")
        return value

    return number


def parse(tools: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="compare.py",
        allow_abbrev=False,
        description="Measures rejoinder beside other tools that judge interactive problems: the "
        "time of a round, and what each says of programs that misbehave. Installs the tools from "
        "PyPI into cargo's target folder.",
    )
    add = parser.add_argument
    rounds = "rounds of the long dialogue (default 50000)"
    add("--rounds", metavar="N", type=at_least(2000), help=rounds)
    add("--repeat", metavar="N", type=at_least(1), help="runs of the race (default 100)")
    turns = "how often each speed is measured (default 3)"
    add("--turns", metavar="N", type=at_least(1), help=turns)
    timeout = "hard limit of a run, in seconds (default 20)"
    add("--timeout", metavar="N", type=at_least(5), default=20, help=timeout)
    only = f"only this one of {', '.join(tools)} (may be repeated)"
    add("--only", action="append", choices=tools, metavar="TOOL", help=only)
    add("--part", choices=["speed", "verdicts"], help="only one of the two tables")
    add("--one-cpu", action="store_true", help="keep every tool on one CPU, not only rejoinder")
    add("--quick", action="store_true", help="few rounds, few runs: to see that everything runs")
    add("--check", action="store_true", help="exit with 1 when a bound does not hold")
    options = parser.parse_args()
    options.rounds = options.rounds or (5_000 if options.quick else 50_000)
    options.repeat = options.repeat or (3 if options.quick else 100)
    options.turns = options.turns or (1 if options.quick else 3)
    return options
