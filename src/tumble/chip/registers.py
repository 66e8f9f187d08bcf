"""The register files. What is written in a cycle can be read in the next."""

from __future__ import annotations

from tumble.chip.channel import Clock
from tumble.chip.setup import Line, Places

NO_LINE = (0.0, 0.0, 0.0, 0.0)


class DopRegisterFile:
    """The numbers of one tumbled DOP, or the vertices of a triangle and where they were moved to."""

    __slots__ = ("_clock", "_writes", "values")

    def __init__(self, clock: Clock, size: int) -> None:
        self.values: list[float] = [0.0] * size
        self._clock = clock
        self._writes: list[tuple[int, float]] = []

    def write(self, place: int, value: float) -> None:
        """Write a number, at the end of the cycle."""
        if not self._writes:
            self._clock.changed.append(self)
        self._writes.append((place, value))

    def tick(self) -> None:
        """Let the writes happen."""
        for place, value in self._writes:
            self.values[place] = value
        self._writes.clear()


class MatrixRegisterFile:
    """Lines of four coefficients: C and c, then the way from a to b, the way back, and a leaf's matrix."""

    __slots__ = ("_clock", "_writes", "lines")

    def __init__(self, clock: Clock, lines: list[Line]) -> None:
        self.lines: list[Line] = [*lines, *[NO_LINE] * 3]
        self._clock = clock
        self._writes: list[tuple[int, Line]] = []

    def write(self, place: int, line: Line) -> None:
        """Write a line, at the end of the cycle."""
        if not self._writes:
            self._clock.changed.append(self)
        self._writes.append((place, line))

    def tick(self) -> None:
        """Let the writes happen."""
        for place, line in self._writes:
            self.lines[place] = line
        self._writes.clear()


class CorrespondenceRegisterFile:
    """Which three DOP registers go into each line; written by the host, before the query."""

    __slots__ = ("places", "schedule")

    def __init__(self, places: list[Places], schedule: list[int]) -> None:
        self.places = places
        self.schedule = schedule


class ResultsRegisterBank:
    """The moved DOPs of the tumbled nodes that are compared in parallel."""

    __slots__ = ("_changed", "_clock", "_due", "_k", "_missing", "_writes", "complete", "values")

    def __init__(self, clock: Clock, nodes: int, k: int) -> None:
        self.values = [[0.0] * k for _ in range(nodes)]
        self.complete = True
        """whether all that is expected has been written"""
        self._clock = clock
        self._k = k
        self._missing = 0
        self._due = 0
        self._changed = False
        self._writes: list[tuple[int, int, float]] = []

    def expect(self, nodes: int) -> None:
        """Expect so many nodes more; -1 when one turns out to be empty."""
        self._touch()
        self._due += nodes * self._k

    def write(self, node: int, place: int, value: float) -> None:
        """Write a number, at the end of the cycle."""
        self._touch()
        self._writes.append((node, place, value))

    def _touch(self) -> None:
        if not self._changed:
            self._changed = True
            self._clock.changed.append(self)

    def tick(self) -> None:
        """Let happen what was asked for in this cycle."""
        for node, place, value in self._writes:
            self.values[node][place] = value
        self._missing += self._due - len(self._writes)
        self._due = 0
        self._writes.clear()
        self._changed = False
        self.complete = self._missing == 0
