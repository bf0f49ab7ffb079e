"""What the figures were measured on."""

import os
from pathlib import Path


def read() -> dict:
    info = Path("/proc/cpuinfo").read_text()
    model = next((l.split(":", 1)[1].strip() for l in info.splitlines() if l.startswith("model name")), "unknown")
    return {
        "kernel": os.uname().release,
        "model": model,
        "virtual_machine": " hypervisor " in info,
        "cpus": sorted(os.sched_getaffinity(0)),
        "load": " ".join(f"{load:.2f}" for load in os.getloadavg()),
    }


def heading(machine: dict) -> str:
    kind = ", virtual" if machine["virtual_machine"] else ""
    cpus = len(machine["cpus"])
    return f"{machine['model']}{kind}, {cpus} CPUs, Linux {machine['kernel']}, load {machine['load']}"
