"""Where two meshes cross, b being moved by an infinitely small step: segments, their ends, memberships of all vertices.

touching pairs → segments, by features → places, each one where an edge pierces a face → memberships
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.errors import InternalError
from tumble.narrow.overlap import segments
from tumble.narrow.overlap.memberships import connect_vertices, write_memberships
from tumble.narrow.overlap.points import write_places
from tumble.narrow.overlap.signs import OF_A, OF_B
from tumble.solid.body import Body
from tumble.solid.overlap.faces import SolidFaces

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
        self._number_places()

    def _number_places(self) -> None:
        """Number the places at the ends of segments: each is an edge of one mesh and a face of the other."""
        stubs = np.concatenate([self._stubs(2), self._stubs(3)])
        order = np.lexsort(stubs.T[::-1])
        ordered = stubs[order]
        new = np.ones(len(ordered), bool)
        new[1:] = (ordered[1:, :3] != ordered[:-1, :3]).any(axis=1)
        self.features = ordered[new, :3]
        """(n, 3) for each place, whose edge it is on, 0 or 1, the edge, and the face of the other mesh"""
        self.upward = ordered[new, 3]
        """(n,) 1 where the edge, from its lower vertex on, comes out through the front of the face, else -1"""
        numbers = np.empty(len(ordered), np.int64)
        numbers[order] = np.cumsum(new) - 1
        self.ends = numbers.reshape(2, -1).T
        """(k, 2) the places where segments start and end"""

    def _stubs(self, column: int) -> NDArray[np.int64]:
        """(k, 4) whose edge, the edge, the face of the other and the way, at one end of each segment."""
        f, g, local = self.segments[:, 0], self.segments[:, 1], self.segments[:, column]
        of_b = local >= 3
        own, other, k = np.where(of_b, g, f), np.where(of_b, f, g), local % 3
        found = np.empty((len(local), 4), np.int64)
        found[:, 0], found[:, 2] = of_b, other
        for side in (A, B):
            which, edges = of_b == (side == B), self.faces[side].edges
            face, corner = own[which], k[which]
            found[which, 1] = edges.numbers[face, corner]
            ascending = edges.faces[face, corner] < edges.faces[face, (corner + 1) % 3]
            outward = (column == 2) == (side == A)  # see `narrow.overlap.segments`
            found[which, 3] = np.where(ascending == outward, 1, -1)
        return found

    @cached_property
    def _places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        places, shares = np.empty((len(self.features), 3)), np.empty(len(self.features))
        for side in (A, B):
            of_side = self.features[:, 0] == side
            ends = self.faces[side].edges.ends[self.features[of_side, 1]]
            corners = self.faces[1 - side].edges.faces[self.features[of_side, 2]]
            found, share = np.empty((len(ends), 3)), np.empty(len(ends))
            write_places(self.bodies[side].points, ends, self.bodies[1 - side].points, corners, found, share)
            places[of_side], shares[of_side] = found, share
        return places, shares

    @property
    def places(self) -> NDArray[np.float64]:
        """(n, 3) float64 coordinates."""
        return self._places[0]

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n,) how far along its edge a place is, from 0 to 1."""
        return self._places[1]

    @cached_property
    def jumps(self) -> NDArray[np.int64]:
        """(n,) how much the membership in the other mesh grows at each place, along the edge."""
        weights = np.where(
            self.features[:, 0] == A,
            self._weights_at(B),
            self._weights_at(A),
        )
        return -self.upward * weights

    def _weights_at(self, side: int) -> NDArray[np.int64]:
        """(n,) the weights of the pierced faces, where they are of one side; anything elsewhere."""
        weights = self.faces[side].weights.astype(np.int64)
        found = np.zeros(len(self.features), np.int64)
        of_other = self.features[:, 0] != side
        found[of_other] = weights[self.features[of_other, 2]]
        return found

    def members(self, side: int) -> NDArray[np.int64]:
        """(vertices,) the membership of each vertex of one mesh in the other; 0 for those of no face."""
        if side not in self._members:
            self._members[side] = self._find_members(side)
        return self._members[side]

    def _find_members(self, side: int) -> NDArray[np.int64]:
        edges, body, other = self.faces[side].edges, self.bodies[side], self.bodies[1 - side]
        of_side = self.features[:, 0] == side
        jumps = np.zeros(len(edges.ends), np.int64)
        np.add.at(jumps, self.features[of_side, 1], self.jumps[of_side])
        parent, offset = np.empty(len(body.points), np.int64), np.empty(len(body.points), np.int64)
        connect_vertices(edges.ends, jumps, parent, offset)
        used = np.zeros(len(parent), bool)
        used[edges.faces] = True
        roots = np.unique(parent[used])
        low, high = other.bounds
        near = ((body.points[roots] >= low) & (body.points[roots] <= high)).all(axis=1)
        found = np.zeros(len(roots), np.int64)
        inner = np.empty(int(near.sum()), np.int64)
        theirs = self.faces[1 - side]
        arrays = other.points, theirs.edges.faces, theirs.weights, body.points[roots[near]]
        write_memberships(*arrays, OF_A if side == A else OF_B, inner)
        found[near] = inner
        at_root = np.zeros(len(parent), np.int64)
        at_root[roots] = found
        return np.where(used, at_root[parent] + offset, 0)
