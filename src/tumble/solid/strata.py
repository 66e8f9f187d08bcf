"""Where two surfaces meet in segments: the lines around which `fans` looks.

Let t be a triangle of one mesh and f one of the other that share more than a point. Next to the middle of a piece of their
common part that nothing else cuts, at least one of these is so:

 - t and f cross: both have vertices strictly on both sides of the other's plane (`crossing`);
 - an edge of f runs in the plane of t, or one of t in that of f (`along`).

An edge in which the surface goes on flat is left out where the other triangle is in the same plane: nothing changes there.

On such a line, triangles that meet the piece are among those that touch t or f, so everything is known from the list of
touching pairs. The ends of what they have of the line cut it into pieces, and each piece gets a fan.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body
from tumble.solid.exact import Line, Passage, Point, Scale, Triangle, cross, dot, minus, normal_of, passage
from tumble.solid.fans import Fan, Half, halves, in_order

NO_EDGE = -1
HALF = Fraction(1, 2)


class Candidate(NamedTuple):
    """Two triangles that may share a segment: along an edge of one of them, or where they cross."""

    faces: tuple[int, int]
    """one of each column of the pairs"""
    column: int
    """whose edge"""
    edge: int
    """from corner `edge` to the next; NO_EDGE where they cross"""


class Contacts:
    """Touching pairs of triangles, degenerate ones left out; `owners` are the bodies of both columns, 0 for a, 1 for b."""

    owners = 0, 1

    def __init__(self, bodies: tuple[Body, Body], pairs: NDArray[np.int64]) -> None:
        from tumble.narrow.triangles.sides import write_degenerate

        self.bodies = bodies
        proper = np.ones(len(pairs), bool)
        for column in (0, 1):
            body = bodies[self.owners[column]]
            which, place = np.unique(pairs[:, column], return_inverse=True)
            degenerate = np.empty(len(which), bool)
            write_degenerate(body.points, body.surface.faces[which], degenerate)
            proper &= ~degenerate[place.reshape(-1)]
        self.pairs = np.ascontiguousarray(pairs[proper])
        self._triangles: tuple[dict[int, Triangle], dict[int, Triangle]] = ({}, {})

    @cached_property
    def scale(self) -> Scale:
        """What makes all coordinates whole numbers."""
        return Scale(*(body.points for body in self.bodies))

    @cached_property
    def sides(self) -> NDArray[np.int8]:
        """(k, 6) see `write_sides`."""
        from tumble.narrow.triangles.sides import write_sides

        a, b = (self.bodies[owner] for owner in self.owners)
        found = np.empty((len(self.pairs), 6), np.int8)
        write_sides(a.points, a.surface.faces, b.points, b.surface.faces, self.pairs, found)
        return found

    @cached_property
    def _lists(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """For each column: its triangles, where their partners begin, the partners."""
        found = []
        for column in (0, 1):
            order = np.argsort(self.pairs[:, column], kind="stable")
            own, first = np.unique(self.pairs[order, column], return_index=True)
            found.append((own, np.append(first, len(order)), self.pairs[order, 1 - column]))
        return found

    def partners(self, column: int, face: int) -> NDArray[np.int64]:
        """Return the triangles of the other column that touch a triangle of one."""
        own, first, others = self._lists[column]
        k = int(np.searchsorted(own, face))
        return others[first[k] : first[k + 1]] if k < len(own) and own[k] == face else others[:0]

    def around(self, candidate: Candidate) -> list[tuple[int, NDArray[np.int64]]]:
        """Return all triangles, by the side of their body, that can meet what two have in common, each once."""
        a, b = candidate.faces
        return [(1, self.partners(0, a)), (0, self.partners(1, b))]

    def triangle(self, side: int, face: int) -> Triangle:
        """Return a triangle in whole numbers."""
        known = self._triangles[side].get(face)
        if known is None:
            p, q, r = (self.scale.vector(corner) for corner in self.bodies[side].corners[face].tolist())
            known = self._triangles[side][face] = (p, q, r)
        return known

    def candidates(self) -> Iterator[Iterator[Candidate]]:
        """Return all pairs that may share a segment, those that cross first: these often decide at once."""
        yield self._crossing()
        yield self._along(0)
        yield self._along(1)

    def _crossing(self) -> Iterator[Candidate]:
        """Return the pairs in which each triangle has vertices on both sides of the other's plane."""
        both = [(self.sides[:, k : k + 3] > 0).any(axis=1) & (self.sides[:, k : k + 3] < 0).any(axis=1) for k in (0, 3)]
        return (Candidate((a, b), 0, NO_EDGE) for a, b in self.pairs[both[0] & both[1]].tolist())

    def _along(self, column: int) -> Iterator[Candidate]:
        """Return the triangles of the other column in whose planes edges of one run, each edge once."""
        signs = self.sides[:, 3:] if column == 0 else self.sides[:, :3]
        zero = signs == 0
        in_plane = zero & zero[:, [1, 2, 0]]
        rows, edges = np.nonzero(in_plane)
        coplanar = zero.all(axis=1)
        keep = ~(coplanar[rows] & self._flat(column)[rows, edges])
        rows, edges = rows[keep], edges[keep]
        faces = self.bodies[self.owners[column]].surface.faces[self.pairs[rows, column]].astype(np.int64)
        ends = np.stack([faces[np.arange(len(rows)), edges], faces[np.arange(len(rows)), (edges + 1) % 3]], axis=1)
        keys = np.stack([ends.min(axis=1), ends.max(axis=1), self.pairs[rows, 1 - column]], axis=1)
        _, first = np.unique(keys, axis=0, return_index=True)
        for k in np.sort(first).tolist():
            a, b = self.pairs[rows[k]].tolist()
            yield Candidate((a, b), column, int(edges[k]))

    def _flat(self, column: int) -> NDArray[np.bool_]:
        """(k, 3) for each pair, which edges of one column's triangle the surface crosses in one plane."""
        from tumble.narrow.triangles.sides import write_flat

        body = self.bodies[self.owners[column]]
        which, place = np.unique(self.pairs[:, column], return_inverse=True)
        flat = np.empty((len(which), 3), bool)
        write_flat(body.points, body.surface.faces, body.surface.twins, which, flat)
        return flat[place.reshape(-1)]

    def fans(self, candidate: Candidate) -> list[Fan]:
        """Return the fans around the pieces of what two triangles share; none if that is a point."""
        line = self._line(candidate)
        own = [passage(line, triangle) for triangle in self._two(candidate)]
        if own[0] is None or own[1] is None:
            return []
        low, high = max(own[0].low, own[1].low), min(own[0].high, own[1].high)
        if low >= high:
            return []
        found = self._passages(candidate, line, low, high)
        cuts = {low, high}
        for _, _, part in found:
            cuts.update(m for m in (part.low, part.high) if low < m < high)
        ordered = sorted(cuts)
        return [
            self._fan(line, (one + other) * HALF, found) for one, other in zip(ordered[:-1], ordered[1:], strict=True)
        ]

    def _two(self, candidate: Candidate) -> tuple[Triangle, Triangle]:
        (one, other), (a, b) = self.owners, candidate.faces
        return self.triangle(one, a), self.triangle(other, b)

    def _line(self, candidate: Candidate) -> Line:
        t, f = self._two(candidate)
        if candidate.edge != NO_EDGE:
            triangle = (t, f)[candidate.column]
            start, end = triangle[candidate.edge], triangle[(candidate.edge + 1) % 3]
            return Line(Point(*start, 1), minus(end, start))
        normal = normal_of(f)
        heights = [dot(normal, minus(corner, f[0])) for corner in t]
        k = next(k for k in range(3) if heights[k] * heights[(k + 1) % 3] < 0)
        (p, q), (above, below) = (t[k], t[(k + 1) % 3]), (heights[k], heights[(k + 1) % 3])
        if above < below:
            p, q, above, below = q, p, below, above
        edge, w = minus(q, p), above - below
        x, y, z = (p[i] * w + edge[i] * above for i in range(3))
        return Line(Point(x, y, z, w), cross(normal_of(t), normal))

    def _passages(
        self, candidate: Candidate, line: Line, low: Fraction, high: Fraction
    ) -> list[tuple[int, int, Passage]]:
        """Return what triangles that touch either of two have of a line between two of its points."""
        ends = [self.scale.rounded(line.at(m)) for m in (low, high)]
        slack = max(error for _, error in ends)
        box = np.array([numbers for numbers, _ in ends])
        lowest, highest = box.min(axis=0) - slack, box.max(axis=0) + slack
        found = []
        for side, faces in self.around(candidate):
            corners = self.bodies[side].corners[faces]
            near = (corners.min(axis=1) <= highest).all(axis=1) & (corners.max(axis=1) >= lowest).all(axis=1)
            for face in faces[near].tolist():
                part = passage(line, self.triangle(side, face))
                if part is not None:
                    found.append((side, face, part))
        return found

    def _fan(self, line: Line, m: Fraction, found: list[tuple[int, int, Passage]]) -> Fan:
        point, axis = line.at(m), line.direction
        parts: list[Half] = []
        through: tuple[list[int], list[int]] = ([], [])
        normals = []
        for side, face, part in found:
            if part.low < m < part.high:
                third = None
                if part.edge != NO_EDGE:
                    triangle = self.triangle(side, face)
                    third = minus(triangle[(part.edge + 2) % 3], triangle[part.edge])
                parts += halves(axis, part.normal, third, side)
                through[side].append(face)
                normals.append(part.normal)
        return Fan(point, axis, in_order(axis, parts), through, normals)
