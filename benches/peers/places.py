"""Where things lie: the repository, cargo's target folder, and what is made in it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PROGRAMS = HERE / "programs"


class Failure(Exception):
    """Something that is told to the user in a sentence."""


def target_folder() -> Path:
    """Cargo's target folder, as cargo itself says."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    try:
        told = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"cargo does not say where its target folder is: {error}") from error
    return Path(json.loads(told)["target_directory"])


def work_folder() -> Path:
    """The folder for installed tools, packages and compiled programs."""
    return target_folder() / "bench" / "peers"


def write_json(report: dict) -> Path:
    """Writes `bench/peers.json` into cargo's target folder."""
    path = target_folder() / "bench" / "peers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=2) + "\n")
    return path


def fresh(folder: Path) -> Path:
    """An empty folder at this place."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    # The sandboxes run programs as users without rights.
    os.chmod(folder, 0o755)
    return folder
