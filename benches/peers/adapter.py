"""What every tool can be asked to do."""

import os
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

import process
from places import PROGRAMS, Failure, fresh
from scenarios import RIGHT, ROUNDS, Scenario

# Limits where a tool lets them be set: CPU or real time of the contestant, in seconds.
TIME_LIMIT = 1
# The same for a dialogue whose speed is measured.
WIDE_LIMIT = 240
# Seconds of the first run of a tool, which may compile what later runs have at hand.
FIRST_LIMIT = 180


@dataclass
class Judged:
    """What became of one or more runs of a scenario."""

    # What the tool said, once for each run.
    said: list[str]
    # Of the whole command, which may be several runs.
    seconds: float
    # Names of the processes that were left running.
    left: list[str]


class Adapter(ABC):
    """One tool. Its problems are made from the sources in `programs`."""

    name: str
    # True if it keeps what the two programs said to each other.
    logs = False
    # How it connects the two, in a few words.
    how: str
    # The exit codes by which an interactor accepts and rejects.
    accepted, rejected = 0, 1

    def __init__(self, work: Path, timeout: float):
        self.work = work / self.name
        self.timeout = timeout
        # The only CPU, or None for all.
        self.cpu: int | None = None
        self.version = ""

    @abstractmethod
    def install(self) -> None:
        """Makes the tool ready. Raises `Failure` with the reason if it cannot be had."""

    def is_available(self) -> str | None:
        """None if the tool can be used, else the reason why not."""
        self.work.mkdir(parents=True, exist_ok=True)
        try:
            self.install()
            said = self.judge(RIGHT, 1, FIRST_LIMIT).said
        except Failure as failure:
            return str(failure)
        if not said or not self.is_acceptance(said[0]):
            return f"it does not accept a right solution here, but says {said}"
        return None

    def is_acceptance(self, said: str) -> bool:
        return said == "AC"

    @abstractmethod
    def prepare(self, scenario: Scenario, rounds: int, runs: int, limit: int) -> Path:
        """Makes a problem with `runs` tests of so many rounds; its folder."""

    @abstractmethod
    def command(self, folder: Path) -> list:
        """The command that judges all tests of a problem made by `prepare`."""

    @abstractmethod
    def read(self, ended: process.Ended, folder: Path) -> list[str]:
        """What the tool said of each test."""

    def speed(self, rounds: int) -> float:
        """Seconds of a whole run of the right pair with so many rounds."""
        folder = self.prepare(RIGHT, rounds, 1, WIDE_LIMIT)
        ended = self.start(folder, WIDE_LIMIT)
        said = self.read(ended, folder)
        if ended.code is None:
            raise Failure(f"{rounds} rounds took more than {WIDE_LIMIT} s")
        if not said or not self.is_acceptance(said[0]):
            raise Failure(f"of {rounds} rounds by the right pair it says {said or 'nothing'}")
        return ended.seconds

    def judge(self, scenario: Scenario, runs: int, timeout: float | None = None) -> Judged:
        """Runs a scenario, in one command where the tool takes several tests."""
        folder = self.prepare(scenario, ROUNDS, runs, TIME_LIMIT)
        ended = self.start(folder, (timeout or self.timeout) + runs - 1)
        if ended.code is None:
            return Judged([f"did not end in {ended.seconds:.0f} s"], ended.seconds, ended.left)
        said = self.read(ended, folder) or [f"no verdict: {last_line(ended.output)}"]
        return Judged(said, ended.seconds, ended.left)

    def start(self, folder: Path, limit: float) -> process.Ended:
        log = self.work / "output.txt"
        return process.run(self.command(folder), limit, log, folder, self.environment(), self.cpu)

    def environment(self) -> dict[str, str]:
        """The user's, with a home and a temporary folder that are the tool's own."""
        own = {"HOME": self.work / "home", "TMPDIR": self.work / "tmp"}
        for folder in own.values():
            folder.mkdir(exist_ok=True)
        return os.environ | {name: str(folder) for name, folder in own.items()}

    def interactor_source(self, scenario: Scenario) -> str:
        """The interactor, with the exit codes of this tool."""
        source = (PROGRAMS / "interactors" / f"{scenario.interactor}.cpp").read_text()
        codes = f"#define ACCEPTED {self.accepted}\n#define REJECTED {self.rejected}\n"
        return codes + source

    def contestant_source(self, scenario: Scenario) -> str:
        return (PROGRAMS / "contestants" / f"{scenario.contestant}.cpp").read_text()


class Compiled(Adapter):
    """A tool that is given two executables and an input, and judges one run a command."""

    def prepare(self, scenario, rounds, runs, limit):
        folder = self.work / "problem"
        folder.mkdir(exist_ok=True)
        self.limit = limit
        sources = {
            f"interactor-{scenario.interactor}": self.interactor_source(scenario),
            f"contestant-{scenario.contestant}": self.contestant_source(scenario),
        }
        self.interactor, self.contestant = (compiled(folder, *item) for item in sources.items())
        self.input = folder / "input.txt"
        self.input.write_text(f"{rounds}\n")
        return folder

    def judge(self, scenario, runs, timeout=None):
        judged = [super(Compiled, self).judge(scenario, 1, timeout) for _ in range(runs)]
        return Judged(
            [said for one in judged for said in one.said],
            sum(one.seconds for one in judged),
            [left for one in judged for left in one.left],
        )


class Installed(Adapter):
    """A tool from PyPI, in a virtual environment of its own."""

    # What pip is asked for.
    package: str
    # Its program, in the environment's `bin`.
    program: str

    def install(self):
        place = self.work / "venv"
        if not (place / "bin" / self.program).exists():
            fresh(place)
            self.must([sys.executable, "-m", "venv", place], "no virtual environment")
            self.must([place / "bin" / "pip", "install", self.package], "pip cannot install it")
        script = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
        name = re.split("[<>=]", self.package)[0]
        told = subprocess.run(
            [place / "bin" / "python", "-c", script, name], capture_output=True, text=True
        )
        if told.returncode != 0:
            raise Failure(f"{name} is not in its virtual environment: {last_line(told.stderr)}")
        self.version = told.stdout.strip()

    def must(self, command: list, trouble: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{trouble}: {last_line(done.stderr)}")

    def tool(self) -> Path:
        return self.work / "venv" / "bin" / self.program


def compiled(folder: Path, name: str, source: str) -> Path:
    """The executable of a source, compiled once."""
    written, program = folder / f"{name}.cpp", folder / name
    if not program.exists() or not written.exists() or written.read_text() != source:
        written.write_text(source)
        command = ["c++", "-O2", "-o", program, written]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            raise Failure(f"there is no C++ compiler called `c++`: {error}") from error
        if done.returncode != 0:
            raise Failure(f"`c++` does not compile {name}: {done.stderr}")
    return program


def numbers(runs: int) -> list[str]:
    """Names of tests, in order."""
    return [f"{number:03}" for number in range(1, runs + 1)]


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it said nothing"
