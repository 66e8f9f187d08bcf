"""The one plane of a child: which side of the parent's box to cut, and how deep.

Of the sides that may be cut, the one is taken that leaves the box with the least surface. The offset is rounded down,
until the box as queries rebuild it contains the tight one: the same operations on the same numbers.
"""

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.eight import lane
from tumble.core.simd.memory import bits_float, float64_at, float_bits, set_float64
from tumble.hierarchy.boxtree.layout import HIGH, LOW, MOST_IN_CHAIN, SIDE_BIT
from tumble.hierarchy.boxtree.nodes import write_link, write_plane

ALL_AXES = 0b111
WORTH_A_NODE = 0.2
"""of its surface: what a further plane must take from a box to be worth a node of its own; see docs/boxtree.md"""


@inlined_kernel
def least_corner(tight, axis):
    """Return the lower end of a row of eight on an axis, as float64."""
    return np.float64(lane(tight, axis))


@inlined_kernel
def greatest_corner(tight, axis):
    """Return the upper end of a row of eight on an axis, as float64."""
    return -np.float64(lane(tight, 4 + axis))


@inlined_kernel
def best_side(parent, tight, axes):
    """Return axis and side, as in a kind, of the plane that takes most surface, and its share of the whole surface.

    `axes` has a bit for each axis that is allowed.
    """
    x = float64_at(parent, HIGH) - float64_at(parent, LOW)
    y = float64_at(parent, HIGH + 1) - float64_at(parent, LOW + 1)
    z = float64_at(parent, HIGH + 2) - float64_at(parent, LOW + 2)
    best, chosen = -1.0, np.int64(0)
    # what a plane takes from the surface is proportional to the depth of the cut times the sum of the other two sides
    for axis, across in enumerate((y + z, z + x, x + y)):
        if axes >> axis & 1:
            above = (float64_at(parent, HIGH + axis) - greatest_corner(tight, axis)) * across
            below = (least_corner(tight, axis) - float64_at(parent, LOW + axis)) * across
            if above > best:
                best, chosen = above, np.int64(axis)
            if below > best:
                best, chosen = below, np.int64(axis | SIDE_BIT)
    return chosen, best / (x * y + y * z + z * x)


@inlined_kernel
def step_down(offset):
    """Return the next float32 towards zero; the number is positive."""
    # the bits of positive floats, read as integers, are in the order of the floats
    return bits_float(float_bits(offset) - 1)


@inlined_kernel
def cut_off(box, tight, axis_and_side, nodes, node):
    """Write the plane of a node, and make its box, as it will be rebuilt, of its parent's."""
    axis = axis_and_side & 3
    if axis_and_side & SIDE_BIT:
        side, goal = float64_at(box, LOW + axis), least_corner(tight, axis)
        offset = np.float32(max(goal - side, 0.0))
        # the same sum as in queries; a step or two are enough
        while offset > 0.0 and side + np.float64(offset) > goal:
            offset = step_down(offset)
        set_float64(box, LOW + axis, side + np.float64(offset))
    else:
        side, goal = float64_at(box, HIGH + axis), greatest_corner(tight, axis)
        offset = np.float32(max(side - goal, 0.0))
        while offset > 0.0 and side - np.float64(offset) < goal:
            offset = step_down(offset)
        set_float64(box, HIGH + axis, side - np.float64(offset))
    write_plane(nodes, node, offset, axis_and_side)


@inlined_kernel
def cut_further(box, tight, nodes, node, free):
    """Add nodes from `free` on, with a plane each, while that pays; return the last node, and the next that is free."""
    for _ in range(MOST_IN_CHAIN):
        axis_and_side, share = best_side(box, tight, ALL_AXES)
        if not share >= WORTH_A_NODE:
            break
        write_link(nodes, node, ~free, np.int64(0))
        cut_off(box, tight, axis_and_side, nodes, free)
        node = free
        free += 1
    return node, free
