"""What the paper `boxtree` prints: Table 1, and the numbers of its text."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """A row of Table 1: bytes a node, and floating-point operations a node pair in the worst case."""

    nbytes: int
    operations: int


# By our names; the lookup test has no row of its own.
TABLE_1 = {
    "boxtree, axis": Published(9, 12),
    "boxtree, sat-lite": Published(9, 24),
    "boxtree, sat": Published(9, 82),
    "sphere tree": Published(16, 29),
    "AABB tree": Published(28, 90),
    "OBB tree": Published(64, 243),
    "24-DOP tree": Published(100, 168),
}
# Section 6: so many times the memory.
OBB_BYTES = 7
# Section 3.1: about half of the nodes have only about so much empty volume between them and their parent.
EMPTY_SHARE = 0.10
# Section 3.1: the sides on which a child usually touches its parent's box.
TOUCHING_SIDES = 3
# Section 5: lookup tables gain at most so much.
LOOKUP_GAIN = 0.08
# Section 6, built on a Pentium III of 1 GHz.
TRIANGLES_A_SECOND = 20_000
# Section 5: small steps of the full turn.
STEPS = 5000
MACHINE = "Pentium III, 1 GHz, 512 MB, gcc 3.0.4"
