"""The overlap tests by name, as `collide(..., tree="boxtree", overlap=...)` takes them."""

from __future__ import annotations

from tumble.errors import OptionError

AXIS, LOOKUP, SAT, SAT_LITE = range(4)
OVERLAPS = {"axis": AXIS, "lookup": LOOKUP, "sat": SAT, "sat-lite": SAT_LITE}
"""how kernels know them"""
DEFAULT_OVERLAP = "sat-lite"
PLAIN = 4
"""added to a number: end by end instead of by vectors, to compare the two"""


def overlap_number(name: object) -> int:
    """Return how kernels know an overlap test, or say which names there are."""
    if isinstance(name, str) and name in OVERLAPS:
        return OVERLAPS[name]
    raise OptionError(f"unknown overlap test {name!r}; choose one of: {', '.join(OVERLAPS)}")
