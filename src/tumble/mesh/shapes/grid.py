"""Faces between rows and rings of vertices, which swept, revolved and sheet-like shapes have in common."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import cosines, sines
from tumble.mesh.mesh import Mesh


def grid_faces(rows: int, columns: int, close_rows: bool, close_columns: bool) -> NDArray[np.int64]:
    """Return two triangles per cell of a grid whose vertex (i, j) has the index i * columns + j.

    Seen from the side where rows go right and columns go up, the triangles run counter-clockwise.
    """
    i = np.arange(rows if close_rows else rows - 1)[:, None]
    j = np.arange(columns if close_columns else columns - 1)[None, :]
    next_i, next_j = (i + 1) % rows, (j + 1) % columns
    corner, right = i * columns + j, next_i * columns + j
    above, across = i * columns + next_j, next_i * columns + next_j
    cells = np.stack(np.broadcast_arrays(corner, right, across, corner, across, above), axis=-1)
    return cells.reshape(-1, 3)


def capped_faces(rings: int, columns: int) -> NDArray[np.int64]:
    """Return the faces of closed rings in a row, whose ends are fans about the two vertices that follow the rings."""
    first = np.arange(columns)
    last = first + (rings - 1) * columns
    bottom, top = np.full(columns, rings * columns), np.full(columns, rings * columns + 1)
    below = np.stack([bottom, first[::-1], np.roll(first[::-1], -1)], axis=1)
    above = np.stack([top, last, np.roll(last, -1)], axis=1)
    return np.concatenate([below, grid_faces(rings, columns, False, True)[:, ::-1], above])


def lifted(points: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """Return (n, 2) points of the plane at a height, as (n, 3)."""
    return np.column_stack([points, np.full(len(points), z)])


def circle(radius: float, count: int, start: float = 0.0) -> NDArray[np.float64]:
    """Return the corners of a regular polygon about the origin of the plane, the first at an angle from the x axis."""
    angles = 2 * np.pi * np.arange(count) / count + start
    return radius * np.column_stack([cosines(angles), sines(angles)])


def turned(profile: Iterable[tuple[float, float]], count: int) -> Mesh:
    """Return the solid of revolution of a profile of (radius, z) from axis to axis, lower end first."""
    (_, bottom), *middle, (_, top) = profile
    rings = [lifted(circle(radius, count), z) for radius, z in middle]
    return Mesh(np.vstack([*rings, [(0.0, 0.0, bottom), (0.0, 0.0, top)]]), capped_faces(len(rings), count))
