"""The register files. What is written in a cycle can be read in the next.

Every register has a valid bit: what is read before it is written is an error that names the unit and the register.
Without it, a unit that comes too early would go on with the number of the node before, and pairs would be lost.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Generic, TypeVar

from tumble.chip.channel import Clock
from tumble.chip.setup import Line
from tumble.errors import ChipError

Value = TypeVar("Value")


def unwritten(unit: str, register: str) -> ChipError:
    """Return the error of a unit that reads a register whose valid bit is not set."""
    return ChipError(f"{unit} reads {register}, which is not written")


class RegisterFile(Generic[Value]):
    """Registers that are written by their places, at the end of a cycle."""

    __slots__ = ("_clock", "_values", "_writes")
    called = ""
    """a register by its place, for errors"""

    def __init__(self, clock: Clock, values: Iterable[Value | None]) -> None:
        self._clock = clock
        self._values = list(values)  # None where the valid bit is not set
        self._writes: list[tuple[int, Value | None]] = []

    def read(self, unit: str, place: int) -> Value:
        """Return what is in a register."""
        value = self._values[place]
        if value is None:
            raise unwritten(unit, self.called.format(place))
        return value

    def read_all(self, unit: str, places: Iterable[int]) -> list[Value]:
        """Return what is in some registers."""
        return [self.read(unit, place) for place in places]

    def clear(self, places: Iterable[int] | None = None) -> None:
        """Forget some registers, or all, at the end of the cycle and before what is written in it."""
        self._clock.changed[self] = None
        self._writes[:0] = [(place, None) for place in (range(len(self._values)) if places is None else places)]

    def write(self, place: int, value: Value) -> None:
        """Write a register, at the end of the cycle."""
        self._clock.changed[self] = None
        self._writes.append((place, value))

    def tick(self) -> None:
        """Carry out what was requested in this cycle."""
        for place, value in self._writes:
            self._values[place] = value
        self._writes.clear()


class DopRegisterFile(RegisterFile[float]):
    """The numbers of one tumbled DOP, or the vertices of a triangle and where they were moved to."""

    called = "d{} of the DOP registers"

    def __init__(self, clock: Clock, size: int) -> None:
        super().__init__(clock, [None] * size)


class MatrixRegisterFile(RegisterFile[Line]):
    """Lines of four coefficients: C and c, then the way from a to b, the way back, and a leaf's matrix."""

    called = "line {} of the matrix register file"

    def __init__(self, clock: Clock, lines: list[Line]) -> None:
        super().__init__(clock, [*lines, None, None, None])


class ResultsRegisterBank:
    """The moved DOPs of a group of tumbled nodes; a valid bit for each number, and bits for nodes without a DOP."""

    __slots__ = ("_bare", "_clock", "_empty", "_expected", "_nodes", "_values", "_without", "_writes", "complete")

    def __init__(self, clock: Clock, nodes: int, k: int) -> None:
        self._clock = clock
        self._values: list[list[float | None]] = [[None] * k for _ in range(nodes)]
        """None where the valid bit is not set"""
        self._empty = [False] * nodes
        self._bare = [False] * nodes  # leaves without a DOP
        self.complete = True  # whether all that is expected has been written
        self._nodes: Sequence[int] = ()  # those of the group
        self._expected: Sequence[int] | None = None  # those of the group that begins with the next cycle
        self._without: list[tuple[int, bool]] = []
        self._writes: list[tuple[int, int, float]] = []

    def read(self, unit: str, node: int) -> list[float] | None:
        """Return the moved DOP of a node, or None where the node is empty; a leaf without one overlaps everything."""
        if self._empty[node]:
            return None
        numbers = self._values[node]
        if self._bare[node]:
            half = len(numbers) // 2
            return [-inf] * half + [inf] * half
        if None in numbers:
            raise unwritten(unit, f"number {numbers.index(None)} of node {node} in the results register bank")
        return numbers  # type: ignore[return-value]

    def expect(self, nodes: Sequence[int]) -> None:
        """Forget all that is there and expect the nodes of a group, from the end of the cycle on."""
        if not self.complete:
            raise ChipError("master controller: a group begins before the results of the last one are complete")
        self._clock.changed[self] = None
        self._expected = nodes

    def without_dop(self, node: int, bare: bool) -> None:
        """Expect a node no longer: it turns out to be empty, or a leaf without a DOP."""
        self._clock.changed[self] = None
        self._without.append((node, bare))

    def write(self, node: int, place: int, value: float) -> None:
        """Write a number, at the end of the cycle."""
        self._clock.changed[self] = None
        self._writes.append((node, place, value))

    def tick(self) -> None:
        """Carry out what was requested in this cycle."""
        if self._expected is not None:
            self._nodes, self._expected = self._expected, None
            self._values = [[None] * len(numbers) for numbers in self._values]
            self._empty, self._bare = ([False] * len(self._values) for _ in range(2))
        for node, bare in self._without:
            (self._bare if bare else self._empty)[node] = True
        for node, place, value in self._writes:
            self._values[node][place] = value
        self._without.clear()
        self._writes.clear()
        self.complete = all(self._is_there(node) for node in self._nodes)

    def _is_there(self, node: int) -> bool:
        return self._empty[node] or self._bare[node] or None not in self._values[node]
