"""Two pipes and nobody between: the least that a tool can do, and the reference."""

import os
import sys

from adapter import Compiled, last_line

# Connects two programs by pipes, waits for both, and says how each has ended.
CONNECT = """
import os, subprocess, sys
interactor, contestant, text = sys.argv[1:]
answers, questions = os.pipe(), os.pipe()
first = subprocess.Popen([interactor, text], stdin=questions[0], stdout=answers[1])
second = subprocess.Popen([contestant], stdin=answers[0], stdout=questions[1])
for end in answers + questions:
    os.close(end)
contestant_code, interactor_code = second.wait(), first.wait()
print(f"contestant {contestant_code}, interactor {interactor_code}")
"""


class Bare(Compiled):
    name = "bare"
    how = "pipes, no limits, wherever the scheduler puts them"

    def install(self):
        self.version = "-"

    def command(self, folder):
        return [sys.executable, "-c", CONNECT, self.interactor, self.contestant, self.input]

    def read(self, ended, folder):
        return [last_line(ended.output)]

    def is_acceptance(self, said):
        return said == "contestant 0, interactor 0"


class BareOneCpu(Bare):
    name = "bare-one-cpu"
    how = "pipes, no limits, both on one CPU"

    def start(self, folder, limit):
        before, self.cpu = self.cpu, min(os.sched_getaffinity(0))
        try:
            return super().start(folder, limit)
        finally:
            self.cpu = before
