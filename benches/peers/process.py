"""Runs a command under a hard limit of time, and says what it leaves running.

This process becomes the one to which orphans are given (PR_SET_CHILD_SUBREAPER), so that whatever a
tool leaves behind is a descendant, whatever session, group or environment it has made for itself.
"""

import ctypes
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36

# How long a process that is about to end by itself may take, once its tool has ended.
GRACE = 0.3


@dataclass
class Ended:
    """A command that has ended, or was ended."""

    # The exit code; minus the signal's number; None if it had to be ended.
    code: int | None
    seconds: float
    output: str
    # Names of the processes that it left running. They have been ended.
    left: list[str]


def adopt_orphans() -> None:
    """Makes this process the parent of every orphan among its descendants, and a request to end an
    interruption, upon which they are ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "failed to become the parent of orphans")


def run(command, limit: float, log: Path, cwd=None, env=None, cpu: int | None = None) -> Ended:
    """Runs a command, its output in a file, for `limit` seconds at most."""

    def pin() -> None:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})

    try:
        with log.open("wb") as out:
            began = time.monotonic()
            child = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=env,
                start_new_session=True,
                preexec_fn=pin,
            )
            try:
                code = child.wait(limit)
            except subprocess.TimeoutExpired:
                code = None
            seconds = time.monotonic() - began
            if code is None:
                end_politely(child)
        left = end_all(descendants())
    except KeyboardInterrupt:
        end_all(living_descendants())
        raise
    return Ended(code, seconds, log.read_text(errors="replace"), left)


def end_politely(child: subprocess.Popen) -> None:
    """Ends a tool as a user would, so that it can end what it started."""
    child.send_signal(signal.SIGINT)
    try:
        child.wait(2)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def descendants() -> dict[int, str]:
    """All descendants that still run after the grace, by process id."""
    deadline = time.monotonic() + GRACE
    while True:
        reap()
        found = living_descendants()
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.01)


def living_descendants() -> dict[int, str]:
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(errors="replace")
        except OSError:
            continue  # It ended meanwhile.
        # The name stands in parentheses and may itself have some.
        name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2 :]
        state, parent = rest.split()[:2]
        if state not in "ZX":
            parents[int(entry.name)], names[int(entry.name)] = int(parent), name
    found = {}
    fresh = {os.getpid()}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh and pid not in found}
        found.update((pid, names[pid]) for pid in fresh)
    return found


def end_all(found: dict[int, str]) -> list[str]:
    """Ends these processes, and what they start meanwhile; the names of those that were given."""
    names = sorted(found.values())
    while found:
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        reap()
        found = living_descendants()
    return names


def reap() -> None:
    """Takes the exit codes of orphans that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass
