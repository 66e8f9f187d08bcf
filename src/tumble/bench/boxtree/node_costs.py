"""Table 1: bytes a node and operations a node pair, ours measured and counted, for every kind of tree that there is."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import tumble
from tumble.bench.boxtree.contestants import FREE, LEAF_SIZE, OVERLAPS, STORED, build_boxtree
from tumble.bench.boxtree.records import NodeCost
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh
from tumble.scenario.tumbling import tumbling_poses

PACKED = "packed tree (fast path)"
PACKED_BOXES = 8
# Where the two objects of the counted query stand: their boxes overlap, and most pairs of nodes lie near the surface.
DISTANCE, STEPS, STEP = 0.8, 7, 2

Counter = Callable[[bool], Any]


def node_costs(mesh: Mesh) -> list[NodeCost]:
    """The rows of Table 1, measured on one mesh."""
    boxtree = build_boxtree(mesh, FREE)  # one plane a node, as the paper counts
    stored = {name: tumble.build(mesh, volume, split="sah", leaf_size=LEAF_SIZE) for name, volume in STORED.items()}
    counts, pose = _counters(), tumbling_poses(DISTANCE, STEPS)[STEP]
    size = boxtree.nodes.nbytes / len(boxtree), boxtree.nbytes / len(mesh)
    costs = [
        _row(f"boxtree, {overlap}", *size, counts and _along_boxtree(counts, boxtree, pose, overlap))
        for overlap in ("axis", "lookup", "sat-lite", "sat")
        if overlap in OVERLAPS
    ]
    for name, tree in stored.items():
        nbytes = (tree.nodes.nbytes + tree.rows.nbytes) / len(tree)
        costs.append(_row(name, nbytes, tree.nbytes / len(mesh), counts and _along_volumes(counts, tree, pose)))
    blocks = packed(mesh).blocks
    costs.append(NodeCost(PACKED, blocks.nbytes / (PACKED_BOXES * len(blocks)), blocks.nbytes / len(mesh)))
    return costs


def _counters() -> Any:
    """The module that counts operations, or None where it is missing."""
    try:
        return import_module("tumble.bench.operation_counts")
    except ImportError:
        return None


def _along_boxtree(counts: Any, tree: Any, pose: Any, overlap: str) -> Counter:
    return lambda ahead: counts.boxtree_operations(tree, tree, pose, overlap, ahead)


def _along_volumes(counts: Any, tree: Any, pose: Any) -> Counter:
    return lambda ahead: counts.volume_operations(tree, tree, pose, ahead)


def _row(name: str, nbytes: float, nbytes_a_triangle: float, count: Counter | None) -> NodeCost:
    if count is None:
        return NodeCost(name, nbytes, nbytes_a_triangle)
    each, ahead = count(False), count(True)
    return NodeCost(name, nbytes, nbytes_a_triangle, each.worst, each.mean, ahead.worst, ahead.mean)
