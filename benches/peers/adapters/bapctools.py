"""`bt` of BAPCtools. Verdicts are from `bt run`; the speed is that of `bt test`, which logs."""

import re

from adapter import Installed, numbers
from places import fresh

PROBLEM = """\
problem_format_version: 2025-09
type: interactive
name:
  en: peers
uuid: 00000000-0000-4000-8000-000000000001
limits:
  time_limit: {seconds}
  validation_time: {validation}
  validation_output: 1024
"""


class Bapctools(Installed):
    name = "bapctools"
    package = "bapctools>=2026.10.0"
    program = "bt"
    how = "pipes through a relay, limits of CPU and real time"
    accepted, rejected = 42, 43

    def prepare(self, scenario, rounds, runs, limit):
        self.limit = limit
        folder = fresh(self.work / "peers")
        for name in ("submissions/accepted", "output_validator", "data/secret"):
            (folder / name).mkdir(parents=True)
        (folder / "problem.yaml").write_text(
            PROBLEM.format(seconds=float(limit), validation=2 * limit)
        )
        (folder / "output_validator" / "interactor.cpp").write_text(
            self.interactor_source(scenario)
        )
        (folder / "submissions" / "accepted" / "contestant.cpp").write_text(
            self.contestant_source(scenario)
        )
        for number in numbers(runs):
            (folder / "data" / "secret" / f"{number}.in").write_text(f"{rounds}\n")
            (folder / "data" / "secret" / f"{number}.ans").touch()
        return folder

    def command(self, folder):
        return [
            *[self.tool(), "run", "--no-generate", "--no-test-case-sanity-checks", "-aa", "-v"],
            *["--timeout", 2 * self.limit, "submissions/accepted/contestant.cpp"],
        ]

    def read(self, ended, folder):
        tests = sorted(test.stem for test in (folder / "data" / "secret").glob("*.in"))
        # "RTE 0.003s @ secret/002"; with -v each test that is not as expected has its line, and
        # the slowest of all.
        found = re.findall(r"\b([A-Z]+)\s*[\d.]+s\W*@ secret/(\d+)", without_colours(ended.output))
        verdicts = {test: verdict for verdict, test in found}
        return [verdicts.get(test, "AC") for test in tests] if found else []


class BapctoolsTest(Bapctools):
    """Prints the dialogue to the terminal, which here is a file."""

    name = "bapctools-test"
    logs = True
    how = "as bapctools, and prints the dialogue"

    def command(self, folder):
        return [
            *[self.tool(), "test", "--timeout", 2 * self.limit],
            "submissions/accepted/contestant.cpp",
            *sorted(test.relative_to(folder) for test in folder.glob("data/secret/*.in")),
        ]

    def read(self, ended, folder):
        # "ACCEPTED  0.006s"
        said = re.findall(r"^([A-Z_ ]+?)\s+[\d.]+s$", without_colours(ended.output), re.MULTILINE)
        return ["AC" if verdict == "ACCEPTED" else verdict.lower() for verdict in said]


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
