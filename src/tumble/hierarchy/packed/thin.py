"""Are the triangles of a mesh long and thin? Then the boxes of leaves say little about them.

A sample will do: the answer changes how a query searches, not what it finds.
"""

import numpy as np

from tumble.core.jit import kernel

SAMPLE = 1000
SHARE = 0.3
# the square of the longest edge, in areas of the parallelogram that a triangle is half of; 1.15 when equilateral
LONG = 4.0


@kernel
def edge(vertices, i, j):
    """Return the edge from vertex i to vertex j."""
    return vertices[j, 0] - vertices[i, 0], vertices[j, 1] - vertices[i, 1], vertices[j, 2] - vertices[i, 2]


@kernel
def squared(x, y, z):
    """Return the square of a length."""
    return x * x + y * y + z * z


@kernel
def share_of_thin(vertices, faces):
    """Return the share of long and thin triangles in a sample."""
    step = max(1, faces.shape[0] // SAMPLE)
    thin, seen = 0, 0
    for k in range(0, faces.shape[0], step):
        p, q, r = np.int64(faces[k, 0]), np.int64(faces[k, 1]), np.int64(faces[k, 2])
        e, f, g = edge(vertices, p, q), edge(vertices, p, r), edge(vertices, q, r)
        longest = max(squared(e[0], e[1], e[2]), squared(f[0], f[1], f[2]), squared(g[0], g[1], g[2]))
        area = squared(e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0])
        thin += longest * longest > LONG * LONG * area
        seen += 1
    return thin / seen if seen > 0 else 0.0
