"""What a query returns, the same from every method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.errors import InternalError


@dataclass(frozen=True)
class Stats:
    """What a traversal did, in the columns of papers `stackless` and `chip`."""

    iterations: int
    """turns of the traversal's loop"""
    tests: int
    """overlap tests of two bounding volumes"""
    overlaps: int
    """of those, how many overlapped"""
    leaf_overlaps: int
    """of those, how many were two leaves"""
    hits: int
    """touching triangle pairs found"""
    moves: int = 0
    """volumes of one mesh moved into the other's frame: one for each test, unless the method keeps them; 0 for
    boxtrees, whose boxes are computed from their parents' on the way down"""
    triangle_tests: int = 0
    """triangle pairs tested; on the fast path, those that their planes do not keep apart"""


@dataclass(frozen=True, eq=False)
class PairContacts:
    """Where touching triangles meet and how they come apart, in the world, one row for each pair: docs/contacts.md."""

    segments: NDArray[np.float64]
    """(k, 2, 3): the two ends of the intersection; equal where triangles touch in a point"""
    points: NDArray[np.float64]
    """(k, 3): the middles of the segments"""
    normals: NDArray[np.float64]
    """(k, 3): unit, from b's side to a's: the way a's triangle has to go to get free of b's"""
    depths: NDArray[np.float64]
    """(k,): how far it has to go, 0 or more"""

    def __len__(self) -> int:
        return len(self.depths)

    def __repr__(self) -> str:
        return f"<PairContacts of {len(self)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class Collision:
    """The touching triangles of two meshes; true when there are any."""

    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted, each pair once"""
    stats: Stats | None = None
    """what the traversal did; None unless asked for"""
    contacts: PairContacts | None = None
    """where each pair meets, in the order of `pairs`; None unless asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __repr__(self) -> str:
        return f"<Collision of {len(self.pairs)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class Collisions:
    """The touching triangles of many queries, in the order in which they were asked; true when any query hit."""

    counts: NDArray[np.int64]
    """(n,): touching pairs of each query; at most 1 when only the first was asked for"""
    triangles: NDArray[np.int64]
    """(k, 2): the pairs of all queries, one query's after the other's, sorted within each"""

    @classmethod
    def from_keys(cls, counts: NDArray[np.int64], keys: NDArray[np.int64]) -> Collisions:
        """Make the record from pairs as the kernels write them: a's triangle in the upper half of a number."""
        counts.flags.writeable = False
        return cls(counts, pairs_of_keys(keys))

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): whether each query found any"""
        return self.counts > 0

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(n + 1,): the pairs of query i are triangles[offsets[i] : offsets[i + 1]]"""
        offsets = np.zeros(len(self.counts) + 1, np.int64)
        np.cumsum(self.counts, out=offsets[1:])
        offsets.flags.writeable = False
        return offsets

    def pairs(self, i: int) -> NDArray[np.int64]:
        """Return the (counts[i], 2) touching pairs of query i."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} queries, so no number {i}")
        i %= len(self)
        return self.triangles[self.offsets[i] : self.offsets[i + 1]]

    def __len__(self) -> int:
        return len(self.counts)

    def __bool__(self) -> bool:
        return bool(self.counts.any())

    def __repr__(self) -> str:
        hits = int(self.hit.sum())
        return f"<Collisions of {len(self)} queries, {hits} hit, {len(self.triangles)} triangle pairs>"


# Buffers that the fast path fills begin with what it did: blocks compared, boxes that overlapped, pairs of leaves and
# of triangles, box pairs tested where that is not eight a block. Behind that come the touching pairs, each as one
# number.
COUNTED = 5
# What a compiled query returns is the number of pairs, or, below zero, why there is none.
REFUSED = -1
"""an argument that the query does not know: not a plain array, not a rigid motion, not a tree"""
BOXES_IN_A_BLOCK = 8


def count_of(answer: int) -> int:
    """Return the number of pairs that a compiled query found; anything else is not an answer, and raises."""
    if answer >= 0:
        return answer
    raise InternalError(f"a query refused arguments that had been checked (code {answer}); please report this")


def stats_of_counts(buffer: NDArray[np.int64], hits: int) -> Stats:
    """Return what the fast path did, as a record; one box is moved and compared with all eight of a block at once."""
    blocks, overlaps, leaf_overlaps, triangle_tests, _ = buffer[:COUNTED].tolist()
    return Stats(blocks, BOXES_IN_A_BLOCK * blocks, overlaps, leaf_overlaps, hits, blocks, triangle_tests)


def pairs_of_keys(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return frozen (k, 2) pairs of sorted keys."""
    pairs = np.empty((len(keys), 2), np.int64)
    np.right_shift(keys, 32, out=pairs[:, 0])
    np.bitwise_and(keys, 0xFFFFFFFF, out=pairs[:, 1])
    pairs.flags.writeable = False
    return pairs


def unique_pairs(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n, 2) pairs in order, each once.

    NumPy's own way with rows, unique(axis=0), makes a TypeError of what a signal handler raises amid it.
    """
    keys = np.unique(pairs[:, 0] << 32 | pairs[:, 1])
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)


NOTHING = Collision(pairs_of_keys(np.empty(0, np.int64)))
"""no pairs, and no stats"""
