"""What the figures were measured on."""

import os
from pathlib import Path


def read() -> dict:
    info = Path("/proc/cpuinfo").read_text()
    models = [line.split(":", 1)[1] for line in info.splitlines() if line.startswith("model name")]
    return {
        "kernel": os.uname().release,
        "model": models[0].strip() if models else "unknown",
        "virtual_machine": " hypervisor " in info,
        "cpus": sorted(os.sched_getaffinity(0)),
        "load": " ".join(f"{load:.2f}" for load in os.getloadavg()),
    }


def heading(machine: dict) -> str:
    kind = ", virtual" if machine["virtual_machine"] else ""
    cpus, kernel = len(machine["cpus"]), machine["kernel"]
    return f"{machine['model']}{kind}, {cpus} CPUs, Linux {kernel}, load {machine['load']}"
