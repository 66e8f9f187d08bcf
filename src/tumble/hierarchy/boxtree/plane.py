"""The one plane of a child: which side of the parent's box to cut, and how deep.

Of the sides that may be cut, the one is taken that leaves the box with the least surface. The offset is rounded down,
until the box as queries rebuild it holds the tight one: the same operations on the same numbers.
"""

import numpy as np

from tumble.hierarchy.boxtree.layout import HIGH, LOW, SIDE_BIT, write_plane
from tumble.hierarchy.packed.lanes import bits_float, float_bits, lane
from tumble.jit import inlined_kernel
from tumble.simd.memory import float64_at, set_float64

ALL_AXES = 0b111


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
    """Return axis and side, as in a kind, of the plane that takes away most surface; `axes`: a bit for each allowed."""
    best, chosen = -1.0, np.int64(0)
    for axis in range(3):
        if axes >> axis & 1:
            next_axis, last_axis = (axis + 1) % 3, (axis + 2) % 3
            across = float64_at(parent, HIGH + next_axis) - float64_at(parent, LOW + next_axis)
            across += float64_at(parent, HIGH + last_axis) - float64_at(parent, LOW + last_axis)
            above = (float64_at(parent, HIGH + axis) - greatest_corner(tight, axis)) * across
            below = (least_corner(tight, axis) - float64_at(parent, LOW + axis)) * across
            if above > best:
                best, chosen = above, np.int64(axis)
            if below > best:
                best, chosen = below, axis | SIDE_BIT
    return chosen


@inlined_kernel
def step_down(offset):
    """Return the next float32 towards zero; the number is positive."""
    return bits_float(float_bits(offset) - 1)


@inlined_kernel
def cut_off(parent, tight, axis_and_side, nodes, node, box):
    """Write the plane of a child, and its box as it will be rebuilt."""
    axis, upper = axis_and_side & 3, axis_and_side & SIDE_BIT
    for k in range(6):
        set_float64(box, k, float64_at(parent, k))
    if upper:
        side, goal = float64_at(parent, LOW + axis), least_corner(tight, axis)
        offset = np.float32(max(goal - side, 0.0))
        while offset > 0.0 and side + np.float64(offset) > goal:
            offset = step_down(offset)
        set_float64(box, LOW + axis, side + np.float64(offset))
    else:
        side, goal = float64_at(parent, HIGH + axis), greatest_corner(tight, axis)
        offset = np.float32(max(side - goal, 0.0))
        while offset > 0.0 and side - np.float64(offset) < goal:
            offset = step_down(offset)
        set_float64(box, HIGH + axis, side - np.float64(offset))
    write_plane(nodes, node, offset, axis_and_side)
