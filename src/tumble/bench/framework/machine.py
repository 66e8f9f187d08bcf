"""What a measurement must say about where it was made: processor, cores, system, versions."""

from __future__ import annotations

import os
import platform
import time
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


class Neighbours:
    """What other programs take of the processors while something is measured, where the system tells."""

    # Cores that others may keep busy before times say little: a tenth of one is what an idle desktop takes.
    MOST = 0.2

    def __init__(self) -> None:
        self._start = _clocks()

    def load(self) -> float | None:
        """Return how many cores others kept busy on average since the start, or None where that is not known."""
        now = _clocks()
        if now is None or self._start is None:
            return None
        wall, busy, own = (after - before for after, before in zip(now, self._start, strict=True))
        return max(0.0, busy - own) / max(wall, 1e-9)


def _clocks() -> tuple[float, float, float] | None:
    """Seconds on the wall, seconds that all processors were busy or withheld, and seconds of this process."""
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]
        user, nice, system, _, _, irq, softirq, steal = map(int, fields)
    except (OSError, ValueError):
        return None
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return time.monotonic(), busy, sum(os.times()[:4])


def resident_bytes() -> int | None:
    """What this process holds in memory, or None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
