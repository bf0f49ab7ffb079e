"""`verifyproblem` of problemtools, on a package in the Kattis format."""

import re

from adapter import Installed, numbers
from places import fresh

PROBLEM = """\
name: peers
validation: custom interactive
limits:
  validation_time: {seconds}
"""


class Problemtools(Installed):
    name = "problemtools"
    package = "problemtools>=1.20260907"
    program = "verifyproblem"
    how = "pipes, limits of CPU and real time"
    accepted, rejected = 42, 43

    def prepare(self, scenario, rounds, runs, limit):
        self.limit = limit
        folder = fresh(self.work / "peers")
        for name in ("submissions/accepted", "output_validators/interactor", "data/secret"):
            (folder / name).mkdir(parents=True)
        (folder / "problem.yaml").write_text(PROBLEM.format(seconds=2 * limit))
        interactor = folder / "output_validators" / "interactor" / "interactor.cpp"
        interactor.write_text(self.interactor_source(scenario))
        contestant = folder / "submissions" / "accepted" / "contestant.cpp"
        contestant.write_text(self.contestant_source(scenario))
        # A group for each test, because the table of results has a column for each group.
        for group in (folder / "data", folder / "data" / "secret"):
            (group / "testdata.yaml").write_text("on_reject: continue\n")
        for number in numbers(runs):
            group = folder / "data" / "secret" / f"g{number}"
            group.mkdir()
            (group / "1.in").write_text(f"{rounds}\n")
            (group / "1.ans").touch()
        return folder

    def command(self, folder):
        return [self.tool(), "-p", "submissions", "-t", self.limit, "--", folder]

    def read(self, ended, folder):
        lines = ended.output.splitlines()
        table = re.compile(r" *Submission .* Time *$")
        headers = [at for at, line in enumerate(lines) if table.match(line)]
        if not headers or headers[0] + 1 >= len(lines):
            return []
        columns = lines[headers[0]].split()[1:-1]
        cells = lines[headers[0] + 1].split()[1 : 1 + len(columns)]
        # "AC:0.01s"
        return [cell.split(":")[0] for cell in cells]
