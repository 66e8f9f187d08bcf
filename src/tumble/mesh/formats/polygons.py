"""Rows of a text format as arrays: coordinates, and polygons cut into triangles."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def coordinates(rows: Sequence[str]) -> NDArray[np.float64]:
    """Return the first three numbers of every row, (n, 3); a short or unreadable row is named."""
    fields = [row.split() for row in rows]
    for number, row in enumerate(fields, 1):
        if len(row) < 3:
            raise ValueError(f"vertex number {number} has {len(row)} coordinates: {rows[number - 1]!r}")
    flat = [float(value) for row in fields for value in row[:3]]
    return np.array(flat, dtype=np.float64).reshape(-1, 3)


def fan(corners: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut polygons, given as one flat list of corners and their sizes, into fans of triangles.

    Returns the (m, 3) triangles and, for each of them, the polygon it comes from.
    """
    small = np.flatnonzero(sizes < 3)
    if len(small):
        raise ValueError(f"face number {small[0] + 1} has {sizes[small[0]]} corners; a face needs three")
    polygon = np.repeat(np.arange(len(sizes)), sizes - 2)
    first_corner = np.cumsum(sizes) - sizes
    first_triangle = np.cumsum(sizes - 2) - (sizes - 2)
    step = np.arange(len(polygon)) - first_triangle[polygon]
    start = first_corner[polygon]
    return np.stack([corners[start], corners[start + step + 1], corners[start + step + 2]], axis=1), polygon
