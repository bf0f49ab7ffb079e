"""`rbx run` of rbx.cp."""

import re
import shutil
import time

from adapter import Failure, Installed, numbers
from places import fresh

PROBLEM = """\
name: "peers"
type: "communication"
timeLimit: {milliseconds}
memoryLimit: 256
outputLimit: 1048576
interactor: {{path: "interactor.cpp"}}
testcases:
  - name: "secret"
    testcaseGlob: "tests/*.in"
solutions:
  - path: "contestant.cpp"
    outcome: "ANY"
"""


class Rbx(Installed):
    name = "rbx"
    package = "rbx.cp>=2.3.3"
    program = "rbx"
    logs = True
    how = "pipes through two programs in Python, limits of CPU and real time"
    # What its outcomes are called in the tables.
    CODES = {
        "accepted": "AC",
        "wrong-answer": "WA",
        "runtime-error": "RTE",
        "time-limit-exceeded": "TLE",
        "idleness-limit-exceeded": "ILE",
        "memory-limit-exceeded": "MLE",
        "output-limit-exceeded": "OLE",
        "judge-failed": "JE",
    }

    def prepare(self, scenario, rounds, runs, limit):
        folder = self.work / "peers"
        # What it has compiled stays: its first compilation takes longer than any run.
        for name in ("tests", "build", ".rbx/runs"):
            fresh(folder / name)
        (folder / "problem.rbx.yml").write_text(PROBLEM.format(milliseconds=1000 * limit))
        (folder / "interactor.cpp").write_text(self.interactor_source(scenario))
        (folder / "contestant.cpp").write_text(self.contestant_source(scenario))
        # testlib.h is copied from the tool: it would be downloaded otherwise.
        resources = "lib/*/site-packages/rbx/resources"
        libraries = list((self.work / "venv").glob(f"{resources}/**/testlib.h"))
        if not libraries:
            raise Failure("it comes without a testlib.h, and would download one")
        shutil.copy(libraries[0], folder / "testlib.h")
        for number in numbers(runs):
            # It does not run again what it has run on the same input, and a dialogue that is not
            # played has no speed. The interactor reads the first number only.
            text = f"{rounds} {time.time_ns()}\n"
            (folder / "tests" / f"{number}.in").write_text(text)
        return folder

    def command(self, folder):
        return [self.tool(), "run", "contestant.cpp"]

    def read(self, ended, folder):
        evaluations = sorted(folder.glob(".rbx/runs/0/secret/*.eval"))
        found = [re.search(r"outcome: (\S+)", path.read_text()) for path in evaluations]
        return [self.CODES.get(match[1], match[1]) for match in found if match]
