#!/usr/bin/env python3
"""rejoinder beside other tools that judge interactive problems: see docs/benchmarks.md."""

import argparse
import os
import sys

import machine
import options
import process
import report
import speed
from adapters import ADAPTERS
from places import Failure, work_folder, write_json
from scenarios import SCENARIOS


def tell(what: str) -> None:
    print(f"  {what}", file=sys.stderr, flush=True)


def available(chosen, timeout: float) -> tuple[list, dict[str, str]]:
    """The tools that can be used, and why the others cannot."""
    usable, skipped = [], {}
    for kind in chosen:
        adapter = kind(work_folder(), timeout)
        tell(f"install {adapter.name}")
        reason = adapter.is_available()
        if reason is None:
            usable.append(adapter)
        else:
            skipped[adapter.name] = reason
    return usable, skipped


def verdicts(adapters, runs: int) -> dict[str, dict]:
    """What each tool says of each scenario."""
    table = {}
    for adapter in adapters:
        table[adapter.name] = rows = {}
        for scenario in SCENARIOS:
            tell(f"{adapter.name}: {scenario.what}")
            judged = adapter.judge(scenario, runs if scenario.race else 1)
            rows[scenario.key] = report.verdict(judged)
    return table


def compare(chosen: argparse.Namespace) -> bool:
    """Measures and prints; true if every bound holds."""
    process.adopt_orphans()
    figures = {"machine": machine.read()}
    print(machine.heading(figures["machine"]), flush=True)
    if chosen.one_cpu:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    kinds = [kind for kind in ADAPTERS if not chosen.only or kind.name in chosen.only]
    usable, figures["skipped"] = available(kinds, chosen.timeout)
    figures["versions"] = {adapter.name: adapter.version for adapter in usable}
    for tool, version in figures["versions"].items():
        print(f"{tool} {version}")
    for tool, reason in figures["skipped"].items():
        print(f"{tool} is skipped: {reason}")

    holds = True
    if chosen.part != "verdicts":
        measured = speed.measure(usable, chosen.rounds, chosen.turns, tell)
        figures["speed"] = report.speeds(usable, measured, chosen.rounds)
        figures["bounds"] = report.bounds(usable, measured, chosen.rounds)
        figures["rounds"], figures["one_cpu"] = chosen.rounds, chosen.one_cpu
        report.print_speeds(figures["speed"], chosen.rounds)
        report.print_bounds(figures["bounds"])
        holds = all(bound["holds"] for bound in figures["bounds"])
    if chosen.part != "speed":
        figures["verdicts"] = verdicts(usable, chosen.repeat)
        report.print_verdicts(SCENARIOS, figures["verdicts"])
    print(f"\nall figures: {write_json(figures)}")
    return holds or not chosen.check


def main() -> int:
    chosen = options.parse([kind.name for kind in ADAPTERS])
    try:
        return 0 if compare(chosen) else 1
    except Failure as failure:
        print(f"failed to compare: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what it had started is ended", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
