"""Where two meshes cross, b being moved by an infinitely small step: segments, their ends, memberships of all vertices.

touching pairs → segments, by features → places, each one where an edge pierces a face → memberships
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.errors import InternalError
from tumble.narrow.overlap import segments
from tumble.narrow.overlap.memberships import members_of
from tumble.narrow.overlap.places import places_of
from tumble.solid.body import Body
from tumble.solid.overlap.faces import SolidFaces, boundary_of

A, B = 0, 1


class Crossing:
    """How two bodies cross, from all pairs of triangles that touch."""

    def __init__(
        self, bodies: tuple[Body, Body], faces: tuple[SolidFaces, SolidFaces], pairs: NDArray[np.int64]
    ) -> None:
        self.bodies, self.faces = bodies, faces
        self._members: dict[int, NDArray[np.int64]] = {}
        found = np.empty((len(pairs), segments.COLUMNS), np.int64)
        arrays = [array for side in (A, B) for array in (bodies[side].points, faces[side].edges.faces)]
        rows, signs = frozen(np.ascontiguousarray(pairs)), np.empty(segments.SIGNS, np.int8)
        count = segments.write_segments(*arrays, rows, signs, found)
        if count == segments.CORRUPT:
            raise InternalError("two triangles cross in a segment with one end; please report this")
        self.segments = found[:count]
        """(k, 4) a's triangle, b's triangle, the edges at start and end: see `narrow.overlap.segments`"""
        self.boundaries = boundary_of(bodies[A], faces[A]), boundary_of(bodies[B], faces[B])
        self.at = places_of(self.segments, *self.boundaries)
        """the places where edges of one mesh pierce faces of the other"""

    @property
    def ends(self) -> NDArray[np.int64]:
        """(k, 2) the places where segments start and end."""
        return self.at.ends

    @property
    def features(self) -> NDArray[np.int64]:
        """(n, 3) for each place, whose edge it is on, 0 or 1, the edge, and the face of the other mesh."""
        return self.at.features

    @property
    def places(self) -> NDArray[np.float64]:
        """(n, 3) float64 coordinates."""
        return self.at.points

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n,) how far along its edge a place is, from 0 to 1."""
        return self.at.shares

    @property
    def jumps(self) -> NDArray[np.int64]:
        """(n,) how much the membership in the other mesh grows at each place, along the edge."""
        return self.at.jumps

    def members(self, side: int) -> NDArray[np.int64]:
        """(vertices,) the membership of each vertex of one mesh in the other; 0 for those of no face."""
        if side not in self._members:
            own, other = self.boundaries[side], self.boundaries[1 - side]
            self._members[side] = members_of(own, other, self.at, side, self.bodies[1 - side].bounds)
        return self._members[side]
