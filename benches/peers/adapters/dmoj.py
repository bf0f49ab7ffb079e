"""`dmoj-cli` of DMOJ's judge, with an interactor of the problem's (bridged)."""

import re

from adapter import Installed
from places import fresh


class Dmoj(Installed):
    name = "dmoj"
    package = "dmoj>=4.1.0"
    program = "dmoj-cli"
    how = "pipes, in a sandbox with ptrace and seccomp"

    def prepare(self, scenario, rounds, runs, limit):
        self.limit = limit
        folder = fresh(self.work / "problems" / "peers")
        (folder / "interactor.cpp").write_text(self.interactor_source(scenario))
        (folder / "input.txt").write_text(f"{rounds}\n")
        tests = "- {in: input.txt, points: 1}\n" * runs
        (folder / "init.yml").write_text(
            f"interactive: {{files: interactor.cpp, lang: CPP17}}\ntest_cases:\n{tests}"
        )
        (self.work / "contestant.cpp").write_text(self.contestant_source(scenario))
        (self.work / "judge.yml").write_text(
            f'problem_storage_globs: ["{self.work}/problems/*"]\n'
            "runtime: {g++17: /usr/bin/g++}\n"
            # Of the interactor, which it calls a generator.
            "generator_compiler_time_limit: 60\ncompiler_time_limit: 60\n"
        )
        return folder

    def command(self, folder):
        return [
            *[self.tool(), "-c", self.work / "judge.yml", "--history", self.work / "history"],
            *["-e", "CPP17", "--no-ansi", "--", "submit", "peers", "CPP17"],
            *[self.work / "contestant.cpp", "-tl", self.limit, "-ml", 262144],
        ]

    def read(self, ended, folder):
        return re.findall(r"^Test case +\d+ (\S+)", ended.output, re.MULTILINE)
