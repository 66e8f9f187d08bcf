"""How many boxes each triangle gets: one, unless it is so long and thin that its box is mostly empty.

A blade of a fan or a strip across an end cap has a bounding box far larger than the triangle, so it overlaps almost
everything. Clipped to k slabs (see `clipped`), such a triangle needs boxes of about 1 / k of that surface in all. (M.
Ernst, G. Greiner, "Early split clipping for bounding volume hierarchies", 2007; shared out within a budget as T.
Karras, T. Aila, "Fast parallel construction of high-quality bounding volume hierarchies", 2013, do it.)

Half the surface of a box is compared with the triangle's shadows, its areas seen along the three axes. In ordinary
meshes the shadows are a third or more of it. A sample tells whether a mesh is ordinary, and then nothing is clipped:
slabs cost memory, and a pair of triangles is found as often as their slabs meet.

Whether many triangles are long and thin, so that the boxes of leaves are mostly empty, also changes how a query
searches, not what it finds: `share_of_elongated` tells, again by a sample.
"""

from math import sqrt

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, row
from tumble.core.simd.memory import float32_at, float64_at, int32_at, set_float64, set_int32

SAMPLE = 500
"""triangles, or a few more: an odd step between them goes past patterns of strips and quads"""
FILLED = 0.25
"""where the shadows are a larger part of all boxes' surfaces, nothing is clipped"""
WELL_FILLED = 4.0
"""surface that does not count as empty, in shadows of the triangle: what clipping would not save"""
LARGE = 4.0
"""empty surface for which a triangle gets two slabs, in mean shadows of the mesh; four times as much for three, …"""
THINNEST = 64.0
"""shadows of a mesh are taken for at least this part of its boxes: segments have none"""
MOST_SLABS = 64
NARROW = 2.0**-12
"""a triangle whose box is no longer than this, in local units, is not clipped: rounding would undo it"""
STEPS = 16
"""of halving, to meet the budget within 2**-16"""
LONG_SAMPLE = 1000
LONG = 4.0
"""the square of the longest edge, in areas of the parallelogram that a triangle is half of; 1.15 when equilateral"""
SHARE = 0.3
"""of long and thin triangles, from which on a mesh counts as elongated"""


@inlined_kernel
def extent_and_edges(local, p, q, r):
    """Return how long a triangle is on an axis, and its two edges from p there, by the places of coordinates."""
    a, b, c = np.float64(float32_at(local, p)), np.float64(float32_at(local, q)), np.float64(float32_at(local, r))
    return max(max(a, b), c) - min(min(a, b), c), b - a, c - a


@inlined_kernel
def surfaces(faces, local, i):
    """Return the longest side of a triangle's box, half its surface, and the sum of the triangle's shadows."""
    p, q, r = 4 * int32_at(faces, 3 * i), 4 * int32_at(faces, 3 * i + 1), 4 * int32_at(faces, 3 * i + 2)
    dx, ex, fx = extent_and_edges(local, p, q, r)
    dy, ey, fy = extent_and_edges(local, p + 1, q + 1, r + 1)
    dz, ez, fz = extent_and_edges(local, p + 2, q + 2, r + 2)
    # half the components of the cross product: the areas of the projections along the three axes
    shadows = 0.5 * (abs(ey * fz - ez * fy) + abs(ez * fx - ex * fz) + abs(ex * fy - ey * fx))
    return max(max(dx, dy), dz), dx * (dy + dz) + dy * dz, shadows


@kernel
def shadow_to_clip(faces, local, triangles):
    """Return the mean shadow of a sample, or zero when its boxes are filled well enough to clip nothing."""
    boxes, shadows, seen = 0.0, 0.0, 0
    for i in range(0, triangles, triangles // SAMPLE | 1):
        _, box, shadow = surfaces(faces, local, i)
        boxes += box
        shadows += shadow
        seen += 1
    return max(shadows, boxes / THINNEST) / seen if shadows < FILLED * boxes else 0.0


@inlined_kernel
def more_slabs(root, factor):
    """Return how many slabs a triangle gets beyond the first."""
    return np.int64(min(root * factor, MOST_SLABS - 1.0))


@kernel
def share_boxes(faces, local, triangles, mean, budget, roots, firsts):
    """Share out at most `budget` more boxes; return how many there are then.

    `firsts` gets the number of each triangle's first box, and of the one behind the last; `roots` is memory for as many
    numbers as there are triangles.
    """
    more = 0
    for i in range(triangles):
        length, box, shadow = surfaces(faces, local, i)
        empty = box - WELL_FILLED * shadow
        # k slabs leave about 1 / k of the empty surface E, and one more saves about E / k**2: as much everywhere when
        # k grows as the root of E
        root = sqrt(empty / (LARGE * mean)) if empty > 0.0 and length > NARROW else 0.0
        set_float64(roots, i, root)
        more += more_slabs(root, 1.0)
    factor = 1.0
    if more > budget:
        factor, step = 0.0, 1.0
        # the number of slabs grows with the factor, so halving finds the largest factor within the budget
        for _ in range(STEPS):
            step *= 0.5
            more = 0
            for i in range(triangles):
                more += more_slabs(float64_at(roots, i), factor + step)
            if more <= budget:
                factor += step
    first = np.int64(0)
    for i in range(triangles):
        set_int32(firsts, i, first)
        first += 1 + more_slabs(float64_at(roots, i), factor)
    set_int32(firsts, triangles, first)
    return first


@kernel
def share_of_elongated(vertices, faces):
    """Return the share of long and thin triangles in a sample."""
    step = max(1, faces.shape[0] // LONG_SAMPLE)
    elongated, sampled = 0, 0
    for k in range(0, faces.shape[0], step):
        p, q, r = row(vertices, faces[k, 0]), row(vertices, faces[k, 1]), row(vertices, faces[k, 2])
        e, f, g = minus(q, p), minus(r, p), minus(r, q)
        longest = max(max(dot(e, e), dot(f, f)), dot(g, g))
        normal = cross(e, f)
        area = dot(normal, normal)
        # both squared once more: no square root, and a degenerate triangle, of area 0, counts
        elongated += longest * longest > LONG * LONG * area
        sampled += 1
    return elongated / sampled if sampled > 0 else 0.0
