"""Trees of any shape from a list of parents: unbalanced, with many children, with only children.

    Tree.from_parents(mesh, parents=[-1, 0, 0, 2], leaf_of=[1, 3])

is a root (0) with a leaf (1) and an inner node (2) whose only child is a leaf (3); triangle 0 lies in leaf 1 and
triangle 1 in leaf 3. Siblings stand from left to right in the order of their numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.layout import COLUMNS, COUNT, LEVEL, PARENT, RIGHT, START


def nodes_from_parents(triangles: int, parents: Any, leaf_of: Any) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return nodes and triangle order from the parent of each node (-1 at the root) and the leaf of each triangle."""
    from tumble.hierarchy.topdown import complete_links

    up = _indices("parents", parents, -1)
    leaf = _indices("leaf_of", leaf_of, 0, len(up))
    if len(leaf) != triangles:
        raise TreeError(f"leaf_of names a leaf for {len(leaf)} triangles, but the mesh has {triangles}")
    children = _children(up)
    _check_leaves(children, leaf)
    sequence, levels = _preorder(children, int(np.flatnonzero(up < 0)[0]))
    place = np.empty(len(up), np.int64)
    place[sequence] = np.arange(len(up))

    order = np.argsort(place[leaf], kind="stable")
    nodes = np.zeros((len(up), COLUMNS), np.int32)
    nodes[:, LEVEL] = levels
    nodes[:, PARENT] = np.where(up[sequence] < 0, -1, place[up[sequence]])
    for siblings in children:
        if siblings:
            nodes[place[siblings[-1]], RIGHT] = 1
    _add_ranges(nodes, np.bincount(place[leaf], minlength=len(up)))
    complete_links(nodes)
    return nodes, order.astype(np.int32)


def _indices(name: str, values: Any, low: int, stop: int | None = None) -> NDArray[np.int64]:
    """Return a flat list of whole numbers from low to below stop (by default, its own length)."""
    try:
        array = np.array(values)  # a copy: what is checked must not change before it is used
    except (ValueError, TypeError, OverflowError) as error:
        raise TreeError(f"{name} must be a flat list of whole numbers: {error}") from error
    if array.ndim != 1 or not (array.size == 0 or np.issubdtype(array.dtype, np.integer)):
        raise TreeError(f"{name} must be a flat list of whole numbers, not {array.dtype} of shape {array.shape}")
    stop = len(array) if stop is None else stop
    wrong = np.flatnonzero((array < low) | (array >= stop))
    if len(wrong):
        raise TreeError(f"{name}[{wrong[0]}] is {array[wrong[0]]}, outside {low} to {stop - 1}")
    return array.astype(np.int64)


def _children(up: NDArray[np.int64]) -> list[list[int]]:
    roots = np.flatnonzero(up < 0)
    if len(roots) != 1:
        raise TreeError(f"a tree has one root (parent -1), not {len(roots)}: {roots[:5].tolist()}")
    children: list[list[int]] = [[] for _ in up]
    for node, parent in enumerate(up.tolist()):
        if parent >= 0:
            children[parent].append(node)
    return children


def _check_leaves(children: list[list[int]], leaf: NDArray[np.int64]) -> None:
    filled = np.zeros(len(children), bool)
    filled[leaf] = True
    for node, siblings in enumerate(children):
        if siblings and filled[node]:
            triangle = int(np.flatnonzero(leaf == node)[0])
            raise TreeError(f"leaf_of puts triangle {triangle} into node {node}, which has children")
        if not siblings and not filled[node]:
            raise TreeError(f"node {node} has neither children nor triangles")


def _preorder(children: list[list[int]], root: int) -> tuple[list[int], list[int]]:
    sequence, levels, waiting = [], [], [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        sequence.append(node)
        levels.append(level)
        waiting.extend((child, level + 1) for child in reversed(children[node]))
    if len(sequence) != len(children):
        missing = sorted(set(range(len(children))) - set(sequence))
        raise TreeError(f"node {missing[0]} is not connected to the root: its parents run in a circle")
    return sequence, levels


def _add_ranges(nodes: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Fill in the triangle ranges from the number of triangles in each leaf, for nodes in pre-order."""
    nodes[:, START] = np.concatenate(([0], np.cumsum(counts)[:-1]))
    totals = counts.copy()
    for node in range(len(nodes) - 1, 0, -1):
        totals[nodes[node, PARENT]] += totals[node]
    nodes[:, COUNT] = totals
