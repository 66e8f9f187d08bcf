"""Section 3: what a node has to store for each walk, shown by walks that are given nothing else.

An ordinary stack takes two numbers: where the children of a node begin, and how many there are; children of a node
stand side by side then. The binary stack takes three: left-most child, escape index and ancestor counter, over nodes in
post-indexed order. Both walks are written here for such rows alone, in plain Python. If they visit the same pairs of
nodes in the same order, those numbers are enough.
"""

from collections.abc import Callable
from operator import gt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy import Tree
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, LEVEL, PARENT, RIGHTS, START

Links = NDArray[np.int32]
Visited = list[tuple[int, int]]
Overlap = Callable[[int, int], bool]


class Stored(NamedTuple):
    """The rows of a tree for one walk, and which of the tree's nodes, in pre-order, each row is."""

    rows: Links
    nodes: NDArray[np.int64]

    @property
    def bytes_per_node(self) -> int:
        """What the links of a node take."""
        return self.rows.nbytes // len(self.rows)


def for_ordinary_stack(tree: Tree) -> Stored:
    """Where the children of a node begin, and how many there are; level by level, so that siblings are neighbours."""
    children: list[list[int]] = [[] for _ in range(len(tree))]
    for node, parent in enumerate(tree.nodes[:, PARENT].tolist()):
        if parent >= 0:
            children[parent].append(node)
    order, rows = [0], []
    for node in order:  # grows meanwhile
        rows.append((len(order), len(children[node])))
        order += children[node]
    return Stored(np.array(rows, np.int32), np.array(order))


def for_binary_stack(tree: Tree) -> Stored:
    """Left-most child, escape index, ancestor counter."""
    nodes = tree.postorder.layout.nodes
    place = len(nodes) + tree.nodes[:, LEVEL].astype(np.int64) - tree.nodes[:, ESCAPE]  # see `layout.postorder`
    source = np.empty(len(nodes), np.int64)
    source[place] = np.arange(len(nodes))
    return Stored(np.ascontiguousarray(nodes[:, [FIRST, ESCAPE, RIGHTS]]), source)


def ordinary_walk(a: Stored, b: Stored, overlap: Overlap) -> Visited:
    """Figure 2, descending in a first; pairs by the trees' own nodes."""
    rows_a, rows_b, visited, stack = a.rows.tolist(), b.rows.tolist(), [], [(0, 0)]
    while stack:
        i, j = stack.pop()
        visited.append((int(a.nodes[i]), int(b.nodes[j])))
        if not overlap(*visited[-1]):
            continue
        (first, count), (first_b, count_b) = rows_a[i], rows_b[j]
        if count:
            stack += [(child, j) for child in range(first + count - 1, first - 1, -1)]
        else:
            stack += [(i, child) for child in range(first_b + count_b - 1, first_b - 1, -1)]
    return visited


def binary_walk(a: Stored, b: Stored, overlap: Overlap) -> Visited:
    """Figures 8 and 9, descending in a first; the stack of bits is one integer, a 1 below them all."""
    rows_a, rows_b, visited, bits, i, j = a.rows.tolist(), b.rows.tolist(), [], 1, 0, 0
    while True:
        visited.append((int(a.nodes[i]), int(b.nodes[j])))
        (first, escape, rights), (first_b, escape_b, rights_b) = rows_a[i], rows_b[j]
        if overlap(*visited[-1]) and max(first, first_b) >= 0:
            bits = bits << 1 | (first >= 0)
            i, j = (first, j) if first >= 0 else (i, first_b)
            continue
        up, up_b = 0, 0
        while bits > 1 and (up < rights if bits & 1 else up_b < rights_b):
            up, up_b, bits = up + (bits & 1), up_b + (~bits & 1), bits >> 1
        if bits == 1:
            return visited
        i, j = (escape, j - up_b) if bits & 1 else (i - up, escape_b)


def boxes_overlap(tree: Tree, shift: float) -> Overlap:
    """Whether nodes of a tree and of the same one, shifted along x, overlap as boxes along the axes."""
    boxes, away = _boxes(tree), np.array([shift, 0.0, 0.0])
    still, moved = ([(each + by).tolist() for each in boxes] for by in (np.zeros(3), away))

    def overlap(i: int, j: int) -> bool:
        apart = any(map(gt, still[0][i], moved[1][j])) or any(map(gt, moved[0][j], still[1][i]))
        return not apart

    return overlap


def _boxes(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    corners = tree.mesh.triangles[tree.order]
    starts, counts = tree.nodes[:, START], tree.nodes[:, COUNT]
    parts = [corners[start : start + count] for start, count in zip(starts.tolist(), counts.tolist(), strict=True)]
    return np.array([part.min(axis=(0, 1)) for part in parts]), np.array([part.max(axis=(0, 1)) for part in parts])
