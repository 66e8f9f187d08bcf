"""How much of two bodies lies flat on each other: the area of faces in one plane, and the middle of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import area_vectors, cross_product
from tumble.solid.body import Body

Array = NDArray[np.float64]
PARALLEL = 1e-9
"""the sine of the angle up to which planes count as one, and the part of the coordinates by which they may differ"""


class FlatContact(NamedTuple):
    """Faces of two bodies that lie on each other."""

    area: float
    middle: Array | None
    """(3,); None where the area is zero"""


def flat_contact(bodies: tuple[Body, Body], pairs: NDArray[np.int64]) -> FlatContact:
    """Return the area of contact, from the touching triangles of two bodies whose interiors do not meet.

    So faces in one plane that have an area in common look at each other, however a mesh is turned.
    """
    from tumble.narrow.contact.flat_area import MOST_CORNERS, write_common_areas

    a, b = (body.points[body.surface.faces[pairs[:, side]]] for side, body in enumerate(bodies))
    normal_a, normal_b = (area_vectors(each) for each in (a, b))
    size_a, size_b = _lengths(normal_a), _lengths(normal_b)
    facing = (normal_a * normal_b).sum(axis=1)
    flat = (size_a > 0.0) & (size_b > 0.0) & (_lengths(cross_product(normal_a, normal_b)) <= PARALLEL * size_a * size_b)
    a, b, facing = a[flat], b[flat], facing[flat]
    up = normal_a[flat] / size_a[flat, None]
    size = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    same = (np.abs(((b - a[:, :1]) * up[:, None]).sum(axis=2)) <= PARALLEL * size).all(axis=1)
    a, b, facing, up = a[same], b[same], facing[same], up[same]
    along = a[:, 1] - a[:, 0]
    along /= _lengths(along)[:, None]
    axes = np.stack([along, np.cross(up, along)], axis=1)
    b = np.where((facing < 0.0)[:, None, None], b[:, ::-1], b)
    plane_a, plane_b = (np.einsum("kij,klj->kil", each - a[:, :1], axes) for each in (a, b))
    areas, middles = np.empty(len(a)), np.empty((len(a), 2))
    corners = np.ascontiguousarray(plane_a), np.ascontiguousarray(plane_b)
    write_common_areas(*corners, np.empty((2, MOST_CORNERS, 2)), areas, middles)
    total = float(areas.sum())
    if not total > 0.0:
        return FlatContact(0.0, None)
    moments = areas[:, None] * a[:, 0] + np.einsum("ki,kij->kj", middles, axes)
    return FlatContact(total, moments.sum(axis=0) / total)


def _lengths(vectors: Array) -> Array:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=1)))
