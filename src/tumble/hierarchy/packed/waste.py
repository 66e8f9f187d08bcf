"""How many boxes each triangle gets: one, unless it is so long and thin that its box is mostly empty.

The box of a fan's blade or of a strip across an end cap lies in wait for everything that passes by. Cut into k slabs
(see `pieces`), such a triangle needs boxes of about 1 / k of that surface in all. (M. Ernst, G. Greiner, "Early split
clipping for bounding volume hierarchies", 2007; shared out within a budget as T. Karras, T. Aila, "Fast parallel
construction of high-quality bounding volume hierarchies", 2013, do it.)

Half the surface of a box is compared with the triangle's shadows, its areas seen along the three axes. In ordinary
meshes the shadows are a third or more of it. A sample tells whether a mesh is ordinary, and then nothing is cut: pieces
cost memory, and pairs of triangles are found as often as their pieces meet.
"""

from math import sqrt

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import float32_at, float64_at, int32_at, set_float64, set_int32

SAMPLE = 500
"""triangles, or a few more: an odd step between them goes past patterns of strips and quads"""
FILLED = 0.25
"""where the shadows are a larger part of all boxes' surfaces, nothing is cut"""
WELL_FILLED = 4.0
"""surface that is not called waste, in shadows of the triangle: what cutting would not spare"""
LARGE = 4.0
"""waste for which a triangle is cut in two, in mean shadows of the mesh; nine times as much for three, and so on"""
THINNEST = 64.0
"""shadows of a mesh are taken for at least this part of its boxes: segments have none"""
MOST_PIECES = 64
NARROW = 2.0**-12
"""a triangle whose box is no longer than this, in local units, is not cut: rounding would cover it"""
STEPS = 16
"""of halving, to meet the budget within 2**-16"""


@inlined_kernel
def surfaces(faces, local, i):
    """Return the longest side of a triangle's box, half its surface, and the sum of the triangle's shadows."""
    p, q, r = 4 * int32_at(faces, 3 * i), 4 * int32_at(faces, 3 * i + 1), 4 * int32_at(faces, 3 * i + 2)
    a, b, c = np.float64(float32_at(local, p)), np.float64(float32_at(local, q)), np.float64(float32_at(local, r))
    dx, ex, fx = max(max(a, b), c) - min(min(a, b), c), b - a, c - a
    p, q, r = p + 1, q + 1, r + 1
    a, b, c = np.float64(float32_at(local, p)), np.float64(float32_at(local, q)), np.float64(float32_at(local, r))
    dy, ey, fy = max(max(a, b), c) - min(min(a, b), c), b - a, c - a
    p, q, r = p + 1, q + 1, r + 1
    a, b, c = np.float64(float32_at(local, p)), np.float64(float32_at(local, q)), np.float64(float32_at(local, r))
    dz, ez, fz = max(max(a, b), c) - min(min(a, b), c), b - a, c - a
    shadows = 0.5 * (abs(ey * fz - ez * fy) + abs(ez * fx - ex * fz) + abs(ex * fy - ey * fx))
    return max(max(dx, dy), dz), dx * (dy + dz) + dy * dz, shadows


@kernel
def shadow_to_cut(faces, local, triangles):
    """Return the mean shadow of a sample, or zero when its boxes are filled well enough: then nothing is to be cut."""
    boxes, shadows, seen = 0.0, 0.0, 0
    for i in range(0, triangles, triangles // SAMPLE | 1):
        _, box, shadow = surfaces(faces, local, i)
        boxes += box
        shadows += shadow
        seen += 1
    return max(shadows, boxes / THINNEST) / seen if shadows < FILLED * boxes else 0.0


@inlined_kernel
def more_pieces(root, factor):
    """Return how many pieces a triangle gets beyond the first."""
    return np.int64(min(root * factor, MOST_PIECES - 1.0))


@kernel
def share_pieces(faces, local, triangles, mean, budget, roots, firsts):
    """Share out at most `budget` more boxes; return how many there are then.

    `firsts` gets the number of each triangle's first box, and of the one behind the last; `roots` is room for as many
    numbers as there are triangles.
    """
    more = 0
    for i in range(triangles):
        length, box, shadow = surfaces(faces, local, i)
        waste = box - WELL_FILLED * shadow
        root = sqrt(waste / (LARGE * mean)) if waste > 0.0 and length > NARROW else 0.0
        set_float64(roots, i, root)
        more += more_pieces(root, 1.0)
    factor = 1.0
    if more > budget:
        factor, step = 0.0, 1.0
        for _ in range(STEPS):
            step *= 0.5
            more = 0
            for i in range(triangles):
                more += more_pieces(float64_at(roots, i), factor + step)
            if more <= budget:
                factor += step
    first = np.int64(0)
    for i in range(triangles):
        set_int32(firsts, i, first)
        first += 1 + more_pieces(float64_at(roots, i), factor)
    set_int32(firsts, triangles, first)
    return first
