"""How a front is followed, with what each choice trades; the answers do not depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from tumble.errors import OptionError
from tumble.query.bulk_settings import whole_number

PAIRS_PER_TRIANGLE = 64
LIMITS = (
    ("stack", 1, 1 << 12),
    ("steps", 0, 1 << 30),
    ("group", 1, 1 << 16),
    ("segments", 1, 1 << 12),
    ("queue", 1, 1 << 20),
    ("first_capacity", 1, 1 << 31),
)


@dataclass(frozen=True)
class FrontSettings:
    """How work-items walk down from the nodes of a front, and where they register what they find."""

    stack: int = 32
    """pairs that the stack of a work-item holds; what is too much for it waits for the next round"""
    steps: int = 128
    """pairs that a work-item replaces by their children before it hands over what is left; 0: no limit"""
    group: int = 64
    """work-items of a group on devices; on the CPU, pairs that a thread takes at a time"""
    segments: int = 64
    """on devices: parts of a stream with a counter each, so that groups seldom wait for one another"""
    queue: int = 1024
    """on the CPU: pairs that a thread keeps back before it writes them at once"""
    first_capacity: int | None = None
    """pairs for which streams have room at first, more of them repeat a round; None: 64 a triangle, or twice as
    many as the front of before has"""
    padded: bool = True
    """whether trees have room for nodes without triangles"""

    def __post_init__(self) -> None:
        for name, least, most in LIMITS:
            if getattr(self, name) is not None or name != "first_capacity":
                object.__setattr__(self, name, whole_number(name, getattr(self, name), least, most))
        if not isinstance(self.padded, bool):
            raise OptionError(f"padded must be True or False, not {self.padded!r}")

    def capacity(self, triangles: int, before: int = 0) -> int:
        """Return for how many pairs there is room at first; `before` are those of the front that is followed."""
        if self.first_capacity is not None:
            return self.first_capacity
        return 2 * before + (1 << 14) if before else PAIRS_PER_TRIANGLE * max(triangles, 1 << 10)


DEFAULT = FrontSettings()
