"""The parameters of paper `bsp`, with what each trades; the answers do not depend on them."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

from tumble.errors import OptionError

MOST_STEP = 8
"""a pair of nodes then makes 65 536 new ones"""
MOST_ENTRY = 20
PAIRS_PER_TRIANGLE = 64


@dataclass(frozen=True)
class BulkSettings:
    """How frontiers are expanded and written."""

    entry_level: int = 0
    """le: the level of all trees at which the first frontier is made: deeper means more pairs at once, fewer rounds"""
    depth_step: int | None = None
    """µ: levels that an overlapping pair goes down at once: more means fewer rounds, more tests; None: Equation 4"""
    queue: int = 1024
    """κ: pairs that are kept back before they are written behind all others at once"""
    group: int | None = None
    """|G|: pairs of a frontier that are taken at a time; on a device, work-items of a group. None: 64, and 1 on a CPU
    that is a device, as it does them one after the other"""
    writers: int | None = None
    """α: of how many pairs of a group all descendants fit into the queue; None: the fourth root of κ, the most that
    the paper allows"""
    first_capacity: int | None = None
    """pairs for which frontiers and results have room at first, more of them repeat a round; None: 64 a triangle"""
    most_pairs: int = 1 << 24
    """pairs of a frontier, at most: beyond, the frontier before it is done in parts, one after the other"""
    padded: bool = True
    """whether trees have room for nodes without triangles"""
    tested: bool = True
    """whether descendants are tested before they are written; False, for devices only: in the next round, by who reads
    them, as in the paper"""

    def __post_init__(self) -> None:
        self._check("entry_level", 0, MOST_ENTRY)
        self._check("queue", 1, 1 << 20)
        if self.group is not None:
            self._check("group", 1, 1 << 20)
        self._check("most_pairs", 1, 1 << 31)
        if self.depth_step is not None:
            self._check("depth_step", 1, MOST_STEP)
        if self.first_capacity is not None:
            self._check("first_capacity", 1, 1 << 31)
        if self.writers is not None:
            self._check("writers", 1, max(1, _fourth_root(self.queue)))
        for name in ("padded", "tested"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name} must be True or False, not {getattr(self, name)!r}")

    def _check(self, name: str, least: int, most: int) -> None:
        object.__setattr__(self, name, whole_number(name, getattr(self, name), least, most))

    @property
    def step(self) -> int:
        """µ as given, or ⌊log4(κ / α)⌋, Equation 4; at least 1, which is what a queue of fewer than four pairs gets."""
        if self.depth_step is not None:
            return self.depth_step
        room = self.queue // (self.writers or max(1, _fourth_root(self.queue)))
        return min(max((room.bit_length() - 1) // 2, 1), MOST_STEP)

    @property
    def most(self) -> int:
        """The largest frontier: `most_pairs`, or what one pair of nodes can make, if that is more."""
        return max(self.most_pairs, 4**self.step)

    def capacity(self, triangles: int, per_triangle: int = PAIRS_PER_TRIANGLE) -> int:
        """Return for how many pairs there is room at first; memory that is never written to costs nothing."""
        return self.first_capacity or per_triangle * max(triangles, 1 << 10)


def _fourth_root(number: int) -> int:
    root = 1
    while (root + 1) ** 4 <= number:
        root += 1
    return root


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Return a number as Python's own: those of NumPy overflow."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise OptionError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return number


DEFAULT = BulkSettings()
ON_DEVICES = BulkSettings(queue=512)
"""what devices take unless told: local memory is scarce on a GPU"""
AS_IN_PAPER = BulkSettings(depth_step=2, queue=512, group=64, tested=False)
"""descendants written untested; the paper found two levels at a time best"""
