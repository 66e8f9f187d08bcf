"""An entry of a list: which nodes of the aligned tree are to be compared with which of the tumbled nodes.

One word of the SRAM, of 36 bits: the number of a sibling pair (24), which of the two siblings (2), and which of the
tumbled nodes that are compared at once (as many as there are, at most 8).
"""

from typing import NamedTuple

from tumble.chip.design import NODE_BYTES, PAIR_BYTES

BOTH = 3
MOST_TUMBLED = 8


class ListEntry(NamedTuple):
    """Nodes of the aligned tree, and the tumbled nodes that they are compared with."""

    address: int
    """of the pair"""
    aligned: int
    """a bit for each sibling"""
    tumbled: int
    """a bit for each tumbled node"""

    @property
    def lines(self) -> int:
        """How many lines are read: both siblings, or one."""
        return 2 if self.aligned == BOTH else 1

    @property
    def first(self) -> int:
        """The address of the first line that is read."""
        return self.address + (NODE_BYTES if self.aligned == 2 else 0)


def packed(entry: ListEntry) -> int:
    """Return an entry as a word."""
    return (entry.address // PAIR_BYTES) << 2 + MOST_TUMBLED | entry.aligned << MOST_TUMBLED | entry.tumbled


def unpacked(word: int) -> ListEntry:
    """Return a word as an entry."""
    return ListEntry((word >> 2 + MOST_TUMBLED) * PAIR_BYTES, word >> MOST_TUMBLED & 3, word & (1 << MOST_TUMBLED) - 1)
