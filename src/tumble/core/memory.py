"""Whether there is memory for a large answer: asked before it is made.

Linux promises more memory than it has, and ends the process that then writes to it.
"""

from __future__ import annotations

import os
from contextlib import suppress

from tumble.errors import LimitError

SMALL = 2**28
"""bytes that are not asked about"""


def check_memory(size: int, what: str) -> None:
    """Refuse what takes more bytes than are free, where the system tells how many are."""
    free = None if size < SMALL else free_memory()
    if free is not None and size > free:
        raise LimitError(
            f"{what} would take {_gib(size)}, and {_gib(free)} of memory are free: ask for fewer at a time"
        )


def free_memory() -> int | None:
    """Return the bytes that are free, or all that there are where only that is known; None where nothing is."""
    with suppress(OSError, ValueError), open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _gib(size: int) -> str:
    return f"{size / 2**30:,.1f} GiB"
