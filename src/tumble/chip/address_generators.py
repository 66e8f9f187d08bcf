"""Address generators 1 to 3: what goes into the DOP registers, into the DOTADD unit, and from there into results.

    SDRAM interface → 1 → DOP registers → 2 → DOTADD → 3 → results register bank, or back into the DOP registers

1 writes the numbers of a tumbled DOP as they come, one per cycle at most. A constant delay after the first one, 2
begins with the lines, one per cycle, in the order of the schedule. Nothing stops 2 when a number is late: the delay
must be long enough for the bus (`arrival`), and reading a register that is not written is an error. When 2 has read for
the last line, 1 may write the next DOP. 3 keeps the places of the results until DOTADD is done with them.
"""

from collections import deque
from typing import NamedTuple

from tumble.chip.channel import Ports, Unit
from tumble.chip.registers import DopRegisterFile, MatrixRegisterFile, ResultsRegisterBank
from tumble.chip.result import Journal
from tumble.chip.sdram import BARE_LEAF, EMPTY_NODE, TUMBLED, VERTEX_NUMBERS
from tumble.chip.setup import Places, Setup

DOP_REGISTERS = "DOP registers"
UNIT_2 = "address generator 2"
TO_DOP_REGISTERS = -1  # in place of the number of a tumbled node: the result goes back into the DOP registers


class Step(NamedTuple):
    """One turn of address generator 2."""

    line: int  # of the matrix register file
    places: Places  # of the DOP registers
    node: int  # where the result goes: which node of the results register bank
    place: int


class AddressGenerator1(Unit):
    """Writes what comes from memory into the DOP registers."""

    column = "ag1 "

    def __init__(self, dop: DopRegisterFile, results: ResultsRegisterBank, ports: Ports) -> None:
        self.dop, self.results, self.ports = dop, results, ports
        self.in_use = False

    def tick(self, now: int) -> None:
        """Write a number, unless the registers are still needed."""
        self.shown = ""
        if self.ports.freed.valid:
            self.ports.freed.take()
            self.in_use = False
        if not self.ports.numbers.valid:
            return
        kind, node, place, value = self.ports.numbers.payload
        if kind in (EMPTY_NODE, BARE_LEAF):
            self.ports.numbers.take()
            self.results.without_dop(node, kind == BARE_LEAF)
            return
        if kind == TUMBLED and place == 0:
            if self.in_use:
                self.shown = "wait"
                return
            self.in_use = True
            self.ports.begun.put(node)
        self.ports.numbers.take()
        if place == 0:
            self.dop.clear()
        self.dop.write(place, value)
        self.shown = f"d{place}"
        if kind != TUMBLED and place == VERTEX_NUMBERS - 1:
            self.ports.loaded.put(True)


class AddressGenerator2(Unit):
    """Reads operands from the register files and feeds them to DOTADD."""

    column = "ag2 "

    def __init__(
        self, dop: DopRegisterFile, matrix: MatrixRegisterFile, setup: Setup, ports: Ports, journal: Journal
    ) -> None:
        self.dop, self.matrix, self.ports, self.journal = dop, matrix, ports, journal
        self.correspondence, self.schedule, self.delay = setup.places, setup.schedule, setup.delay
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
        if self.ports.begun.valid:
            # the first number was written in the cycle before this one
            self.for_node = node = self.ports.begun.take()
            self.since = now - 1
            self.first = self.since + self.delay
            self.steps.extend(Step(line, self.correspondence[line], node, line) for line in self.schedule)
        elif self.ports.programs.valid:
            self.for_node = -1
            self.first = now
            self.steps.extend(self.ports.programs.take())

    def _feed(self, now: int) -> None:
        step = self.steps.popleft()
        line, (x, y, z) = self.matrix.read(UNIT_2, step.line), self.dop.read_all(UNIT_2, step.places)
        self.ports.operands.put((line, x, y, z))
        self.ports.places.put((step.node, step.place, not self.steps))
        self.shown = f"C{step.line}"
        if self.for_node >= 0 and not self.steps:
            self.ports.freed.put(True)
            self.journal.work(DOP_REGISTERS, self.since, now + 1, f"node {self.for_node}")


class AddressGenerator3(Unit):
    """Keeps the places of the results while DOTADD computes them, and writes them there."""

    column = "ag3 "

    def __init__(self, dop: DopRegisterFile, results: ResultsRegisterBank, ports: Ports) -> None:
        self.dop, self.results, self.ports = dop, results, ports
        self.kept: deque[tuple[int, int, bool]] = deque()

    def tick(self, now: int) -> None:
        """Write a result."""
        self.shown = ""
        if self.ports.places.valid:
            self.kept.append(self.ports.places.take())
        if not self.ports.sums.valid:
            return
        node, place, last = self.kept.popleft()
        value = self.ports.sums.take()
        if node == TO_DOP_REGISTERS:
            self.dop.write(place, value)
            self.shown = f"d{place}"
            if last:
                self.ports.moved.put(True)
        else:
            self.results.write(node, place, value)
            self.shown = f"{node}:{place}"
