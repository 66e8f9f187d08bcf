"""The boxes that a packed tree is built from: one for each triangle, float32, local and rounded outward.

Why they are conservative. Let x be the exact local coordinate (vertex - origin) * scale. In float64 the difference is
rounded once, by at most 2**-53 of its size; the product with a power of two is exact unless it falls below 2**-1022,
and then wrong by less than 2**-1074. The nearest float32, a, is therefore less than one step of float32 away from x,
and a step is at most 2**-23 * |a|, or 2**-149 near zero. `a - (2**-23 * |a| + 2**-100)` is at least one step lower, even
after it is rounded. Rounding keeps order, so the lowest corner may be taken from rounded numbers.
"""

import math

import numpy as np

from tumble.hierarchy.packed.lanes import all_lanes, bits_float, doubled_centre, fetch, least, load, store
from tumble.jit import kernel

LARGEST_EXPONENT = 1000
"""of the scale: a mesh of denormal numbers stays smaller than 1, so that nothing overflows"""
STEP = np.float32(2.0**-23)
LEAST_STEP = np.float32(2.0**-100)
TAG = 0x40000000
"""added to the number of a triangle, it makes the bits of a normal float32, for up to 2**30 triangles"""
FAR = np.float32(np.inf)


@kernel
def find_frame(vertices, faces, frame):
    """Write the middle of the used vertices and the scale to frame[0:4]."""
    low_x = low_y = low_z = np.inf
    high_x = high_y = high_z = -np.inf
    for i in range(faces.size):
        k = 3 * np.int64(fetch(faces, i))
        x, y, z = fetch(vertices, k), fetch(vertices, k + 1), fetch(vertices, k + 2)
        low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
        high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    frame[0], frame[1], frame[2] = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), 0.5 * (low_z + high_z)
    size = max(max(high_x - frame[0], frame[0] - low_x), max(high_y - frame[1], frame[1] - low_y))
    size = max(size, max(high_z - frame[2], frame[2] - low_z))
    frame[3] = scale_for(size)


@kernel
def scale_for(size):
    """Return the power of two that brings a size into (0.5, 1]; 1 for a point."""
    if size == 0.0:
        return 1.0
    fraction, exponent = math.frexp(size)
    if fraction == 0.5:
        exponent -= 1
    return math.ldexp(1.0, min(-exponent, LARGEST_EXPONENT))


@kernel
def localise(vertices, frame, local, start, stop):
    """Write vertices in local coordinates, as the nearest float32."""
    x, y, z, scale = frame[0], frame[1], frame[2], frame[3]
    for k in range(start, stop):
        local[4 * k] = np.float32((fetch(vertices, 3 * k) - x) * scale)
        local[4 * k + 1] = np.float32((fetch(vertices, 3 * k + 1) - y) * scale)
        local[4 * k + 2] = np.float32((fetch(vertices, 3 * k + 2) - z) * scale)


@kernel
def enclose(faces, local, boxes, start, stop, room, place):
    """Write the boxes of a range of triangles; the box about them and about their centres go to the room."""
    whole = all_lanes(FAR)
    centres = all_lanes(FAR)
    for i in range(start, stop):
        p = 4 * np.int64(fetch(faces, 3 * i))
        q = 4 * np.int64(fetch(faces, 3 * i + 1))
        r = 4 * np.int64(fetch(faces, 3 * i + 2))
        for axis in range(3):
            a, b, c = fetch(local, p + axis), fetch(local, q + axis), fetch(local, r + axis)
            low, high = min(min(a, b), c), max(max(a, b), c)
            boxes[8 * i + axis] = low - (abs(low) * STEP + LEAST_STEP)
            boxes[8 * i + 4 + axis] = -high - (abs(high) * STEP + LEAST_STEP)
        boxes[8 * i + 3] = bits_float(i + TAG)
        boxes[8 * i + 7] = 0.0
        box = load(boxes, i)
        whole = least(whole, box)
        centres = least(centres, doubled_centre(box))
    store(room, place, whole)
    store(room, place + 1, centres)
