"""Directions in which two bodies may come apart: along which the common part shrinks fastest, and normals of faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import area_vectors, cross_product, length
from tumble.solid.overlap.crossing import A, B, Crossing

MOST_NORMALS = 3
"""normals of each body that are tried"""
ALIKE = 0.995
"""directions with a larger cosine count as one"""


def corners_of(crossing: Crossing) -> NDArray[np.float64]:
    """(n, 3) the corners of what two bodies have in common; of surfaces, the places where they cross."""
    inside = [crossing.bodies[side].points[crossing.members(side) != 0] for side in (A, B)]
    corners = np.concatenate([crossing.places, *inside])
    return corners if len(corners) else _common_box(crossing)


def _common_box(crossing: Crossing) -> NDArray[np.float64]:
    """(2, 3) the corners of what the boxes have in common: faces that cancel each other leave no other places."""
    (low_a, high_a), (low_b, high_b) = (body.bounds for body in crossing.bodies)
    return np.stack([np.maximum(low_a, low_b), np.minimum(high_a, high_b)])


def ways_apart(crossing: Crossing) -> list[NDArray[np.float64]]:
    """Return unit directions for a shift of b, no two alike."""
    found: list[NDArray[np.float64]] = []
    candidates = [_vector_area(crossing), *_normals(crossing, A), *(-normal for normal in _normals(crossing, B))]
    for candidate in candidates:
        size = length(candidate)
        if size > 0.0 and all(candidate @ other < ALIKE * size for other in found):
            found.append(candidate / size)
    return found


def _vector_area(crossing: Crossing) -> NDArray[np.float64]:
    """Return the vector area of a's surface in b: along it, b leaves the common part behind fastest."""
    if len(crossing.places) == 0:
        return np.zeros(3)
    places = crossing.places - crossing.places.mean(axis=0)
    places = places / max(float(np.abs(places).max()), 5e-324)
    start, end = places[crossing.ends[:, 0]], places[crossing.ends[:, 1]]
    return cross_product(start, end).sum(axis=0)


def _normals(crossing: Crossing, side: int) -> list[NDArray[np.float64]]:
    """Return the normals of the largest faces that cross the other body, or are in it."""
    edges, points = crossing.faces[side].edges, crossing.bodies[side].points
    inside = (crossing.members(side)[edges.faces] != 0).all(axis=1)
    faces = np.unique(np.concatenate([np.flatnonzero(inside), crossing.segments[:, side]]))
    corners = points[edges.faces[faces]]
    corners = corners / max(float(np.abs(corners).max(initial=0.0)), 5e-324)  # no square overflows
    normals = area_vectors(corners)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    kept: list[NDArray[np.float64]] = []
    for k in np.argsort(-lengths, kind="stable")[:200].tolist():
        if lengths[k] > 0.0 and all(normals[k] @ other < ALIKE * lengths[k] for other in kept):
            kept.append(normals[k] / lengths[k])
        if len(kept) == MOST_NORMALS:
            break
    return kept
