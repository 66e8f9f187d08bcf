"""Is this a tree over this mesh? Links in both layouts, triangle order and containment, checked without any kernel.

Links are checked from the definitions alone, over whole columns. Nodes stand before their children in both layouts. In
pre-order a subtree starts with its left-most child, right after its root; post-indexed, with its right-most child. A
left child escapes to its next sibling, a right child to where its parent escapes, the root to one past the last node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.layout import COLUMNS, COUNT, ESCAPE, FIRST, LEVEL, PARENT, RIGHT, RIGHTS, START

if TYPE_CHECKING:
    from tumble.hierarchy.tree import Tree

Column = NDArray[np.int64]


def validate(tree: Tree) -> None:
    """Check a tree and both its layouts; raise TreeError at the first fault."""
    _check_shapes(tree)
    if len(tree) == 0:
        return
    validate_links(tree.nodes)
    validate_ranges(tree.nodes, len(tree.order))
    validate_links(tree.postorder.layout.nodes, post_indexed=True)
    _check_containment(tree)


def _check_shapes(tree: Tree) -> None:
    count = len(tree.nodes)
    if tree.nodes.shape != (count, COLUMNS) or tree.rows.shape != (count, tree.kind.width):
        raise TreeError(f"nodes of shape {tree.nodes.shape} and volumes of shape {tree.rows.shape} do not fit")
    tree._check_triangles()
    sound = tree.kind.sound(tree.rows, tree.mesh.extent)
    if not sound.all():
        raise TreeError(f"node {int(np.argmin(sound))} has a volume that is not finite, or far larger than the mesh")


def _check_containment(tree: Tree) -> None:
    """Check level by level that each node's volume contains the corners of its triangles."""
    corners = tree.mesh.triangles[tree.order]
    for nodes in nodes_by_level(tree.nodes):
        counts = tree.nodes[nodes, COUNT]
        owner = np.repeat(nodes, counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = tree.nodes[owner, START] + offsets
        good = tree.kind.contains(tree.rows[owner][:, None, :], corners[places]).all(axis=1)
        if not good.all():
            worst = int(np.argmin(good))
            raise TreeError(f"node {owner[worst]} does not contain its triangle {tree.order[places[worst]]}")


def validate_links(nodes: NDArray[np.int32], post_indexed: bool = False) -> None:
    """Check the links of at least one node in pre-order, or post-indexed; raise TreeError at the first fault."""
    columns = nodes.astype(np.int64)
    _check_root(columns)
    _check_upward(columns)
    _check_siblings(columns)
    _check_places(columns, post_indexed)


def _require(good: NDArray[np.bool_], nodes: Column, message: Callable[[int], str]) -> None:
    if not good.all():
        node = int(nodes[int(np.argmin(good))])
        raise TreeError(f"node {node} {message(node)}")


def _check_root(columns: Column) -> None:
    root = columns[0]
    expected = {ESCAPE: len(columns), PARENT: -1, LEVEL: 0, RIGHT: 0, RIGHTS: 0}
    for column, value in expected.items():
        if root[column] != value:
            raise TreeError(f"the root has {root[column]} in column {column}, not {value}")


def _check_upward(columns: Column) -> None:
    """Parent, level, right mark and right-child level follow from the parent."""
    nodes = np.arange(1, len(columns))
    parent = columns[1:, PARENT]
    _require((parent >= 0) & (parent < nodes), nodes, lambda i: f"has parent {columns[i, PARENT]}")
    level, right = columns[1:, LEVEL], columns[1:, RIGHT]
    _require(level == columns[parent, LEVEL] + 1, nodes, lambda i: f"has level {columns[i, LEVEL]}")
    _require((right == 0) | (right == 1), nodes, lambda i: f"has right-child mark {columns[i, RIGHT]}")
    rights = np.where(right == 1, columns[parent, RIGHTS] + 1, 0)
    _require(columns[1:, RIGHTS] == rights, nodes, lambda i: f"has right-child level {columns[i, RIGHTS]}")


def _check_siblings(columns: Column) -> None:
    """Every node but the root is named once, as a first child or as the next sibling of a left child."""
    count = len(columns)
    nodes = np.arange(1, count)
    parent, right, escape = columns[1:, PARENT], columns[1:, RIGHT] == 1, columns[1:, ESCAPE]
    inner = np.zeros(count, bool)
    inner[parent] = True
    childless = np.where(inner, columns[:, FIRST] >= 0, columns[:, FIRST] == -1)
    _require(childless, np.arange(count), lambda i: f"has first child {columns[i, FIRST]}")
    rights = np.bincount(parent[right], minlength=count)
    _require(rights == inner, np.arange(count), lambda i: f"has {rights[i]} right children")
    followed = np.where(right, columns[parent, ESCAPE], escape)
    _require(escape == followed, nodes, lambda i: f"escapes to {columns[i, ESCAPE]}, not where its parent escapes")
    left = nodes[~right]
    next_sibling = columns[left, ESCAPE]
    good = (next_sibling > 0) & (next_sibling < count)
    good[good] = columns[next_sibling[good], PARENT] == columns[left[good], PARENT]
    _require(good, left, lambda i: f"escapes to {columns[i, ESCAPE]}, which is not its sibling")
    first = columns[inner, FIRST]
    owners = np.flatnonzero(inner)
    good = (first > 0) & (first < count)
    good[good] = columns[first[good], PARENT] == owners[good]
    _require(good, owners, lambda i: f"has first child {columns[i, FIRST]}, which is not its child")
    if not np.array_equal(np.sort(np.concatenate((first, next_sibling))), nodes):
        raise TreeError("a node is named twice, or never, as a first child or a next sibling")


def _check_places(columns: Column, post_indexed: bool) -> None:
    nodes = np.arange(1, len(columns))
    sizes = _subtree_sizes(columns)
    left = nodes[columns[1:, RIGHT] == 0]
    sibling = columns[left, ESCAPE]
    if post_indexed:
        right = nodes[columns[1:, RIGHT] == 1]
        _require(columns[right, PARENT] == right - 1, right, lambda i: "does not stand right after its parent")
        _require(left == sibling + sizes[sibling], left, lambda i: "does not follow its right sibling's subtree")
    else:
        inner = np.flatnonzero(columns[:, FIRST] >= 0)
        _require(columns[inner, FIRST] == inner + 1, inner, lambda i: "does not have its first child right after it")
        _require(sibling == left + sizes[left], left, lambda i: f"escapes to {columns[i, ESCAPE]}, into a subtree")


def _subtree_sizes(columns: Column) -> Column:
    sizes = np.ones(len(columns), np.int64)
    for nodes in nodes_by_level(columns)[:0:-1]:
        np.add.at(sizes, columns[nodes, PARENT], sizes[nodes])
    return sizes


def nodes_by_level(columns: NDArray[np.integer]) -> list[Column]:
    """Return the nodes of each level, from the root down."""
    order = np.argsort(columns[:, LEVEL], kind="stable")
    return np.split(order, np.flatnonzero(np.diff(columns[order, LEVEL])) + 1)


def validate_ranges(nodes: NDArray[np.int32], triangles: int) -> None:
    """Check that every node holds triangles, the root all, and children side by side those of their parent."""
    columns = nodes.astype(np.int64)
    start, stop = columns[:, START], columns[:, START] + columns[:, COUNT]
    if start[0] != 0 or stop[0] != triangles:
        raise TreeError(f"the root holds triangles {start[0]} to {stop[0]}, not all {triangles}")
    everyone = np.arange(len(columns))
    _require(stop > start, everyone, lambda i: "holds no triangle")
    inner = everyone[columns[:, FIRST] >= 0]
    _require(start[columns[inner, FIRST]] == start[inner], inner, lambda i: "does not start with its first child")
    others = everyone[1:]
    left = others[columns[1:, RIGHT] == 0]
    _require(start[columns[left, ESCAPE]] == stop[left], left, lambda i: "does not end where its sibling starts")
    right = others[columns[1:, RIGHT] == 1]
    _require(stop[right] == stop[columns[right, PARENT]], right, lambda i: "does not end with its parent")
