"""Triangles near a surface: how far they are from faces of it at most, and how to cut them so that they get nearer.

The distance to one face is a convex function, so no point of a triangle T is farther from the face F than a corner of
T, and none is farther from the surface. Where T reaches beyond F, it is cut along the border between F and its
neighbour: by the plane through their common edge that halves the angle between the two. So a facet of a pin falls
into as many pieces as there are facets of the bore beside it, however long and thin they are. Where no border cuts T,
it is halved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
CUT = 1e-6
"""a cut leaves at least this part of a triangle's longest edge on both sides"""
FEW = 200
"""pieces that are cut twice in a round"""


class Faces:
    """The faces of a surface, with their neighbours."""

    def __init__(self, body: Body) -> None:
        self.corners, self.normals = np.ascontiguousarray(body.corners), body.normals
        self._twins = body.surface.twins

    def bounds(self, pieces: Array, nearest: Numbers) -> Array:
        """(n,) how far a point of each triangle can be from a face, and so from the surface."""
        from tumble.narrow.overlap.near_faces import measure_bounds

        bounds = np.empty(len(pieces))
        measure_bounds(pieces, nearest, self.corners, self.normals, bounds)
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
        from tumble.narrow.overlap.near_faces import measure_beyond

        heights = np.empty((len(pieces), 3))
        measure_beyond(pieces, nearest, self.corners, self.normals, self._twins, heights)
        least = CUT * np.sqrt((_edges(pieces) ** 2).sum(axis=2).max(axis=1))
        across = (heights.max(axis=1) > least) & (heights.min(axis=1) < -least)
        rows = np.arange(len(pieces))
        halves, thirds = _halved(pieces[~across]), _divided(pieces[across], heights[across])
        owners = [np.tile(rows[~across], 2), np.tile(rows[across], 3)]
        return np.concatenate([halves, thirds]), np.concatenate(owners)


def radii(pieces: Array, middles: Array) -> Array:
    """(n,) how far a point of a triangle can be from its middle."""
    ways = pieces - middles[:, None]
    return np.asarray(np.sqrt((ways * ways).sum(axis=2).max(axis=1)))


def _edges(triangles: Array) -> Array:
    """(n, 3, 3) the way from each corner to the next."""
    return np.roll(triangles, -1, axis=1) - triangles


def _halved(pieces: Array) -> Array:
    """Return both halves of all triangles, cut from the middle of the longest edge to the corner opposite."""
    a, b, c = _turned(pieces, (_edges(pieces) ** 2).sum(axis=2).argmax(axis=1))
    middle = 0.5 * (a + b)
    return np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])


def _divided(pieces: Array, heights: Array) -> Array:
    """Return three pieces of all triangles, cut where heights change their sign; each has corners on both sides."""
    above = heights > 0.0
    alone = np.where(above.sum(axis=1, keepdims=True) == 1, above, ~above).argmax(axis=1)
    a, b, c = _turned(pieces, alone)
    of_a, of_b, of_c = _turned(heights[:, :, None], alone)
    on_b, on_c = (a + of_a / (of_a - other) * (end - a) for other, end in ((of_b, b), (of_c, c)))
    return np.concatenate([np.stack(each, axis=1) for each in ((a, on_b, on_c), (on_b, b, c), (on_b, c, on_c))])


def _turned(pieces: Array, first: Numbers) -> tuple[Array, Array, Array]:
    """Return the corners of triangles in order, each beginning with one of its own."""
    rows = np.arange(len(pieces))
    return pieces[rows, first], pieces[rows, (first + 1) % 3], pieces[rows, (first + 2) % 3]
