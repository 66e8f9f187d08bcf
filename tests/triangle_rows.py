"""Tests of pairs of triangles, row by row over whole arrays."""

import numpy as np

from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of
from tumble.narrow.distance import triangle_distance
from tumble.narrow.triangles.adjacent import meet_in_mesh


@kernel
def distance_rows(a, b, distances, points):
    """Compare row with row of two (n, 9) arrays."""
    for i in range(distances.size):
        p, q = a[i], b[i]
        distances[i] = triangle_distance(
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
            q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], address_of(points[i]),
        )  # fmt: skip


def triangle_distances(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distance of each row of two (n, 3, 3) arrays of triangles, and the (n, 2, 3) nearest points."""
    distances, points = np.empty(len(a)), np.empty((len(a), 6))
    rows_a, rows_b = (np.ascontiguousarray(side, np.float64).reshape(-1, 9) for side in (a, b))
    distance_rows(rows_a, rows_b, distances, points)
    return distances, points.reshape(-1, 2, 3)


@kernel
def meet_in_mesh_rows(vertices, faces, pairs, result):
    """Test pairs of triangles, (n, 2), of one mesh."""
    for n in range(result.size):
        result[n] = meet_in_mesh(address_of(vertices), address_of(faces), np.int64(pairs[n, 0]), np.int64(pairs[n, 1]))


def meet_in_mesh_many(vertices: np.ndarray, faces: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return for each of (n, 2) pairs of different triangles of one mesh whether they meet beyond what they share.

    The arrays are those of a Mesh: float64 vertices and int32 faces.
    """
    result = np.empty(len(pairs), np.bool_)
    meet_in_mesh_rows(vertices, faces, np.ascontiguousarray(pairs, np.int64), result)
    return result
