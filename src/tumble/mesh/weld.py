"""Seams that rounding opened: vertices that are nearly equal become one.

Files often store a part face by face, each with corners of its own, and where these were computed twice they differ in
the last bits. To the eye and to the engineer the part is closed; to exact arithmetic it has open edges, and no inside.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.mesh.edges import edges_of
from tumble.mesh.mesh import Mesh

NEAR = 1e-9
"""of the largest extent of a part: vertices that are as near to each other along all three axes are one"""


def closed_by_welding(mesh: Mesh, near: float = NEAR) -> Mesh | None:
    """Return an open mesh with nearly equal vertices made one, if that closes it; None if it does not.

    Triangles stay as many, in their order; some may have lost their area. No vertex moves by more than `near` of the
    largest extent, along each axis.
    """
    if len(mesh) == 0 or edges_of(mesh).closed:
        return None
    tolerance = near * float(np.ptp(mesh.vertices, axis=0).max())
    first, moved = _first_near(np.asarray(mesh.vertices), tolerance)
    if moved > tolerance:  # a chain of near vertices, which is no seam
        return None
    vertices = np.asarray(mesh.vertices)[first]
    welded = Mesh(vertices, mesh.faces)
    return welded if edges_of(welded).closed else None


def _first_near(vertices: NDArray[np.float64], tolerance: float) -> tuple[NDArray[np.int64], float]:
    """Return for each vertex the first one that is near it along all axes, and how far the farthest of these is."""
    steps = np.stack([_steps(vertices[:, axis], tolerance) for axis in range(3)], axis=1)
    _, first, which = unique_rows(steps)
    found = first[which.reshape(-1)]
    return found, float(np.abs(vertices[found] - vertices).max())


def _steps(values: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
    """Number values from the lowest up; those no farther than the tolerance from the next have the same number."""
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), np.int64)
    numbers[order] = np.cumsum(np.diff(values[order], prepend=values[order[0]]) > tolerance)
    return numbers
