"""Pairs of bodies whose boxes meet: found in the tree by fat boxes, judged by tight ones."""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.body_tree.nodes import LEFT, NONE, RIGHT, BodyNodes, surface_with
from tumble.broad.boxes import Boxes, boxes_meet, looked_at
from tumble.core.jit import kernel
from tumble.core.keys import LOWER_HALF, Keys
from tumble.core.poll import OFTEN, poll


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
