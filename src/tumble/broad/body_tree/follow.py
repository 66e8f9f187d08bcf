"""The tree of bodies follows its bodies: those that left their fat boxes are taken out and put in again."""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.body_tree.nodes import (
    ABSENT,
    FREE,
    LEFT,
    NONE,
    PARENT,
    RIGHT,
    ROOT,
    Links,
    contains,
    fatten,
    surface_with,
    unite,
)
from tumble.broad.boxes import Boxes
from tumble.core.jit import inlined_kernel, kernel


@kernel
def follow(
    boxes: Boxes,
    fat: Boxes,
    links: Links,
    state: NDArray[np.int64],
    moved: NDArray[np.int64],
    limit: int,
) -> int:
    """Put every body that left its fat box, came or went, where it belongs now; return how many there are.

    If there are more than the limit, nothing is changed.
    """
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
            take_out(fat, links, state, slot)
        if boxes[slot, 0] <= boxes[slot, 3]:
            fatten(boxes, fat, slot)
            put_in(fat, links, state, slot)
    return count


@inlined_kernel
def take_out(fat: Boxes, links: Links, state: NDArray[np.int64], leaf: int) -> None:
    """Let the leaf's sibling take the place of their parent."""
    parent = links[leaf, PARENT]
    links[leaf, PARENT] = ABSENT
    if parent == NONE:
        state[ROOT] = NONE
        return
    sibling = links[parent, LEFT] + links[parent, RIGHT] - leaf
    above = links[parent, PARENT]
    replace_child(links, state, above, parent, sibling)
    links[parent, PARENT] = state[FREE]
    state[FREE] = parent
    refit(fat, links, above)


@inlined_kernel
def put_in(fat: Boxes, links: Links, state: NDArray[np.int64], leaf: int) -> None:
    """Make the leaf the sibling of the node where the tree's surface grows least, as far as a greedy descent tells."""
    if state[ROOT] == NONE:
        state[ROOT] = leaf
        links[leaf, PARENT] = NONE
        return
    sibling = state[ROOT]
    while links[sibling, LEFT] != NONE:
        united = surface_with(fat, sibling, leaf)
        passed_on = united - surface_with(fat, sibling, sibling)
        left, right = links[sibling, LEFT], links[sibling, RIGHT]
        cost_left = descent_cost(fat, links, left, leaf) + passed_on
        cost_right = descent_cost(fat, links, right, leaf) + passed_on
        if united < cost_left and united < cost_right:
            break
        sibling = left if cost_left <= cost_right else right
    parent = state[FREE]
    state[FREE] = links[parent, PARENT]
    above = links[sibling, PARENT]
    replace_child(links, state, above, sibling, parent)
    links[parent, LEFT], links[parent, RIGHT] = sibling, leaf
    links[sibling, PARENT] = links[leaf, PARENT] = parent
    refit(fat, links, parent)


@inlined_kernel
def descent_cost(fat: Boxes, links: Links, node: int, leaf: int) -> float:
    """Return the surface that the leaf adds at or below a node: a new parent for a leaf, growth for an inner node."""
    united = surface_with(fat, node, leaf)
    return united if links[node, LEFT] == NONE else united - surface_with(fat, node, node)


@inlined_kernel
def replace_child(links: Links, state: NDArray[np.int64], parent: int, child: int, other: int) -> None:
    """Put another node in the place of a child."""
    links[other, PARENT] = parent
    if parent == NONE:
        state[ROOT] = other
    elif links[parent, LEFT] == child:
        links[parent, LEFT] = other
    else:
        links[parent, RIGHT] = other


@inlined_kernel
def refit(fat: Boxes, links: Links, node: int) -> None:
    """Fit the boxes from a node up to the root around their children."""
    while node != NONE:
        unite(fat, node, links[node, LEFT], links[node, RIGHT])
        node = links[node, PARENT]
