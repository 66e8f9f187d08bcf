"""The e registers and the comparators: an aligned DOP against all tumbled DOPs of the results register bank at once.

A node fills the e registers in a few bus words; it is compared in the next cycle, in which the next node may already
begin to come in. When the nodes of a burst are compared, the verdict goes to the stack engine.

What is compared with what is an entry of the stack engine's list, one word of its SRAM, of 36 bits: the number of a
sibling pair (24), which of the two siblings (2), and which of the tumbled nodes that are compared at once (at most 8).
"""

from collections.abc import Sequence
from typing import NamedTuple

from tumble.chip.channel import Ports, Unit
from tumble.chip.design import NODE_BYTES, PAIR_BYTES, Design
from tumble.chip.image import EMPTY, LEAF, Node, read_node
from tumble.chip.registers import ResultsRegisterBank
from tumble.chip.result import Journal
from tumble.errors import ChipError

UNIT = "comparators"
BOTH = 3  # siblings of a pair, a bit each
MOST_TUMBLED = 8


class ListEntry(NamedTuple):
    """Nodes of the aligned tree, and the tumbled nodes that they are compared with."""

    address: int  # of the pair
    aligned: int  # a bit for each sibling
    tumbled: int  # a bit for each tumbled node

    @property
    def lines(self) -> int:
        """How many lines are read: both siblings, or one."""
        return 2 if self.aligned == BOTH else 1

    @property
    def first(self) -> int:
        """The address of the first line that is read."""
        return self.address + (NODE_BYTES if self.aligned == 2 else 0)

    def packed(self) -> int:
        """Return the entry as a word."""
        return (self.address // PAIR_BYTES) << 2 + MOST_TUMBLED | self.aligned << MOST_TUMBLED | self.tumbled


def unpacked(word: int) -> ListEntry:
    """Return a word as an entry."""
    return ListEntry((word >> 2 + MOST_TUMBLED) * PAIR_BYTES, word >> MOST_TUMBLED & 3, word & (1 << MOST_TUMBLED) - 1)


class Compared(NamedTuple):
    """A node of the aligned tree and the tumbled nodes that it overlaps, a bit each."""

    side: int  # which of its pair
    node: Node
    overlaps: int


class EntryOverlaps(NamedTuple):
    """The result for an entry of the list."""

    entry: ListEntry
    compared: list[Compared]


def overlap(moved: Sequence[float], dop: Sequence[float], half: int) -> bool:
    """Compare two DOPs, Equation 2: they overlap unless a direction tells them apart; NaN tells nothing apart."""
    for i in range(half):  # noqa: SIM110  (a generator takes twice as long)
        if moved[i] > dop[half + i] or dop[i] > moved[half + i]:
            return False
    return True


class Comparators(Unit):
    """Compares nodes as they come."""

    column = "compare  "

    def __init__(self, design: Design, results: ResultsRegisterBank, ports: Ports, journal: Journal) -> None:
        self.k, self.leaf_dops = design.k, design.leaf_dops
        self.results, self.ports, self.journal = results, ports, journal
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
        if len(self.registers) != NODE_BYTES:
            raise ChipError(f"{UNIT}: {len(self.registers)} bytes in the e registers, a node has {NODE_BYTES}")
        node, overlaps = read_node(self.registers, 0, self.k), 0
        self.registers.clear()
        bare = node.flags == LEAF and not self.leaf_dops
        if node.flags != EMPTY:
            for bit in range(entry.tumbled.bit_length()):
                if entry.tumbled >> bit & 1:
                    moved = self.results.read(UNIT, bit)
                    if moved is not None and (bare or overlap(moved, node.dop, self.k // 2)):
                        overlaps |= 1 << bit
        self.compared.append(Compared(side, node, overlaps))
        self.shown = f"={overlaps:b}"
        self.journal.work(UNIT, now, now + 1, "compare")
        if last:
            self.ports.verdicts.put(EntryOverlaps(entry, self.compared))
            self.compared = []
