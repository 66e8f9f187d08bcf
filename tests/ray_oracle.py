"""The slow judge of rays: rational arithmetic, without a line of the kernels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


def exact_distance(origin: Any, direction: Any, triangle: Any) -> Fraction | None:
    """Where a ray meets a closed triangle, or None; a ray in the triangle's plane does not.

    Solves a + v (b - a) + w (c - a) = origin + t direction by Gauss's elimination, and looks at v, w, t.
    """
    a, b, c = ([Fraction(float(x)) for x in vertex] for vertex in triangle)
    o, d = ([Fraction(float(x)) for x in vector] for vector in (origin, direction))
    rows = [[b[k] - a[k], c[k] - a[k], -d[k], o[k] - a[k]] for k in range(3)]
    for column in range(3):
        pivot = next((row for row in rows[column:] if row[column] != 0), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(column, [x / pivot[column] for x in pivot])
        for k in range(3):
            if k != column:
                factor = rows[k][column]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[column], strict=True)]
    v, w, t = (row[3] for row in rows)
    return t if v >= 0 and w >= 0 and v + w <= 1 and t >= 0 else None


def hits_of(origin: Any, direction: Any, triangles: Any) -> dict[int, Fraction]:
    """All triangles that a ray hits, with their distances."""
    found = {k: exact_distance(origin, direction, triangle) for k, triangle in enumerate(triangles)}
    return {k: t for k, t in found.items() if t is not None}


def strictly_below(plane: Any, point: Any) -> bool:
    """Whether a x + b y + c z + d < 0."""
    a, b, c, d = (Fraction(float(x)) for x in plane)
    x, y, z = (Fraction(float(x)) for x in point)
    return a * x + b * y + c * z + d < 0


def kept_by(planes: Any, triangles: Any, contained: bool = False) -> np.ndarray:
    """The triangles that no plane shuts out."""
    some_or_all = any if contained else all
    kept = [
        k
        for k, triangle in enumerate(triangles)
        if not any(some_or_all(strictly_below(plane, vertex) for vertex in triangle) for plane in planes)
    ]
    return np.array(kept, np.int64)
