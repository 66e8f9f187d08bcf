"""Nodes of the tree of bodies: rows of boxes and links; `node < capacity` is the leaf of the body in that slot.

Inner nodes that are not in use are a chain through their parent links.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import Boxes
from tumble.core.jit import inlined_kernel

Links = NDArray[np.int64]

# Columns of the links, and what they say when there is no such node.
PARENT, LEFT, RIGHT = 0, 1, 2
NONE = -1
ABSENT = -2  # the parent link of a leaf that is not in the tree
# Places in the state.
ROOT, FREE = 0, 1

# A fat box is wider than the body's by this part of the body's largest side, on every side.
FATTENING = 0.1


@inlined_kernel
def fatten(boxes: Boxes, fat: Boxes, slot: int) -> None:
    """Make the fat box of a body's box; it contains the box whatever the rounding, as the margin is not negative."""
    side = 0.0
    for axis in range(3):
        side = max(side, boxes[slot, 3 + axis] - boxes[slot, axis])
    margin = FATTENING * side
    for axis in range(3):
        fat[slot, axis] = boxes[slot, axis] - margin
        fat[slot, 3 + axis] = boxes[slot, 3 + axis] + margin


@inlined_kernel
def contains(fat: Boxes, slot: int, boxes: Boxes) -> bool:
    """Tell whether a body's box lies within its fat box."""
    for axis in range(3):
        if boxes[slot, axis] < fat[slot, axis] or boxes[slot, 3 + axis] > fat[slot, 3 + axis]:
            return False
    return True


@inlined_kernel
def unite(fat: Boxes, node: int, first: int, second: int) -> None:
    """Make the box of a node that of two others together."""
    for axis in range(3):
        fat[node, axis] = min(fat[first, axis], fat[second, axis])
        fat[node, 3 + axis] = max(fat[first, 3 + axis], fat[second, 3 + axis])


@inlined_kernel
def surface_with(fat: Boxes, i: int, j: int) -> float:
    """Return half the surface of the box around two boxes."""
    x = max(fat[i, 3], fat[j, 3]) - min(fat[i, 0], fat[j, 0])
    y = max(fat[i, 4], fat[j, 4]) - min(fat[i, 1], fat[j, 1])
    z = max(fat[i, 5], fat[j, 5]) - min(fat[i, 2], fat[j, 2])
    return x * y + y * z + z * x
