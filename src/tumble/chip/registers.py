"""The register files. What is written in a cycle can be read in the next.

Every register has a valid bit: what is read before it is written is an error that names the unit and the register.
Without it, a unit that comes too early would go on with the number of the node before, and pairs would be lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tumble.chip.channel import Clock
from tumble.chip.setup import Line, Places
from tumble.errors import ChipError


def unwritten(unit: str, register: str) -> ChipError:
    """Return the error of a unit that reads a register whose valid bit is not set."""
    return ChipError(f"{unit} reads {register}, which is not written")


class DopRegisterFile:
    """The numbers of one tumbled DOP, or the vertices of a triangle and where they were moved to."""

    __slots__ = ("_changed", "_clear", "_clock", "_values", "_writes")

    def __init__(self, clock: Clock, size: int) -> None:
        self._values: list[float | None] = [None] * size
        """None where the valid bit is not set"""
        self._clock = clock
        self._changed = self._clear = False
        self._writes: list[tuple[int, float]] = []

    def read(self, unit: str, places: Sequence[int]) -> list[float]:
        """Return the numbers at some places."""
        numbers: list[float] = []
        for place in places:
            value = self._values[place]
            if value is None:
                raise unwritten(unit, f"d{place} of the DOP registers")
            numbers.append(value)
        return numbers

    def clear(self) -> None:
        """Forget all numbers at the end of the cycle, before what is written in it: another DOP or triangle begins."""
        self._touch()
        self._clear = True

    def write(self, place: int, value: float) -> None:
        """Write a number, at the end of the cycle."""
        self._touch()
        self._writes.append((place, value))

    def _touch(self) -> None:
        if not self._changed:
            self._changed = True
            self._clock.changed.append(self)

    def tick(self) -> None:
        """Let happen what was asked for in this cycle."""
        if self._clear:
            self._values = [None] * len(self._values)
        for place, value in self._writes:
            self._values[place] = value
        self._writes.clear()
        self._changed = self._clear = False


class MatrixRegisterFile:
    """Lines of four coefficients: C and c, then the way from a to b, the way back, and a leaf's matrix."""

    __slots__ = ("_clock", "_lines", "_writes")

    def __init__(self, clock: Clock, lines: list[Line]) -> None:
        self._lines: list[Line | None] = [*lines, None, None, None]
        """None where the valid bit is not set"""
        self._clock = clock
        self._writes: list[tuple[int, Line | None]] = []

    def read(self, unit: str, place: int) -> Line:
        """Return a line."""
        line = self._lines[place]
        if line is None:
            raise unwritten(unit, f"line {place} of the matrix register file")
        return line

    def clear(self, places: Iterable[int]) -> None:
        """Forget some lines, at the end of the cycle."""
        for place in places:
            self._ask(place, None)

    def write(self, place: int, line: Line) -> None:
        """Write a line, at the end of the cycle."""
        self._ask(place, line)

    def _ask(self, place: int, line: Line | None) -> None:
        if not self._writes:
            self._clock.changed.append(self)
        self._writes.append((place, line))

    def tick(self) -> None:
        """Let the writes happen."""
        for place, line in self._writes:
            self._lines[place] = line
        self._writes.clear()


class CorrespondenceRegisterFile:
    """Which three DOP registers go into each line; written by the host, before the query."""

    __slots__ = ("places", "schedule")

    def __init__(self, places: list[Places], schedule: list[int]) -> None:
        self.places = places
        self.schedule = schedule
