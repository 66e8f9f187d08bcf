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

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, divided, dot, largest, minus, row
from tumble.mesh import Mesh
from tumble.narrow.triangles.unit_frames import FLOAT32, FLOAT64

WIDTH = 12
LARGEST_RESIDUAL = 7.0
KEY = "unit-triangle matrices"


@inlined_kernel
def write_row(matrices, i, first, axis, origin):
    """Write a row of a matrix, and what carries the first corner to 0."""
    for k in range(3):
        matrices[i, first + k] = axis[k]
    matrices[i, first + 3] = -dot(axis, origin)


@kernel
def fill(vertices, faces, matrices):
    """Write the matrix of each triangle; what does not work out shows in the residual."""
    for i in range(faces.shape[0]):
        p, q, r = row(vertices, faces[i, 0]), row(vertices, faces[i, 1]), row(vertices, faces[i, 2])
        e, f = minus(q, p), minus(r, p)
        # at size one, so that squares cannot overflow
        size = max(largest(e), largest(f))
        e, f = divided(e, size), divided(f, size)
        n = cross(e, f)
        square = dot(n, n)
        x, y = cross(f, n), cross(n, e)
        x, y = divided(x, square), divided(y, square)
        n = divided(n, largest(n))
        # one step of orthogonalisation: rounding of n along e and f would otherwise appear in z of all points, enlarged
        s, t = dot(n, e), dot(n, f)
        n = (n[0] - s * x[0]) - t * y[0], (n[1] - s * x[1]) - t * y[1], (n[2] - s * x[2]) - t * y[2]
        write_row(matrices, i, 0, divided(x, size), p)
        write_row(matrices, i, 4, divided(y, size), p)
        write_row(matrices, i, 8, divided(n, size), p)


@inlined_kernel
def residual(matrices, i, first, point, due):
    """Return how far a coordinate is from where it belongs."""
    axis = matrices[i, first], matrices[i, first + 1], matrices[i, first + 2]
    return abs((dot(axis, point) + matrices[i, first + 3]) - due)


@kernel
def discard(vertices, faces, allowed, matrices):
    """Make undefined the matrices that carry a corner too far from the unit triangle; `allowed` is for n = 1."""
    for i in range(faces.shape[0]):
        good = True
        for k in range(3):
            x, y, z = matrices[i, 4 * k], matrices[i, 4 * k + 1], matrices[i, 4 * k + 2]
            limit = allowed * ((abs(x) + abs(y)) + abs(z))
            # rows of flat triangles are infinite or undefined, and no comparison with those is true
            good = good and limit < np.inf
            for m in range(3):
                due = 1.0 if (k == 0 and m == 1) or (k == 1 and m == 2) else 0.0
                good = good and residual(matrices, i, 4 * k, row(vertices, faces[i, m]), due) <= limit
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
