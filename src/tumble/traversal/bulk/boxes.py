"""Boxes of nodes, eight at a time, and two leaves: from nodes to triangles, and what of it is a leaf pair.

Leaf pairs are pairs of triangles whose float64 boxes share a point. Where float32 boxes share more than their surfaces,
or triangles a vertex, they do for sure; where float32 boxes just touch, vertices decide. Of two triangles of one
mesh, the lower number comes first, and those that share a vertex of the mesh are left out unless they are wanted.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import INT64
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector

FLOAT_BYTES = 4
LOW_HALF = np.uint64(0xFFFFFFFF)
# Marks of devices: of uncertain pairs, and of pairs to be dropped.
UNSURE = np.uint64(1 << 63)
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)


def _test(name: str, apart: Callable[[Vector, Vector], Any]) -> Any:
    """Make a test of one box against eight from a comparison that tells when one ends before the other begins."""

    @intrinsic
    def test(typing_context, boxes, stride, node, lx, ly, lz, hx, hy, hz):
        def generate(context, builder, signature, arguments):
            boxes, stride, node, *box = arguments
            lanes = Lanes(builder, EIGHT_FLOATS)
            separated = []
            for axis in range(3):
                low, high = (_field(lanes, boxes, stride, node, k) for k in (axis, 3 + axis))
                separated += [apart(low, lanes.spread(box[3 + axis])), apart(lanes.spread(box[axis]), high)]
            return lanes.bits(builder.not_(lanes.any_of(separated)))

        return types.int64(*3 * (types.int64,), *6 * (types.float32,)), generate

    test.__name__ = name
    return test


def _field(lanes: Lanes, boxes: Any, stride: Any, node: Any, field: int) -> Vector:
    """Read one of the six fields of eight nodes, which begin at any multiple of four bytes."""
    builder = lanes.builder
    place = builder.add(builder.mul(stride, INT64(field)), node)
    return lanes.load(builder.add(boxes, builder.mul(place, INT64(FLOAT_BYTES))), 0, align=FLOAT_BYTES)


# Both take the address of the boxes, how many there are in each of the six rows, the first node of the eight, and the
# box: lowest x, y, z, highest x, y, z. They return a bit for each of the eight.
boxes_meeting = _test("boxes_meeting", Vector.__gt__)
"""which boxes share a point with this one"""
boxes_crossing = _test("boxes_crossing", Vector.__ge__)
"""which boxes share more than their surfaces with this one"""


@inlined_kernel
def lowest(vertices, corners, i, column):
    """Return the least number in a column of the vertices of a triangle."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    return min(min(vertices[p, column], vertices[q, column]), vertices[r, column])


@inlined_kernel
def highest(vertices, corners, i, column):
    """Return the greatest number in a column of the vertices of a triangle."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    return max(max(vertices[p, column], vertices[q, column]), vertices[r, column])


@kernel
def exact_boxes_meet(vertices, corners, i, j):
    """Tell whether the float64 boxes of the triangles of two leaves share a point.

    Vertices are points, (v, 3), or boxes, (v, 6).
    """
    for axis in range(3):
        upper = vertices.shape[1] - 3 + axis
        # early exits: boxes come here that touch along one axis, and may be apart along another
        if highest(vertices, corners, i, upper) < lowest(vertices, corners, j, axis):
            return False
        if highest(vertices, corners, j, upper) < lowest(vertices, corners, i, axis):
            return False
    return True


@inlined_kernel
def share_a_vertex(corners, i, j):
    """Tell whether the triangles of two leaves name a common vertex."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    x, y, z = corners[j, 0], corners[j, 1], corners[j, 2]
    return (
        (p == x) | (p == y) | (p == z) | (q == x) | (q == y) | (q == z) | (r == x) | (r == y) | (r == z)
    )  # fmt: skip


@inlined_kernel
def ordered_key(i, j, same):
    """Return a pair of triangles as one number, the lower triangle first if they are of one mesh."""
    if same and j < i:
        return np.int64(j) << 32 | np.int64(i)
    return np.int64(i) << 32 | np.int64(j)


@kernel
def keep_leaves(found, vertices, faces):
    """Move the leaf pairs among those that a device found to the front, without marks.

    Return how many there are, of how many the device was not certain, and how many of those are none.
    """
    count = unsure = lost = 0
    for k in range(found.shape[0]):
        key = found[k]
        if key == NOTHING:
            continue
        if key & UNSURE != 0:
            unsure += 1
            key &= ~UNSURE
            if not exact_boxes_meet(vertices, faces, np.int64(key >> np.uint64(32)), np.int64(key & LOW_HALF)):
                lost += 1
                continue
        found[count] = key
        count += 1
    return count, unsure, lost
