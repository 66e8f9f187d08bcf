"""The boxes that a packed tree is built from: one for each triangle, float32, local and rounded outward.

Long thin triangles may get several: see `clipped`.

A box is one row of eight numbers: low x, y, z, tag, -high x, -y, -z, 0. With the upper corner negated, one minimum
enlarges a box in all six directions, and one sum of the row with its halves swapped gives (minus) all three sizes. The
tag is a triangle's number, as the bits of a normal float: arithmetic on that lane has no meaning, but is not slow
either.

Why they are conservative. Let x be the exact local coordinate (vertex - origin) * scale. In float64 the difference is
rounded once, by at most 2**-53 of its size; the product with a power of two is exact unless it falls below 2**-1022,
and then wrong by less than 2**-1074. The nearest float32, a, is therefore less than one step of float32 away from x,
and a step is at most 2**-23 * |a|, or 2**-149 near zero. `a - (2**-23 * |a| + 2**-100)` is at least one step lower,
even after it is rounded. Rounding keeps order, so the lowest corner may be taken from rounded numbers.

Kernels of the builder take addresses: one signature for writable and read-only arrays, and no cost per array.
"""

import math
from typing import Any

import numpy as np
from numba import types

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.eight import all_lanes, eight, least, load, store
from tumble.core.simd.memory import bits_float, float32_at, float64_at, instruction, int32_at, set_float32, set_float64
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector

LARGEST_EXPONENT = 1000
"""of the scale: a mesh of denormal numbers stays smaller than 1, so that nothing overflows"""
STEP = np.float32(2.0**-23)
LEAST_STEP = np.float32(2.0**-100)
TAG = 0x40000000
"""added to the number of a triangle, it makes the bits of a normal float32, for up to 2**29 triangles"""
FAR = np.float32(np.inf)
ORIGIN, SCALE = 0, 3
"""places in the four numbers of a frame"""


def _row(builder: Any, value: Any) -> tuple[Vector, Vector]:
    """Return a row, and the same with its halves swapped."""
    row = Vector(Lanes(builder, EIGHT_FLOATS), value)
    return row, row.shuffled((4, 5, 6, 7, 0, 1, 2, 3))


@instruction(eight(eight))
def doubled_centre(builder: Any, box: Any) -> Any:
    """Return low + high in lanes 0 to 2 and its negative in lanes 4 to 6, so that `least` bounds centres both ways."""
    row, swapped = _row(builder, box)
    return (row - swapped).value


@instruction(types.float32(eight))
def half_area(builder: Any, box: Any) -> Any:
    """Return half the surface of a box."""
    row, swapped = _row(builder, box)
    # minus the sizes: the signs cancel in the products
    sizes = row + swapped
    x, y, z = (sizes.lane(k) for k in range(3))
    return builder.fadd(builder.fmul(x, builder.fadd(y, z)), builder.fmul(y, z))


@instruction(eight(types.float32, eight, types.float32))
def per_span(builder: Any, amount: Any, box: Any, least_span: Any) -> Any:
    """Return an amount divided by the size of a box on each axis, in lanes 0 to 2; zero for sizes below the least."""
    row, swapped = _row(builder, box)
    lanes, spans = row.lanes, -(row + swapped)
    quotients = lanes.spread(amount) / spans
    return lanes.choose(spans > lanes.spread(least_span), quotients, lanes.constant(0.0)).value


@kernel
def scale_of(size):
    """Return the power of two that brings a size into (0.5, 1]; what has none, as a single point, keeps scale 1."""
    if not size > 0.0:
        return 1.0
    fraction, exponent = math.frexp(size)
    return math.ldexp(1.0, min((1 if fraction == 0.5 else 0) - exponent, LARGEST_EXPONENT))


@kernel
def localise(vertices, count, faces, triangles, frame, local):
    """Find the frame, and write the vertices in local coordinates, as the nearest float32, four numbers apart.

    The frame is the middle of the vertices that triangles use, and the scale.
    """
    low_x = low_y = low_z = np.inf
    high_x = high_y = high_z = -np.inf
    # by the corners of faces, not by all vertices: those that no face uses must not enlarge the frame
    for i in range(3 * triangles):
        k = 3 * int32_at(faces, i)
        x, y, z = float64_at(vertices, k), float64_at(vertices, k + 1), float64_at(vertices, k + 2)
        low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
        high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    x, y, z = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), 0.5 * (low_z + high_z)
    size = max(max(high_x - x, x - low_x), max(max(high_y - y, y - low_y), max(high_z - z, z - low_z)))
    set_float64(frame, ORIGIN, x)
    set_float64(frame, ORIGIN + 1, y)
    set_float64(frame, ORIGIN + 2, z)
    scale = scale_of(size)
    set_float64(frame, SCALE, scale)
    for k in range(count):
        set_float32(local, 4 * k, np.float32((float64_at(vertices, 3 * k) - x) * scale))
        set_float32(local, 4 * k + 1, np.float32((float64_at(vertices, 3 * k + 1) - y) * scale))
        set_float32(local, 4 * k + 2, np.float32((float64_at(vertices, 3 * k + 2) - z) * scale))


@inlined_kernel
def write_sides(boxes, row, axis, low, high):
    """Write the ends of a box on an axis, float32, rounded outward: see above."""
    set_float32(boxes, 8 * row + axis, low - (abs(low) * STEP + LEAST_STEP))
    set_float32(boxes, 8 * row + 4 + axis, -high - (abs(high) * STEP + LEAST_STEP))


@inlined_kernel
def write_number(boxes, row, number):
    """Write the number of what a box encloses: it travels with the box, so that moving one row moves both."""
    set_float32(boxes, 8 * row + 3, bits_float(number + TAG))
    set_float32(boxes, 8 * row + 7, np.float32(0.0))


@inlined_kernel
def enclose_triangle(faces, local, i, boxes, row):
    """Write the box of a triangle, with its number, to a row."""
    p, q, r = 4 * int32_at(faces, 3 * i), 4 * int32_at(faces, 3 * i + 1), 4 * int32_at(faces, 3 * i + 2)
    for axis in range(3):
        a, b, c = float32_at(local, p + axis), float32_at(local, q + axis), float32_at(local, r + axis)
        write_sides(boxes, row, axis, min(min(a, b), c), max(max(a, b), c))
    write_number(boxes, row, i)


@kernel
def enclose(faces, local, boxes, start, stop, bounds):
    """Write the boxes of some triangles; the box about them and that about their centres go to `bounds`."""
    whole = all_lanes(FAR)
    centres = all_lanes(FAR)
    for i in range(start, stop):
        enclose_triangle(faces, local, i, boxes, i)
        box = load(boxes, i)
        whole = least(whole, box)
        centres = least(centres, doubled_centre(box))
    store(bounds, np.int64(0), whole)
    store(bounds, np.int64(1), centres)
