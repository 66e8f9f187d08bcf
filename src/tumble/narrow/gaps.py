"""How far apart the pairs are that a question about clearances has found, row by row."""

import numpy as np

from tumble.core.jit import kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of
from tumble.narrow.distance import SMALLEST, triangle_distance
from tumble.narrow.touch import posed_triangle

FEW_PAIRS = 127  # bits of a pair's number that are zero where the loop calls `poll`


@kernel
def write_gaps(vertices_a, faces_a, pose_a, vertices_b, faces_b, pose_b, pairs, clearance, distances, points):
    """Write the distance and the nearest points of each pair of triangles.

    All pairs are known to be nearer than the clearance, or to touch: where rounding would say otherwise, the distance
    is the largest number below it.
    """
    most = max(np.nextafter(clearance, 0.0), SMALLEST)
    for k in range(pairs.shape[0]):
        if k & FEW_PAIRS == 0 and poll(0) != 0:
            break
        p, q, r = posed_triangle(pose_a, vertices_a, faces_a, pairs[k, 0])
        u, v, w = posed_triangle(pose_b, vertices_b, faces_b, pairs[k, 1])
        distance = triangle_distance(
            p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
            u[0], u[1], u[2], v[0], v[1], v[2], w[0], w[1], w[2], address_of(points[k]),
        )  # fmt: skip
        distances[k] = min(distance, most)
