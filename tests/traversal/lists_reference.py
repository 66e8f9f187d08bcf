"""Paper `chip`, Section 3.2, as plain as can be: recursion and Python lists, with one overlap test at a time."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from tumble.core.jit import kernel
from tumble.hierarchy.layout import COUNT, PARENT
from tumble.traversal.every import prepare
from tumble.volume.protocol import into_frame_of_a, overlap_in_frame_of_a


@kernel
def moved_and_compared(volumes_a, i, volumes_b, j, relative, row):
    into_frame_of_a(volumes_b, j, relative, row, 0)
    return overlap_in_frame_of_a(volumes_a, i, row, 0, relative)


class Reference:
    """Traverse two trees as the paper says and remember what was read, moved, compared and met."""

    def __init__(self, tree_a: Any, tree_b: Any, pose_a: Any, pose_b: Any) -> None:
        _, self.a, self.b, poses = prepare(tree_a, tree_b, pose_a, pose_b, method="stack-ahead")._arguments
        self.relative = poses.relative
        self.row = np.empty((1, tree_a.kind.in_frame_of_a.width))
        self.children_a, self.children_b = children_of(tree_a), children_of(tree_b)
        self.reads: list[int] = []
        self.moves: list[int] = []
        self.compared: list[tuple[int, int]] = []
        self.met: list[tuple[int, int]] = []
        self.leaf_pairs: list[tuple[int, int]] = []

    def meets(self, i: int, j: int) -> bool:
        self.compared.append((i, j))
        met = bool(moved_and_compared(self.a.volumes, i, self.b.volumes, j, self.relative, self.row))
        if met:
            self.met.append((i, j))
        return met

    def visit(self, group: list[int], entries: list[int]) -> None:
        """Compare some siblings of b with the nodes of a on their list, then go down in each that has a list."""
        self.moves += group
        lists: dict[int, list[int]] = {j: [] for j in group}
        leaves = [j for j in group if not self.children_b[j]]
        for i in entries:
            self.reads.append(i)
            met = [j for j in group if self.meets(i, j)]
            for j in met:
                if self.children_b[j]:
                    lists[j] += self.children_a[i] or [i]
            self.finish(i, [j for j in met if j in leaves])
        for j in group:
            if lists[j]:
                for siblings in self.groups(self.children_b[j]):
                    self.visit(siblings, lists[j])

    def finish(self, i: int, leaves: list[int]) -> None:
        """Go down in a with leaves of b, all of which overlap i."""
        if not self.children_a[i]:
            self.leaf_pairs += [(i, j) for j in leaves]
        elif leaves:
            for child in self.children_a[i]:
                self.reads.append(child)
                self.finish(child, [j for j in leaves if self.meets(child, j)])

    def groups(self, siblings: list[int]) -> list[list[int]]:
        return [[j] for j in siblings]

    def triangle_tests(self) -> int:
        counts_a, counts_b = self.a.layout.nodes[:, COUNT], self.b.layout.nodes[:, COUNT]
        return sum(int(counts_a[i]) * int(counts_b[j]) for i, j in self.leaf_pairs)


class PairReference(Reference):
    """Two siblings at a time."""

    def groups(self, siblings: list[int]) -> list[list[int]]:
        return [[j for j in two if j is not None] for two in zip_longest(siblings[::2], siblings[1::2])]


def children_of(tree: Any) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in tree.nodes]
    for node, parent in enumerate(tree.nodes[:, PARENT].tolist()):
        if parent >= 0:
            children[parent].append(node)
    return children


def traversed(method: str, *question: Any) -> Reference:
    """Return what a list method must do: `lists` or `lists-pairs`."""
    reference = {"lists": Reference, "lists-pairs": PairReference}[method](*question)
    reference.visit([0], [0])
    return reference
