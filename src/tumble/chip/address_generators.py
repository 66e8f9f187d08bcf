"""Address generators 1 to 3: what goes into the DOP registers, into the DOTADD unit, and from there into results.

    SDRAM interface → 1 → DOP registers → 2 → DOTADD → 3 → results register bank, or back into the DOP registers

1 writes the numbers of a tumbled DOP as they come, one per cycle at most. A constant delay after the first one, 2
begins with the lines, one per cycle, in the order of the schedule. Nothing stops 2 when a number is late: the delay
must be long enough for the bus (`arrival`), and reading a register that is not written is an error. When 2 has read for
the last line, 1 may write the next DOP. 3 keeps the places of the results until DOTADD is done with them.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from tumble.chip.channel import Channel, Unit
from tumble.chip.journal import Journal
from tumble.chip.registers import CorrespondenceRegisterFile, DopRegisterFile, MatrixRegisterFile, ResultsRegisterBank
from tumble.chip.sdram import EMPTY_NODE, TUMBLED, VERTEX_NUMBERS
from tumble.chip.setup import Places

DOP_REGISTERS = "DOP registers"
UNIT_2 = "address generator 2"
TO_DOP_REGISTERS = -1
"""in place of the number of a tumbled node: the result goes back into the DOP registers"""


class Step(NamedTuple):
    """One turn of address generator 2."""

    line: int
    """of the matrix register file"""
    places: Places
    """of the DOP registers"""
    node: int
    """where the result goes: which node of the results register bank"""
    place: int


class AddressGenerator1(Unit):
    """Writes what comes from memory into the DOP registers."""

    column = "ag1 "

    def __init__(self, dop: DopRegisterFile, results: ResultsRegisterBank, ports: dict[str, Channel]) -> None:
        self.dop = dop
        self.results = results
        self.numbers = ports["numbers"]
        self.begun = ports["begun"]
        self.freed = ports["freed"]
        self.loaded = ports["loaded"]
        self.in_use = False

    def tick(self, now: int) -> None:
        """Write a number, unless the registers are still needed."""
        self.shown = ""
        if self.freed.valid:
            self.freed.take()
            self.in_use = False
        if not self.numbers.valid:
            return
        kind, node, place, value = self.numbers.payload
        if kind == EMPTY_NODE:
            self.numbers.take()
            self.results.leave_out(node)
            return
        if kind == TUMBLED and place == 0:
            if self.in_use:
                self.shown = "wait"
                return
            self.in_use = True
            self.begun.put(node)
        self.numbers.take()
        if place == 0:
            self.dop.clear()
        self.dop.write(place, value)
        self.shown = f"d{place}"
        if kind != TUMBLED and place == VERTEX_NUMBERS - 1:
            self.loaded.put(True)


class AddressGenerator2(Unit):
    """Reads operands from the register files and feeds them to DOTADD."""

    column = "ag2 "

    def __init__(
        self,
        dop: DopRegisterFile,
        matrix: MatrixRegisterFile,
        correspondence: CorrespondenceRegisterFile,
        delay: int,
        ports: dict[str, Channel],
        journal: Journal,
    ) -> None:
        self.dop = dop
        self.matrix = matrix
        self.correspondence = correspondence
        self.delay = delay
        self.begun = ports["begun"]
        self.freed = ports["freed"]
        self.programs = ports["programs"]
        self.operands = ports["operands"]
        self.places = ports["places"]
        self.journal = journal
        self.steps: deque[Step] = deque()
        self.first = 0
        self.since = 0
        self.for_node = -1

    def tick(self, now: int) -> None:
        """Feed a line, or see whether there is something to begin with."""
        self.shown = ""
        if not self.steps:
            self._begin(now)
        if self.steps and now >= self.first:
            self._feed(now)

    def _begin(self, now: int) -> None:
        if self.begun.valid:
            # the first number was written in the cycle before this one
            self.for_node = node = self.begun.take()
            self.since = now - 1
            self.first = self.since + self.delay
            places = self.correspondence.places
            self.steps.extend(Step(line, places[line], node, line) for line in self.correspondence.schedule)
        elif self.programs.valid:
            self.for_node = -1
            self.first = now
            self.steps.extend(self.programs.take())

    def _feed(self, now: int) -> None:
        step = self.steps.popleft()
        line, (x, y, z) = self.matrix.read(UNIT_2, step.line), self.dop.read(UNIT_2, step.places)
        self.operands.put((line, x, y, z))
        self.places.put((step.node, step.place, not self.steps))
        self.shown = f"C{step.line}"
        if self.for_node >= 0 and not self.steps:
            self.freed.put(True)
            self.journal.work(DOP_REGISTERS, self.since, now + 1, f"node {self.for_node}")


class AddressGenerator3(Unit):
    """Keeps the places of the results while DOTADD computes them, and writes them there."""

    column = "ag3 "

    def __init__(self, dop: DopRegisterFile, results: ResultsRegisterBank, ports: dict[str, Channel]) -> None:
        self.dop = dop
        self.results = results
        self.places = ports["places"]
        self.sums = ports["sums"]
        self.moved = ports["moved"]
        self.kept: deque[tuple[int, int, bool]] = deque()

    def tick(self, now: int) -> None:
        """Write a result."""
        self.shown = ""
        if self.places.valid:
            self.kept.append(self.places.take())
        if not self.sums.valid:
            return
        node, place, last = self.kept.popleft()
        value = self.sums.take()
        if node == TO_DOP_REGISTERS:
            self.dop.write(place, value)
            self.shown = f"d{place}"
            if last:
                self.moved.put(True)
        else:
            self.results.write(node, place, value)
            self.shown = f"{node}:{place}"
