"""Table 1, bytes per node and operations per node pair, and Figure 1, the empty space between a node and its parent.

Boxes of siblings part along one axis, and there each must leave something to the other: that side is not counted
(footnote 1 of the paper), as if the child's box reached to its parent's there. A tree keeps no record of its splits;
the axis is taken to be the one on which the middles of the two boxes are furthest apart, in lengths of the parent's
box."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.operation_counts import boxtree_operations, volume_operations
from tumble.bench.papers.boxtree.contestants import FREE, LEAF_SIZE, STORED, build_boxtree
from tumble.bench.papers.boxtree.published import EMPTY_SHARE, TABLE_1, TOUCHING_SIDES
from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh
from tumble.scenario.tumbling import tumbling_poses

NODES, EMPTINESS = "nodes", "emptiness"
PACKED = "packed tree (fast path)"
PACKED_BOXES = 8
# Where the two objects of the counted query stand: their boxes overlap, and most pairs of nodes lie near the surface.
DISTANCE, STEPS, STEP = 0.8, 7, 2
# Figure 1: which part of the nodes leaves at most so much empty, in percent.
PERCENTS = np.linspace(0, 100, 201)
# As in the paper: binary trees down to single triangles.
SPLIT, LEAVES = "sah", 1


def add_node_costs(mesh: Mesh, study: Study) -> None:
    """Write the rows of Table 1, measured on one mesh."""
    pose = tumbling_poses(DISTANCE, STEPS)[STEP]
    tree = build_boxtree(mesh, FREE)  # one plane per node, as the paper counts
    for overlap in ("axis", "lookup", "sat-lite", "sat"):
        counted = [boxtree_operations(tree, tree, pose, overlap, ahead) for ahead in (False, True)]
        _add_cost(study, f"boxtree, {overlap}", tree.nodes.nbytes / len(tree), tree.nbytes / len(mesh), *counted)
    for name, volume in STORED.items():
        tree = tumble.build(mesh, volume, split="sah", leaf_size=LEAF_SIZE)
        counted = [volume_operations(tree, tree, pose, ahead) for ahead in (False, True)]
        nbytes = (tree.nodes.nbytes + tree.rows.nbytes) / len(tree)
        _add_cost(study, name, nbytes, tree.nbytes / len(mesh), *counted)
    blocks = packed(mesh).blocks
    _add_cost(study, PACKED, blocks.nbytes / (PACKED_BOXES * len(blocks)), blocks.nbytes / len(mesh))


def _add_cost(study: Study, name: str, per_node: float, per_triangle: float, *counted: Any) -> None:
    study.add_values(TABLE_1, name, {"bytes per node": per_node, "bytes per triangle": per_triangle})
    for suffix, operations in zip(("", " ahead"), counted, strict=False):
        study.add_values(TABLE_1, name, {f"worst{suffix}": operations.worst, f"mean{suffix}": operations.mean})


def add_emptiness(name: str, mesh: Mesh, study: Study) -> None:
    """Write how much space the nodes of a mesh's AABB tree leave empty; nothing where it has one node."""
    shares, leaf, touching = emptiness(mesh)
    if not len(shares):
        return
    parts = {"all nodes": shares, "inner": shares[~leaf]}
    study.add_values(name, "", {"triangles": len(mesh), "nodes": len(shares)})
    study.add(name, "all nodes", "touching", float((touching >= TOUCHING_SIDES).mean()))
    for part, found in parts.items():
        if len(found):
            close = float((found <= EMPTY_SHARE).mean())
            study.add_values(name, part, {"median": float(np.median(found)), "close": close})
    below = np.searchsorted(np.sort(shares), PERCENTS / 100, side="right") / len(shares)
    study.add_series(name, "all nodes", "at most", below)


def emptiness(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Of all nodes of a mesh's AABB tree but the root: the empty part, whether it is a leaf, and shared sides."""
    tree = tumble.build(mesh, "aabb", split=SPLIT, leaf_size=LEAVES)
    nodes, boxes = tree.nodes, tree.rows
    children = np.arange(1, len(nodes))
    parents = nodes[children, PARENT]
    is_first = nodes[parents, FIRST] == children
    siblings = np.where(is_first, nodes[children, ESCAPE], nodes[parents, FIRST])
    shares = empty_shares(boxes[children], boxes[siblings], boxes[parents])
    return shares, nodes[children, FIRST] < 0, (boxes[children] == boxes[parents]).sum(axis=1)


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
