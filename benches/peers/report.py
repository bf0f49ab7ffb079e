"""The figures as tables, as JSON, and against their bounds."""

from collections import Counter

from speed import REFERENCE, SHORT, ratios, spread


def speeds(adapters, measured, rounds) -> list[dict]:
    """A row for each tool."""
    return [
        {
            "tool": adapter.name,
            "version": adapter.version,
            "how": adapter.how,
            "logs": adapter.logs,
            "missing": measured[adapter.name].missing,
            "short_s": spread(measured[adapter.name].short),
            "whole_s": spread(measured[adapter.name].long),
            "round_us": spread(measured[adapter.name].rounds_us(rounds)),
            "times_bare": spread(ratios(measured, adapter.name, REFERENCE, rounds)),
        }
        for adapter in adapters
    ]


def bounds(adapters, measured, rounds) -> list[dict]:
    """rejoinder's round takes less than that of each other tool that logs."""
    if "rejoinder" not in measured:
        return []
    rows = []
    for adapter in adapters:
        if adapter.logs and adapter.name != "rejoinder":
            ratio = spread(ratios(measured, "rejoinder", adapter.name, rounds))
            value = ratio and ratio["median"]
            rows.append(
                {
                    "what": f"a round, against {adapter.name}",
                    "measured": value,
                    "less_than": 1.0,
                    "holds": value is not None and value < 1.0,
                }
            )
    return rows


def verdict(judged) -> dict:
    """What came of a scenario; equal verdicts are counted."""
    return {
        "said": dict(Counter(judged.said).most_common()),
        "seconds": judged.seconds,
        "left": judged.left,
    }


def print_speeds(rows, rounds) -> None:
    print(f"\nThe time of a round, from dialogues of {SHORT} and {rounds} rounds")
    print(f"\n{'':<20} {'us a round':<24} {'times bare':<22} {'start, s':>8} {'whole, s':>8}  logs")
    for row in rows:
        if row["missing"]:
            print(f"{row['tool']:<20} not measured: {row['missing']}")
            continue
        print(
            f"{row['tool']:<20} {shown(row['round_us']):<24} {shown(row['times_bare']):<22} "
            f"{row['short_s']['median']:>8.3f} {row['whole_s']['median']:>8.3f}  "
            f"{'yes' if row['logs'] else 'no'}"
        )
    print("\nMedian, then lower and upper quartile. `start` is the dialogue of few rounds.\n")


def print_bounds(rows) -> None:
    for row in rows:
        value = "not measured" if row["measured"] is None else f"{row['measured']:.2f}"
        judged = "ok" if row["holds"] else "MISSING" if row["measured"] is None else "TOO MUCH"
        print(f"{row['what']:<40} {value:>12} times   less than {row['less_than']:.1f}   {judged}")


def print_verdicts(scenarios, table) -> None:
    for scenario in scenarios:
        print(f"\n{scenario.what}")
        for tool, rows in table.items():
            row = rows[scenario.key]
            many = sum(row["said"].values()) > 1
            said = ", ".join(f"{n} x {s}" if many else s for s, n in row["said"].items())
            left = f"   left running: {', '.join(row['left'])}" if row["left"] else ""
            print(f"  {tool:<20} {row['seconds']:>7.2f} s   {said}{left}")


def shown(spread) -> str:
    if spread is None:
        return "-"
    return f"{spread['median']:.2f} ({spread['lower']:.2f} to {spread['upper']:.2f})"
