"""Figure 1: how much of its parent's box a node of an AABB tree leaves empty.

Boxes of siblings part along one axis, and there each must leave something to the other: that side is not counted
(footnote 1 of the paper), as if the child's box reached to its parent's there. A tree keeps no record of its splits;
the axis is taken to be the one on which the middles of the two boxes are furthest apart, in lengths of the parent's
box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.boxtree.records import Emptiness
from tumble.hierarchy.layout.columns import ESCAPE, FIRST, PARENT
from tumble.mesh import Mesh

# As in the paper: binary trees down to single triangles.
SPLIT, LEAF_SIZE = "sah", 1


def emptiness(name: str, mesh: Mesh) -> Emptiness:
    """Measure all nodes of a mesh's AABB tree but the root."""
    tree = tumble.build(mesh, "aabb", split=SPLIT, leaf_size=LEAF_SIZE)
    nodes, boxes = tree.nodes, tree.rows
    children = np.arange(1, len(nodes))
    parents = nodes[children, PARENT]
    is_first = nodes[parents, FIRST] == children
    siblings = np.where(is_first, nodes[children, ESCAPE], nodes[parents, FIRST])
    shares = empty_shares(boxes[children], boxes[siblings], boxes[parents])
    touching = (boxes[children] == boxes[parents]).sum(axis=1)
    return Emptiness(name, len(mesh), shares, nodes[children, FIRST] < 0, touching)


def empty_shares(
    boxes: NDArray[np.float64], siblings: NDArray[np.float64], parents: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The empty part of each parent's box beside a child's, the side of the split not counted; rows of low, high."""
    low, high = parents[:, :3], parents[:, 3:]
    lengths = high - low
    flat = lengths <= 0  # neither empty nor full: such an axis does not count
    safe = np.where(flat, 1.0, lengths)
    middles = (boxes[:, :3] + boxes[:, 3:]) / 2
    apart = ((siblings[:, :3] + siblings[:, 3:]) / 2 - middles) / safe
    apart[flat] = 0.0
    rows, axes = np.arange(len(boxes)), np.abs(apart).argmax(axis=1)
    reach = boxes.copy()
    # A child with its sibling above it was cut off at its upper side; with equal middles any side will do.
    above = apart[rows, axes] >= 0
    reach[rows[above], 3 + axes[above]] = high[rows[above], axes[above]]
    reach[rows[~above], axes[~above]] = low[rows[~above], axes[~above]]
    filled = np.where(flat, 1.0, (reach[:, 3:] - reach[:, :3]) / safe)
    shares: NDArray[np.float64] = np.clip(1.0 - filled.prod(axis=1), 0.0, 1.0)
    return shares
