"""Faces between rows and rings of vertices, which swept, revolved and sheet-like shapes have in common."""

import numpy as np
from numpy.typing import NDArray


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


def fan_faces(centre: int, ring: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles from a closed ring of vertices to a centre vertex, turning like the ring."""
    return np.stack([np.full(len(ring), centre), ring, np.roll(ring, -1)], axis=1)


def band_faces(lower: int, upper: int, count: int) -> NDArray[np.int64]:
    """Return two triangles per step between two closed rings of `count` vertices, given by their first vertices."""
    here, after = np.arange(count), (np.arange(count) + 1) % count
    corners = lower + here, lower + after, upper + after, upper + here
    return np.concatenate([np.stack([corners[i] for i in triangle], axis=1) for triangle in ((0, 1, 2), (0, 2, 3))])


def lifted(points: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """Return (n, 2) points of the plane at a height, as (n, 3)."""
    return np.column_stack([points, np.full(len(points), z)])
