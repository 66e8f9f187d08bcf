"""The results register bank: the moved DOPs of the tumbled nodes that are compared in parallel."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.chip.channel import Clock
from tumble.chip.registers import unwritten
from tumble.errors import ChipError


class ResultsRegisterBank:
    """A moved DOP for each node of a group; a valid bit for each number, and one that says that a node is empty."""

    __slots__ = ("_changed", "_clock", "_empty", "_expected", "_left_out", "_missing", "_values", "_writes", "complete")

    def __init__(self, clock: Clock, nodes: int, k: int) -> None:
        self._values: list[list[float | None]] = [[None] * k for _ in range(nodes)]
        """None where the valid bit is not set"""
        self._empty = [False] * nodes
        self.complete = True
        """whether all that is expected has been written"""
        self._clock = clock
        self._missing: set[tuple[int, int]] = set()
        """nodes and places that are expected and not written"""
        self._changed = False
        self._expected: Sequence[int] | None = None
        self._left_out: list[int] = []
        self._writes: list[tuple[int, int, float]] = []

    def read(self, unit: str, node: int) -> list[float] | None:
        """Return the moved DOP of a node, or None where the node is empty."""
        if self._empty[node]:
            return None
        numbers = self._values[node]
        if None in numbers:
            raise unwritten(unit, f"number {numbers.index(None)} of node {node} in the results register bank")
        return numbers  # type: ignore[return-value]

    def expect(self, nodes: Sequence[int]) -> None:
        """Forget all that is there and expect the nodes of a group, from the end of the cycle on."""
        if not self.complete:
            raise ChipError("master controller: a group begins before the results of the last one are complete")
        self._touch()
        self._expected = nodes

    def leave_out(self, node: int) -> None:
        """Expect a node no longer: it turns out to be empty."""
        self._touch()
        self._left_out.append(node)

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
        if self._expected is not None:
            self._begin(self._expected)
            self._expected = None
        for node in self._left_out:
            self._empty[node] = True
            self._missing -= {(node, place) for place in range(len(self._values[node]))}
        for node, place, value in self._writes:
            self._values[node][place] = value
            self._missing.discard((node, place))
        self._left_out.clear()
        self._writes.clear()
        self._changed = False
        self.complete = not self._missing

    def _begin(self, nodes: Sequence[int]) -> None:
        k = len(self._values[0])
        self._values = [[None] * k for _ in self._values]
        self._empty = [False] * len(self._values)
        self._missing = {(node, place) for node in nodes for place in range(k)}
