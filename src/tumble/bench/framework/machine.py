"""What a measurement must say about where it was made: processor, cores, system, versions."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tumble.core.parallel import usable_cores


def describe_machine() -> dict[str, str | int]:
    """The processor's name, the cores this process may use, the system and Python."""
    return {
        "processor": _processor_name(),
        "cores": usable_cores(),
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def package_versions(*names: str) -> dict[str, str]:
    """The installed version of each package, or "not installed"."""
    return {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _processor_name() -> str:
    # platform.processor() is empty or says no more than the architecture on Linux.
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine() or "unknown"


def resident_bytes() -> int | None:
    """What this process holds in memory, or None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
