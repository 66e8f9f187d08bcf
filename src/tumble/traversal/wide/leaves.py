"""Triangles of two leaves: posed, filtered, and judged exactly where the filter is not sure."""

import numpy as np

from tumble.hierarchy.packed.header import FACES, VERTICES
from tumble.jit import inlined_kernel
from tumble.narrow.filter import UNSURE, filtered_touch
from tumble.narrow.triangles import triangles_touch
from tumble.simd.memory import float64_at, int32_at, int64_at, set_float64

TRIANGLE = 9
"""numbers of a posed triangle"""


@inlined_kernel
def posed_vertex(pose, vertices, v):
    """Return vertex v moved by the pose at an address, in the order of operations of `tumble.mesh.apply_pose`."""
    x, y, z = float64_at(vertices, 3 * v), float64_at(vertices, 3 * v + 1), float64_at(vertices, 3 * v + 2)
    return (
        ((float64_at(pose, 0) * x + float64_at(pose, 1) * y) + float64_at(pose, 2) * z) + float64_at(pose, 3),
        ((float64_at(pose, 4) * x + float64_at(pose, 5) * y) + float64_at(pose, 6) * z) + float64_at(pose, 7),
        ((float64_at(pose, 8) * x + float64_at(pose, 9) * y) + float64_at(pose, 10) * z) + float64_at(pose, 11),
    )


@inlined_kernel
def posed_triangle(tree, pose, triangle):
    """Return the three posed vertices of a triangle of the tree at an address."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    return (
        posed_vertex(pose, vertices, np.int64(int32_at(faces, 3 * triangle))),
        posed_vertex(pose, vertices, np.int64(int32_at(faces, 3 * triangle + 1))),
        posed_vertex(pose, vertices, np.int64(int32_at(faces, 3 * triangle + 2))),
    )


@inlined_kernel
def keep_triangle(place, triangle):
    """Write a posed triangle to memory."""
    p, q, r = triangle
    set_float64(place, 0, p[0])
    set_float64(place, 1, p[1])
    set_float64(place, 2, p[2])
    set_float64(place, 3, q[0])
    set_float64(place, 4, q[1])
    set_float64(place, 5, q[2])
    set_float64(place, 6, r[0])
    set_float64(place, 7, r[1])
    set_float64(place, 8, r[2])


@inlined_kernel
def kept_triangle(place):
    """Read a posed triangle from memory."""
    return (
        (float64_at(place, 0), float64_at(place, 1), float64_at(place, 2)),
        (float64_at(place, 3), float64_at(place, 4), float64_at(place, 5)),
        (float64_at(place, 6), float64_at(place, 7), float64_at(place, 8)),
    )


@inlined_kernel
def posed_touch(one, other):
    """Tell whether two posed triangles touch, exactly."""
    p, q, r = one
    x, y, z = other
    answer = filtered_touch(p, q, r, x, y, z)
    if answer == UNSURE:
        answer = triangles_touch(
            p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
            x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2],
        )  # fmt: skip
    return answer != 0
