"""The boxes of a triangle that is cut into slabs along the longest side of its box; float32, rounded outward.

Why they cover it. Every point of the exact local triangle (see `boxes`) is a mean of its corners with some weights. The
same mean of the rounded corners, float32 numbers between -1 and 1, is nowhere farther than their rounding away: at most
2**-24 + 2**-53 on each axis. So let boxes cover the rounded triangle, and enlarge them.

The planes between slabs are the same numbers for both neighbours, and the outer ones the ends of the triangle: every
point of the rounded triangle is in a slab. The part in a slab is convex. Its corners are corners of the triangle, which
are exact, and places where an edge passes a plane, strictly between its ends. There `p + t * (q - p)` in float64, with
the rounding of t, is wrong by less than 2**-48, as all numbers are below 2. Then the box is rounded to float32, by
at most 2**-24, since no number exceeds 1 + 2**-21. All this together is below `SLACK`.

The triangle's own box contains all of it, so each slab's box may end where that does.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.eight import all_lanes, lane, least, load, store
from tumble.core.simd.memory import float32_at, int32_at, set_float32
from tumble.hierarchy.packed.boxes import FAR, doubled_centre, enclose_triangle

SLACK = 2.0**-22


@inlined_kernel
def coordinate(local, corner, axis):
    """Return a coordinate of a corner, given by the place of its first number."""
    return np.float64(float32_at(local, corner + axis))


@inlined_kernel
def passing(local, p, q, along, plane, axis):
    """Return where on an axis the edge from p to q passes a plane, which is strictly between its ends."""
    start, end = coordinate(local, p, along), coordinate(local, q, along)
    t = (plane - start) / (end - start)
    return coordinate(local, p, axis) + t * (coordinate(local, q, axis) - coordinate(local, p, axis))


@inlined_kernel
def extent_in_slab(local, p, q, along, low, high, axis):
    """Return the least and the greatest coordinate on an axis of the part of an edge in a slab."""
    if coordinate(local, p, along) > coordinate(local, q, along):
        p, q = q, p
    # no part of this edge is in the slab
    if coordinate(local, q, along) < low or coordinate(local, p, along) > high:
        return np.inf, -np.inf
    inside = coordinate(local, p, along) >= low
    one = coordinate(local, p, axis) if inside else passing(local, p, q, along, low, axis)
    inside = coordinate(local, q, along) <= high
    other = coordinate(local, q, axis) if inside else passing(local, p, q, along, high, axis)
    return min(one, other), max(one, other)


@inlined_kernel
def longest_side(box):
    """Return the axis on which a box is longest."""
    # minus the sizes
    x, y, z = lane(box, 0) + lane(box, 4), lane(box, 1) + lane(box, 5), lane(box, 2) + lane(box, 6)
    if x <= y and x <= z:
        return 0
    return 1 if y <= z else 2


@inlined_kernel
def cut_triangle(faces, local, i, boxes, first, count):
    """Write the boxes of a triangle's slabs over its own box, which is at `first`, and behind it."""
    own = load(boxes, first)
    along = longest_side(own)
    p, q, r = 4 * int32_at(faces, 3 * i), 4 * int32_at(faces, 3 * i + 1), 4 * int32_at(faces, 3 * i + 2)
    a, b, c = coordinate(local, p, along), coordinate(local, q, along), coordinate(local, r, along)
    start, end = min(min(a, b), c), max(max(a, b), c)
    for k in range(count):
        below = start + (end - start) * k / count
        # the same expression as `below` of the next slab, so that neighbours share the very number
        above = start + (end - start) * (k + 1) / count if k + 1 < count else end
        row = first + k
        # the triangle's own box first: it has the number, and the slab's may only be smaller
        store(boxes, row, own)
        for axis in range(3):
            d, e = extent_in_slab(local, p, q, along, below, above, axis)
            f, g = extent_in_slab(local, q, r, along, below, above, axis)
            h, j = extent_in_slab(local, r, p, along, below, above, axis)
            low, minus_high = np.float32(min(min(d, f), h) - SLACK), np.float32(-max(max(e, g), j) - SLACK)
            set_float32(boxes, 8 * row + axis, max(low, float32_at(boxes, 8 * row + axis)))
            set_float32(boxes, 8 * row + 4 + axis, max(minus_high, float32_at(boxes, 8 * row + 4 + axis)))


@kernel
def enclose_clipped(faces, local, firsts, boxes, start, stop, bounds):
    """Write the boxes of some triangles as `enclose` does, each from its number in `firsts` on."""
    whole = all_lanes(FAR)
    centres = all_lanes(FAR)
    for i in range(start, stop):
        first, behind = int32_at(firsts, i), int32_at(firsts, i + 1)
        enclose_triangle(faces, local, i, boxes, first)
        if behind > first + 1:
            cut_triangle(faces, local, i, boxes, first, behind - first)
        for row in range(first, behind):
            box = load(boxes, row)
            whole = least(whole, box)
            centres = least(centres, doubled_centre(box))
    store(bounds, np.int64(0), whole)
    store(bounds, np.int64(1), centres)
