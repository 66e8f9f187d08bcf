"""Section 3.1: DOP trees whose nodes keep only the sides that differ from their parent's, as boxtrees do with boxes.

    a node      a link of four bytes, a bit for each side: set where it differs, and a float32 for each of these
    its sides   the parent's, with those replaced that differ

Sides are rounded outward to float32, so that a rebuilt DOP contains the one that it was made of. Nodes have no fixed
size: the bits of a first child tell where the second begins.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy import Tree
from tumble.hierarchy.layout import PARENT

LINK_BYTES = 4


class RestrictedDops(NamedTuple):
    """The nodes of a DOP tree in the order of the tree; parents come before their children."""

    parents: NDArray[np.int64]
    differ: NDArray[np.uint8]
    """a bit for each side, packed, row by row"""
    sides: NDArray[np.float32]
    """those that differ, node after node"""

    @property
    def nbytes(self) -> int:
        """Bytes of all nodes, with a link each."""
        return LINK_BYTES * len(self.parents) + self.differ.nbytes + self.sides.nbytes


def restricted(tree: Tree) -> RestrictedDops:
    """Keep of every DOP the sides that differ from its parent's; of the root, all."""
    rounded = rounded_outward(tree.rows)
    parents = tree.nodes[:, PARENT].astype(np.int64)
    differ = rounded != rounded[np.maximum(parents, 0)]
    differ[:1] = True
    return RestrictedDops(parents, np.packbits(differ, axis=1), rounded[differ])


def rounded_outward(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    """The sides as float32: lower ones, the first half of a row, are never higher than before, upper ones not lower."""
    half = rows.shape[1] // 2
    found = rows.astype(np.float32)
    inward = np.concatenate([found[:, :half] > rows[:, :half], found[:, half:] < rows[:, half:]], axis=1)
    outside = np.where(np.arange(rows.shape[1]) < half, np.float32(-np.inf), np.float32(np.inf))
    result: NDArray[np.float32] = np.where(inward, np.nextafter(found, outside), found)
    return result


def rebuilt(dops: RestrictedDops, width: int) -> NDArray[np.float64]:
    """The sides of all DOPs again, from the root down."""
    differ = np.unpackbits(dops.differ, axis=1, count=width).astype(bool)
    rows = np.zeros(differ.shape)
    ends = np.cumsum(differ.sum(axis=1))
    for node, end in enumerate(ends):
        rows[node] = rows[max(dops.parents[node], 0)]
        rows[node, differ[node]] = dops.sides[end - differ[node].sum() : end]
    return rows
