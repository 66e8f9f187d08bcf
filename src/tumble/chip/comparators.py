"""The e registers and the comparators: an aligned DOP against all tumbled DOPs of the results register bank at once.

A node fills the e registers in a few bus words; it is compared in the next cycle, in which the next node may already
begin to come in. When the nodes of a burst are compared, the verdict goes to the stack engine.
"""

from typing import NamedTuple

from tumble.chip.arithmetic import overlap
from tumble.chip.channel import Ports, Unit
from tumble.chip.design import NODE_BYTES
from tumble.chip.entry import ListEntry
from tumble.chip.image import EMPTY, Node, read_node
from tumble.chip.journal import Journal
from tumble.chip.registers import ResultsRegisterBank
from tumble.errors import ChipError

UNIT = "comparators"


class Compared(NamedTuple):
    """A node of the aligned tree and the tumbled nodes that it overlaps, a bit each."""

    side: int
    """which of its pair"""
    node: Node
    overlaps: int


class EntryOverlaps(NamedTuple):
    """The result for an entry of the list."""

    entry: ListEntry
    compared: list[Compared]


class Comparators(Unit):
    """Compares nodes as they come."""

    column = "compare  "

    def __init__(self, k: int, results: ResultsRegisterBank, ports: Ports, journal: Journal) -> None:
        self.k, self.results, self.ports, self.journal = k, results, ports, journal
        self.registers = bytearray()
        self.full: tuple[ListEntry, int, bool] | None = None
        """the entry and the side of the node in the registers, and whether it is the last of its burst"""
        self.compared: list[Compared] = []

    def tick(self, now: int) -> None:
        """Compare what is in the registers, and take a word when there is room for it."""
        self.shown = ""
        if self.full is not None and self.results.complete and self.ports.verdicts.ready:
            self._compare(now, *self.full)
            self.full = None
        if self.full is None and self.ports.words.valid:
            entry, side, data, node_ends, burst_ends = self.ports.words.take()
            self.registers += data
            self.shown = self.shown or "load"
            if node_ends:
                self.full = entry, side, burst_ends

    def _compare(self, now: int, entry: ListEntry, side: int, last: bool) -> None:
        node = self._node()
        overlaps = 0
        if node.flags != EMPTY:
            for bit in range(entry.tumbled.bit_length()):
                if entry.tumbled >> bit & 1:
                    moved = self.results.read(UNIT, bit)
                    if moved is not None and overlap(moved, node.dop, self.k // 2):
                        overlaps |= 1 << bit
        self.compared.append(Compared(side, node, overlaps))
        self.shown = f"={overlaps:b}"
        self.journal.work(UNIT, now, now + 1, "compare")
        if last:
            self.ports.verdicts.put(EntryOverlaps(entry, self.compared))
            self.compared = []

    def _node(self) -> Node:
        """Return the node in the e registers, which are free then."""
        if len(self.registers) != NODE_BYTES:
            raise ChipError(f"{UNIT}: {len(self.registers)} bytes in the e registers, a node has {NODE_BYTES}")
        node = read_node(self.registers, 0, self.k)
        self.registers.clear()
        return node
