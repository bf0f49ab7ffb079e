"""rejoinder, with sandbox, limits and transcript."""

import json
import shlex
import subprocess

from adapter import TIME_LIMIT, Compiled, Failure
from places import REPOSITORY, target_folder


class Rejoinder(Compiled):
    name = "rejoinder"
    logs = True
    how = "files in memory through a coordinator, in a sandbox, on one CPU"

    def install(self):
        command = ["cargo", "build", "--release", "--locked", "--quiet"]
        if subprocess.run(command, cwd=REPOSITORY).returncode != 0:
            raise Failure("`cargo build --release` failed")
        self.binary = target_folder() / "release" / "rejoinder"
        told = subprocess.run([self.binary, "--version"], capture_output=True, text=True)
        self.version = told.stdout.split()[-1]

    def command(self, folder):
        wall, cpu = f"{2 * self.limit}s", f"{self.limit}s"
        interactor = shlex.quote(str(self.interactor))
        limits = ["--cpu", cpu, "--wall", wall]
        limits += ["--interactor-cpu", wall, "--interactor-wall", wall]
        if self.limit > TIME_LIMIT:
            limits += ["--output", "1GiB", "--interactor-output", "1GiB", "--session", wall]
        return [
            *[self.binary, "run", "--json", "--transcript", folder / "transcript.jsonl"],
            *["--interactor", interactor, "--input", self.input, *limits],
            *["--", self.contestant],
        ]

    def read(self, ended, folder):
        for line in ended.output.splitlines():
            if line.startswith("{"):
                return [json.loads(line)["code"]]
        return []
