"""How far points are from triangles: plain NumPy, for many rows at once."""

from __future__ import annotations

import numpy as np


def distances(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The distance of points[i] to the closed triangle triangles[i]; degenerate ones are welcome."""
    edges = [_to_segment(points, triangles[:, k], triangles[:, (k + 1) % 3]) for k in range(3)]
    nearest = np.min(edges, axis=0)
    p, q, r = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normals = np.cross(q - p, r - p)
    lengths = np.linalg.norm(normals, axis=1)
    proper = lengths > 0
    normals = np.divide(normals, lengths[:, None], out=np.zeros_like(normals), where=proper[:, None])
    over = proper.copy()
    for k in range(3):
        x, y = triangles[:, k], triangles[:, (k + 1) % 3]
        over &= np.einsum("ij,ij->i", np.cross(normals, y - x), points - x) >= 0
    heights = np.abs(np.einsum("ij,ij->i", normals, points - p))
    return np.where(over, np.minimum(nearest, heights), nearest)


def _to_segment(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    along = end - start
    squares = np.einsum("ij,ij->i", along, along)
    t = np.einsum("ij,ij->i", points - start, along)
    t = np.clip(np.divide(t, squares, out=np.zeros_like(t), where=squares > 0), 0, 1)
    return np.linalg.norm(points - start - t[:, None] * along, axis=1)


def brought_near(a: np.ndarray, b: np.ndarray, *points: np.ndarray) -> tuple[np.ndarray, ...]:
    """Triangles a and b and points of each row, moved and scaled so that a and b fit into a cube of size 1 to 2."""
    origin = b[:, :1]
    both = np.concatenate([a - origin, b - origin], axis=1)
    exponent = -(np.frexp(np.abs(both).max(axis=(1, 2)))[1] - 1)[:, None, None]
    moved = [np.ldexp(a - origin, exponent), np.ldexp(b - origin, exponent)]
    moved += [np.ldexp(p - origin[:, 0], exponent[:, 0]) for p in points]
    return tuple(moved)
