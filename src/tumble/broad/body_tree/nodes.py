"""Nodes of the tree of bodies, and how they follow the bodies: those that left their fat boxes are put in again.

Nodes are rows of boxes and links; `node < capacity` is the leaf of the body in that slot. Inner nodes come after
`capacity` leaves; those that are not in use are a chain through their parent links.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import Boxes
from tumble.core.jit import inlined_kernel, kernel

# Columns of the links, and what they say when there is no such node.
PARENT, LEFT, RIGHT = 0, 1, 2
NONE = -1
ABSENT = -2  # the parent link of a leaf that is not in the tree
# Places in the state.
ROOT, FREE = 0, 1


class BodyNodes(NamedTuple):
    """The tree, as kernels take it."""

    boxes: Boxes
    """fat ones of bodies, and those around the children of inner nodes"""
    links: NDArray[np.int64]
    state: NDArray[np.int64]


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


@kernel
def follow(boxes: Boxes, nodes: BodyNodes, moved: NDArray[np.int64], limit: int) -> int:
    """Put every body that left its fat box, came or went, where it belongs now; return how many there are.

    If there are more than the limit, nothing is changed.
    """
    fat, links = nodes.boxes, nodes.links
    count = 0
    for slot in range(len(boxes)):
        present = links[slot, PARENT] != ABSENT
        solid = boxes[slot, 0] <= boxes[slot, 3]
        if present != solid or (solid and not contains(fat, slot, boxes)):
            moved[count] = slot
            count += 1
    if count > limit:
        return count
    for k in range(count):
        slot = moved[k]
        if links[slot, PARENT] != ABSENT:
            take_out(nodes, slot)
        if boxes[slot, 0] <= boxes[slot, 3]:
            fatten(boxes, fat, slot)
            put_in(nodes, slot)
    return count


@inlined_kernel
def take_out(nodes: BodyNodes, leaf: int) -> None:
    """Let the leaf's sibling take the place of their parent."""
    links, state = nodes.links, nodes.state
    parent = links[leaf, PARENT]
    links[leaf, PARENT] = ABSENT
    if parent == NONE:
        state[ROOT] = NONE
        return
    sibling = links[parent, LEFT] + links[parent, RIGHT] - leaf
    above = links[parent, PARENT]
    replace_child(nodes, above, parent, sibling)
    links[parent, PARENT] = state[FREE]
    state[FREE] = parent
    refit(nodes, above)


@inlined_kernel
def put_in(nodes: BodyNodes, leaf: int) -> None:
    """Make the leaf the sibling of the node where the tree's surface grows least, as far as a greedy descent tells."""
    fat, links, state = nodes.boxes, nodes.links, nodes.state
    if state[ROOT] == NONE:
        state[ROOT] = leaf
        links[leaf, PARENT] = NONE
        return
    sibling = state[ROOT]
    while links[sibling, LEFT] != NONE:
        united = surface_with(fat, sibling, leaf)
        passed_on = united - surface_with(fat, sibling, sibling)
        left, right = links[sibling, LEFT], links[sibling, RIGHT]
        cost_left = descent_cost(nodes, left, leaf) + passed_on
        cost_right = descent_cost(nodes, right, leaf) + passed_on
        if united < cost_left and united < cost_right:
            break
        sibling = left if cost_left <= cost_right else right
    parent = state[FREE]
    state[FREE] = links[parent, PARENT]
    above = links[sibling, PARENT]
    replace_child(nodes, above, sibling, parent)
    links[parent, LEFT], links[parent, RIGHT] = sibling, leaf
    links[sibling, PARENT] = links[leaf, PARENT] = parent
    refit(nodes, parent)


@inlined_kernel
def descent_cost(nodes: BodyNodes, node: int, leaf: int) -> float:
    """Return the surface that the leaf adds at or below a node: a new parent for a leaf, growth for an inner node."""
    united = surface_with(nodes.boxes, node, leaf)
    return united if nodes.links[node, LEFT] == NONE else united - surface_with(nodes.boxes, node, node)


@inlined_kernel
def replace_child(nodes: BodyNodes, parent: int, child: int, other: int) -> None:
    """Put another node in the place of a child."""
    links = nodes.links
    links[other, PARENT] = parent
    if parent == NONE:
        nodes.state[ROOT] = other
    elif links[parent, LEFT] == child:
        links[parent, LEFT] = other
    else:
        links[parent, RIGHT] = other


@inlined_kernel
def refit(nodes: BodyNodes, node: int) -> None:
    """Fit the boxes from a node up to the root around their children."""
    while node != NONE:
        unite(nodes.boxes, node, nodes.links[node, LEFT], nodes.links[node, RIGHT])
        node = nodes.links[node, PARENT]
