"""The matrices of `unit_triangle`: 3×4 numbers that carry a triangle's corners to (0, 0, 0), (1, 0, 0), (0, 1, 0).

With e, f the edges from the first corner and n = e × f, the rows are (f × n) / n², (n × e) / n² and n, freed of what
rounding gave it along e and f and made as long as one over the largest component of the edges: z then is a distance in
units of the triangle's size.

A matrix is worth what it does. Each is applied to its own corners, in float64, and discarded (all its numbers become
undefined) when one arrives further from where it belongs than 7u o n, n the sum of a row's absolute values and o the
mesh's largest coordinate. Float64 itself can hide 8.2u o n, so the true distance is below the 16u o n that
`unit_triangle` counts on. Triangles that are points or segments, or nearly, and those whose numbers leave the range of
float64, have no matrix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.mesh import Mesh
from tumble.narrow.triangles.unit_frames import FLOAT32, FLOAT64

WIDTH = 12
LARGEST_RESIDUAL = 7.0
KEY = "unit-triangle matrices"


@inlined_kernel
def cross(a, b):
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def dot(a, b):
    """Return the scalar product, summed as `unit_triangle` does it."""
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]


@inlined_kernel
def largest(a):
    """Return the largest absolute component."""
    return max(max(abs(a[0]), abs(a[1])), abs(a[2]))


@inlined_kernel
def corner(vertices, v):
    """Read a vertex."""
    return vertices[v, 0], vertices[v, 1], vertices[v, 2]


@inlined_kernel
def set_row(matrices, i, first, row, origin):
    """Write a row, and what carries the first corner to 0."""
    for k in range(3):
        matrices[i, first + k] = row[k]
    matrices[i, first + 3] = -dot(row, origin)


@kernel
def fill(vertices, faces, matrices):
    """Write the matrix of each triangle; what does not work out shows in the residual."""
    for i in range(faces.shape[0]):
        p, q, r = corner(vertices, faces[i, 0]), corner(vertices, faces[i, 1]), corner(vertices, faces[i, 2])
        e, f = (q[0] - p[0], q[1] - p[1], q[2] - p[2]), (r[0] - p[0], r[1] - p[1], r[2] - p[2])
        size = max(largest(e), largest(f))
        e, f = (e[0] / size, e[1] / size, e[2] / size), (f[0] / size, f[1] / size, f[2] / size)
        n = cross(e, f)
        square = dot(n, n)
        x, y = cross(f, n), cross(n, e)
        x, y = (x[0] / square, x[1] / square, x[2] / square), (y[0] / square, y[1] / square, y[2] / square)
        length = largest(n)
        n = n[0] / length, n[1] / length, n[2] / length
        s, t = dot(n, e), dot(n, f)
        n = (n[0] - s * x[0]) - t * y[0], (n[1] - s * x[1]) - t * y[1], (n[2] - s * x[2]) - t * y[2]
        set_row(matrices, i, 0, (x[0] / size, x[1] / size, x[2] / size), p)
        set_row(matrices, i, 4, (y[0] / size, y[1] / size, y[2] / size), p)
        set_row(matrices, i, 8, (n[0] / size, n[1] / size, n[2] / size), p)


@inlined_kernel
def residual(matrices, i, first, point, due):
    """Return how far a coordinate is from where it belongs."""
    row = matrices[i, first], matrices[i, first + 1], matrices[i, first + 2]
    return abs((dot(row, point) + matrices[i, first + 3]) - due)


@kernel
def discard(vertices, faces, allowed, matrices):
    """Make undefined the matrices that carry a corner too far from the unit triangle; `allowed` is for n = 1."""
    for i in range(faces.shape[0]):
        good = True
        for k in range(3):
            row = matrices[i, 4 * k], matrices[i, 4 * k + 1], matrices[i, 4 * k + 2]
            limit = allowed * ((abs(row[0]) + abs(row[1])) + abs(row[2]))
            good = good and limit < np.inf
            for m in range(3):
                due = 1.0 if (k == 0 and m == 1) or (k == 1 and m == 2) else 0.0
                good = good and residual(matrices, i, 4 * k, corner(vertices, faces[i, m]), due) <= limit
        if not good:
            for k in range(WIDTH):
                matrices[i, k] = np.nan


def unit_matrices(mesh: Mesh) -> NDArray[np.float64]:
    """Return the (n, 12) matrices of a mesh's triangles, which the mesh keeps; undefined where there is none."""
    matrices: NDArray[np.float64] | None = mesh._trees.get(KEY)
    if matrices is None:
        made = np.empty((len(mesh), WIDTH))
        fill(mesh.vertices, mesh.faces, made)
        discard(mesh.vertices, mesh.faces, LARGEST_RESIDUAL * FLOAT64 * mesh.extent, made)
        made.flags.writeable = False
        matrices = mesh._trees.setdefault(KEY, made)
    return matrices


def single_matrices(mesh: Mesh) -> NDArray[np.float32]:
    """Return the matrices rounded to float32, for vertices rounded to float32; undefined where they do not work."""
    with np.errstate(over="ignore"):
        made = unit_matrices(mesh).astype(np.float32)
        vertices = mesh.vertices.astype(np.float32)
    discard(vertices, mesh.faces, LARGEST_RESIDUAL * FLOAT32 * mesh.extent, made)
    return made
