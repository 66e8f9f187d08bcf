"""How many tumbled nodes a list traversal must move: counted by a plain walk of its own, node by node.

A node of b is reached when its parent's volume overlaps anything in its parent's list. A traversal that moves each of
those nodes once counts as many moves as nodes are reached; one that moves a node twice counts more.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.traversal.query import Query
from tumble.volume.protocol import into_frame_of_a, overlap_in_frame_of_a


@kernel
def overlaps_of(volumes_a, candidates, volumes_b, j, relative, row, met):  # type: ignore[no-untyped-def]
    """Note which candidates of a overlap node j of b."""
    into_frame_of_a(volumes_b, j, relative, row, 0)
    for entry in range(candidates.shape[0]):
        met[entry] = overlap_in_frame_of_a(volumes_a, candidates[entry], row, 0, relative)


def nodes_reached(query: Query) -> int:
    """Return how many different nodes of b the query of a list traversal has to look at."""
    method, a, b, poses = query._arguments
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    row = np.empty_like(method.rows)
    reached: set[int] = set()
    waiting = [(0, np.zeros(1, np.int64))]
    while waiting:
        node, candidates = waiting.pop()
        reached.add(node)
        if nodes_b[node, FIRST] < 0:
            continue
        met = np.empty(len(candidates), np.bool_)
        overlaps_of(a.volumes, candidates, b.volumes, np.int64(node), poses.relative, row, met)
        below = _below(nodes_a, candidates[met])
        if len(below):
            waiting.extend((child, below) for child in _children(nodes_b, node))
    return len(reached)


def _below(nodes: NDArray[Any], overlapping: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the children of nodes, and leaves themselves: the list for the next level."""
    found: list[int] = []
    for node in overlapping.tolist():
        found.extend(_children(nodes, node) if nodes[node, FIRST] >= 0 else (node,))
    return np.array(found, np.int64)


def _children(nodes: NDArray[Any], node: int) -> Iterator[int]:
    child, end = int(nodes[node, FIRST]), int(nodes[node, ESCAPE])
    while child != end:
        yield child
        child = int(nodes[child, ESCAPE])
