"""What the links of a tree are, in plain Python from its parent list: definitions, not algorithms.

Nodes go by their numbers in the parent list; `preorder_of` and `postorder_of` say where they stand in each layout.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tumble import Mesh, Tree


class Definitions:
    """Children from left to right by number, and every link as the papers define it."""

    def __init__(self, parents: list[int]) -> None:
        self.parents = parents
        self.children: list[list[int]] = [[] for _ in parents]
        for node, parent in enumerate(parents):
            if parent >= 0:
                self.children[parent].append(node)
        self.root = parents.index(-1)

    def level(self, node: int) -> int:
        steps = 0
        while self.parents[node] >= 0:
            node, steps = self.parents[node], steps + 1
        return steps

    def is_right(self, node: int) -> bool:
        """The last child of its parent; an only child too, the root not."""
        return self.parents[node] >= 0 and self.children[self.parents[node]][-1] == node

    def right_child_level(self, node: int) -> int:
        chain = 0
        while self.is_right(node):
            node, chain = self.parents[node], chain + 1
        return chain

    def escape(self, node: int) -> int | None:
        """The next sibling, or that of the first ancestor that has one; None at the end."""
        while self.is_right(node):
            node = self.parents[node]
        if self.parents[node] < 0:
            return None
        siblings = self.children[self.parents[node]]
        return siblings[siblings.index(node) + 1]

    def preorder(self) -> list[int]:
        """Node, then children from left to right."""
        return self._walk(leftmost_first=True)

    def postindexed(self) -> list[int]:
        """A post-order (children from left to right, then their parent) read backwards."""
        return self._walk(leftmost_first=False)

    def _walk(self, leftmost_first: bool) -> list[int]:
        found, waiting = [], [self.root]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += self.children[node][::-1] if leftmost_first else self.children[node]
        return found

    def leaves(self) -> list[int]:
        return [node for node, below in enumerate(self.children) if not below]

    def rows(self, sequence: list[int]) -> list[tuple[int, int, int, int, int, int]]:
        """First child, escape, parent, level, right and right-child level, nodes standing in the given sequence."""
        place: dict[int | None, int] = {node: k for k, node in enumerate(sequence)}
        place[None] = len(sequence)
        return [
            (
                place[self.children[node][0]] if self.children[node] else -1,
                place[self.escape(node)],
                place[self.parents[node]] if self.parents[node] >= 0 else -1,
                self.level(node),
                int(self.is_right(node)),
                self.right_child_level(node),
            )
            for node in sequence
        ]


def tree_over(parents: list[int], volume: str = "aabb", per_leaf: int = 1) -> Tree:
    """A tree of this shape with `per_leaf` triangles in each leaf."""
    leaf_of = [leaf for leaf in Definitions(parents).leaves() for _ in range(per_leaf)]
    count = len(leaf_of)
    # small multiples of a corner, no two alike, all exact
    vertices = [[k % 7, (k * k) % 11, k] for k in range(3 * count)]
    return Tree.from_parents(
        Mesh(vertices, [[3 * k, 3 * k + 1, 3 * k + 2] for k in range(count)]), parents, leaf_of, volume
    )


@st.composite
def parent_lists(draw: st.DrawFn, most: int = 40) -> list[int]:
    """Trees of all shapes (each node hangs on any before it, often on the last), with their numbers shuffled."""
    count = draw(st.integers(1, most))
    back = draw(st.sampled_from([1, 2, 5, most]))
    parents = [-1] + [k - draw(st.integers(1, min(k, back))) for k in range(1, count)]
    names = draw(st.permutations(range(count)))
    shuffled = [0] * count
    for node, parent in enumerate(parents):
        shuffled[names[node]] = names[parent] if parent >= 0 else -1
    return shuffled


HANDMADE = {
    "single": [-1],
    "only child": [-1, 0],
    "pair": [-1, 0, 0],
    "paper": [-1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
    "left heavy": [-1, 0, 1, 2, 3, 3, 2, 1, 0],
    "right heavy": [-1, 0, 0, 2, 2, 4, 4, 6, 6],
    "star": [-1] + [0] * 9,
    "only children inside": [-1, 0, 0, 1, 2, 3, 4, 4, 7, 8],
    "root last": [4, 4, 4, 0, -1, 0, 3],
}
