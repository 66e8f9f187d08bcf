"""The tree of bodies, built top down: each time the space of the centres is halved along its longest side."""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.body_tree.nodes import ABSENT, FREE, LEFT, NONE, PARENT, RIGHT, ROOT, BodyNodes, fatten, unite
from tumble.broad.boxes import Boxes
from tumble.core.jit import inlined_kernel, kernel


@kernel
def build(boxes: Boxes, nodes: BodyNodes, order: NDArray[np.int64], stack: NDArray[np.int64]) -> None:
    """Build the tree over all boxes that are not NOWHERE; `order` and `stack` are memory to work in."""
    fat, links, state = nodes.boxes, nodes.links, nodes.state
    capacity = len(links) // 2
    count = 0
    for slot in range(capacity):
        links[slot, PARENT], links[slot, LEFT] = ABSENT, NONE
        if slot < len(boxes) and boxes[slot, 0] <= boxes[slot, 3]:
            fatten(boxes, fat, slot)
            order[count] = slot
            count += 1
    state[ROOT] = NONE
    inner = capacity
    top = 0
    if count > 0:
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, count, NONE, LEFT
        top = 1
    while top > 0:
        top -= 1
        start, stop, parent, side = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        node = order[start]
        if stop - start > 1:
            node = inner
            inner += 1
            middle = halve(boxes, order, start, stop)
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = start, middle, node, LEFT
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = middle, stop, node, RIGHT
            top += 1
        links[node, PARENT] = parent
        if parent == NONE:
            state[ROOT] = node
        else:
            links[parent, side] = node
    # children were made after their parents
    for node in range(inner - 1, capacity - 1, -1):
        unite(fat, node, links[node, LEFT], links[node, RIGHT])
    state[FREE] = NONE
    for node in range(inner, 2 * capacity):
        links[node, PARENT] = state[FREE]
        state[FREE] = node


@inlined_kernel
def halve(boxes: Boxes, order: NDArray[np.int64], start: int, stop: int) -> int:
    """Part a range of the order where its centres spread most, in the middle; return where the second part starts.

    The centres are taken twice, so that nothing is rounded more than once.
    """
    low_x = low_y = low_z = np.inf
    high_x = high_y = high_z = -np.inf
    for k in range(start, stop):
        slot = order[k]
        x, y, z = boxes[slot, 0] + boxes[slot, 3], boxes[slot, 1] + boxes[slot, 4], boxes[slot, 2] + boxes[slot, 5]
        low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
        high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    axis, widest, threshold = 0, high_x - low_x, 0.5 * (low_x + high_x)
    if high_y - low_y > widest:
        axis, widest, threshold = 1, high_y - low_y, 0.5 * (low_y + high_y)
    if high_z - low_z > widest:
        axis, widest, threshold = 2, high_z - low_z, 0.5 * (low_z + high_z)
    middle = start
    for k in range(start, stop):
        slot = order[k]
        if boxes[slot, axis] + boxes[slot, 3 + axis] < threshold:
            order[k], order[middle] = order[middle], slot
            middle += 1
    return middle if start < middle < stop else (start + stop) // 2
