"""A dynamic tree of bodies: each leaf a body in a box somewhat too large, so that small motions change nothing.

    a body that left its fat box is taken out of the tree and put back where it enlarges the tree least
    when many did (or many have since the tree was built), the tree is built anew, top down
    pairs of leaves whose fat boxes meet are remembered; only pairs of bodies that left theirs are looked for again
    the answer is those remembered pairs whose tight boxes meet

Insertion by the surface-area heuristic and the fat boxes are common to the trees of Box2D and Bullet; remembering the
pairs of fat boxes is what molecular dynamics calls a Verlet list. For: nothing that stands still costs more than a
comparison, and bodies that are far apart are never compared. Against: when everything moves far, all is built anew.

See `nodes` for how the tree is stored.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.body_tree.build import build
from tumble.broad.body_tree.nodes import ABSENT, LEFT, NONE, PARENT, RIGHT, ROOT, BodyNodes, follow, surface_with
from tumble.broad.boxes import Boxes, KeyBuffer, boxes_meet, looked_at
from tumble.core.jit import kernel
from tumble.core.keys import LOWER_HALF, Keys
from tumble.core.poll import OFTEN, poll

# Build anew when this part of the bodies left their fat boxes, now or in all since the last build.
MOST_MOVED = 0.125


class Tree:
    """The tree and the remembered pairs; `keys` brings both up to date."""

    def __init__(self) -> None:
        self._buffer = KeyBuffer()
        self.reset()

    def reset(self) -> None:
        """Forget everything: slots have other owners now."""
        self._allocate(0)
        self._reinserted = 0
        self._filters = np.empty((0, 2), np.int64)
        self._remembered = np.empty(0, np.int64)

    def keys(self, boxes: Boxes, filters: NDArray[np.int64]) -> Keys:
        """Return the sorted keys of the pairs of boxes that meet and that the filters let through."""
        moved = self._follow(boxes)
        if moved is None or not np.array_equal(filters[: len(self._filters)], self._filters):
            self._remembered = self._look(np.array([[self._nodes.state[ROOT]] * 2]), filters)
        elif len(moved):
            self._remembered = self._renew(moved, filters)
        self._filters = filters.copy()
        return self._buffer.fill(lambda keys: tight_keys(self._remembered, boxes, keys)).copy()

    def _follow(self, boxes: Boxes) -> NDArray[np.int64] | None:
        """Bring the tree up to date; return the slots that were put in anew, or None if all were."""
        limit = int(MOST_MOVED * len(boxes)) - self._reinserted
        if len(boxes) <= self._capacity:
            count = follow(boxes, self._nodes, self._moved, limit)
            if count <= limit:
                self._reinserted += count
                return self._moved[:count]
        else:
            self._allocate(2 * len(boxes))
        order, stack = np.empty(len(boxes), np.int64), np.empty((len(boxes) + 1, 4), np.int64)
        build(boxes, self._nodes, order, stack)
        self._reinserted = 0
        return None

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        links = np.empty((2 * capacity, 3), np.int64)
        self._nodes = BodyNodes(np.empty((2 * capacity, 6)), links, np.array([NONE, NONE]))
        self._moved = np.empty(capacity, np.int64)
        # The depth is at most the number of leaves, and a step down leaves at most two more pairs waiting.
        self._stack = np.empty((4 * capacity + 4, 2), np.int64)

    def _renew(self, moved: NDArray[np.int64], filters: NDArray[np.int64]) -> Keys:
        """Return the remembered keys, with those of the moved bodies replaced."""
        gone = np.zeros(len(filters), bool)
        gone[moved] = True
        kept = self._remembered[~(gone[self._remembered >> 32] | gone[self._remembered & LOWER_HALF])]
        present = moved[self._nodes.links[moved, PARENT] != ABSENT]
        starts = np.stack((present, np.full(len(present), self._nodes.state[ROOT])), axis=1)
        found = np.unique(self._look(starts, filters))  # two that moved have found each other twice
        # two sorted runs, which a stable sort only merges
        return np.sort(np.concatenate((kept, found)), kind="stable")

    def _look(self, starts: NDArray[np.int64], filters: NDArray[np.int64]) -> Keys:
        if self._nodes.state[ROOT] == NONE:
            return np.empty(0, np.int64)

        def fill(keys: Keys) -> int:
            return meeting_leaves(starts, self._nodes, filters, self._stack, keys)

        return np.sort(self._buffer.fill(fill))


@kernel
def meeting_leaves(
    starts: NDArray[np.int64], nodes: BodyNodes, filters: NDArray[np.int64], stack: NDArray[np.int64], keys: Keys
) -> int:
    """Write the keys of all pairs of leaves below the starting pairs of nodes whose boxes meet; return their number.

    A node paired with itself stands for all pairs below it, each once.
    """
    fat, links = nodes.boxes, nodes.links
    count = steps = 0
    for start in range(len(starts)):
        stack[0, 0], stack[0, 1] = starts[start, 0], starts[start, 1]
        top = 1
        while top > 0:
            steps += 1
            if steps & OFTEN == 0 and poll(count) != 0:
                return count
            top -= 1
            a, b = stack[top, 0], stack[top, 1]
            if a == b:
                if links[a, LEFT] != NONE:
                    left, right = links[a, LEFT], links[a, RIGHT]
                    stack[top, 0], stack[top, 1] = left, right
                    stack[top + 1, 0], stack[top + 1, 1] = left, left
                    stack[top + 2, 0], stack[top + 2, 1] = right, right
                    top += 3
                continue
            if not boxes_meet(fat, a, fat, b):
                continue
            if links[a, LEFT] == NONE and links[b, LEFT] == NONE:
                if looked_at(filters, a, filters, b):
                    if count < len(keys):
                        keys[count] = min(a, b) << 32 | max(a, b)
                    count += 1
                continue
            if links[a, LEFT] == NONE or (links[b, LEFT] != NONE and surface_with(fat, b, b) > surface_with(fat, a, a)):
                a, b = b, a
            stack[top, 0], stack[top, 1] = links[a, LEFT], b
            stack[top + 1, 0], stack[top + 1, 1] = links[a, RIGHT], b
            top += 2
    return count


@kernel
def tight_keys(remembered: Keys, boxes: Boxes, keys: Keys) -> int:
    """Write those of the remembered keys whose tight boxes meet, in their order; return their number."""
    count = 0
    for k in range(len(remembered)):
        if boxes_meet(boxes, remembered[k] >> 32, boxes, remembered[k] & LOWER_HALF):
            if count < len(keys):
                keys[count] = remembered[k]
            count += 1
    return count
