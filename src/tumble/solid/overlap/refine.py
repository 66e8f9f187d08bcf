"""Triangles near a surface: how far they are from faces of it at most, and how to cut them so that they get nearer.

The distance to one face is a convex function, so no point of a triangle T is farther from the face F than a corner of
T, and none is farther from the surface. Where T reaches beyond F, it is cut along the border between F and its
neighbour: by the plane through their common edge that halves the angle between the two. So a facet of a pin falls
into as many pieces as there are facets of the bore beside it, however long and thin they are. Where no border cuts T,
it is halved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.solid.body import Body

if TYPE_CHECKING:
    from tumble.narrow.overlap.near_faces import Surface

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
CUT = 1e-6
"""a cut leaves at least this part of a triangle's longest edge on both sides"""
FEW = 200
"""pieces that are cut twice in a round"""


def surface_of_faces(body: Body) -> Surface:
    """Return the faces of a body as kernels see them."""
    return body.kept("surface", lambda: _surface(body))


def _surface(body: Body) -> Surface:
    from tumble.narrow.overlap.near_faces import Surface

    corners = np.ascontiguousarray(body.corners)
    return Surface(frozen(corners), frozen(body.normals), frozen(body.surface.twins))


class Faces:
    """The faces of a body."""

    def __init__(self, body: Body) -> None:
        self.surface = surface_of_faces(body)

    def bounds(self, pieces: Array, nearest: Numbers) -> Array:
        """(n,) how far a point of each triangle can be from a face, and so from the surface."""
        from tumble.narrow.overlap.near_faces import measure_bounds

        bounds = np.empty(len(pieces))
        measure_bounds(pieces, nearest, self.surface, bounds)
        return bounds

    def cut_small(self, pieces: Array, nearest: Numbers) -> tuple[Array, Numbers]:
        """Cut triangles as `cut` does, and if they are few, again: then a round costs more than what it looks at."""
        found, rows = self.cut(pieces, nearest)
        if not 0 < len(found) < FEW:
            return found, rows
        again, places = self.cut(found, nearest[rows])
        return again, rows[places]

    def cut(self, pieces: Array, nearest: Numbers) -> tuple[Array, Numbers]:
        """Return pieces of triangles, those that reach beyond the nearest face cut along its border; and whence."""
        from tumble.narrow.overlap.near_faces import cut_pieces

        found, rows = np.empty((3 * len(pieces), 3, 3)), np.empty(3 * len(pieces), np.int64)
        count = cut_pieces(pieces, len(pieces), nearest, self.surface, CUT, found, rows)
        return found[:count], rows[:count]


def radii(pieces: Array, middles: Array) -> Array:
    """(n,) how far a point of a triangle can be from its middle."""
    ways = pieces - middles[:, None]
    return np.asarray(np.sqrt((ways * ways).sum(axis=2).max(axis=1)))
