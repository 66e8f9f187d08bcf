"""Where two surfaces meet in segments: the lines around which `fans` looks.

Let t be a triangle of one mesh and f one of the other that share more than a point. Next to the middle of a piece of
their common part that nothing else cuts, at least one of these is so:

 - t and f cross: both have vertices strictly on both sides of the other's plane (`crossing`);
 - an edge of f runs in the plane of t, or one of t in that of f (`along`).

An edge in which the surface goes on flat is left out where the other triangle is in the same plane: nothing changes
there. So is one along which two solids face each other (`narrow.triangles.facing`): what is around it is known.

On such a line, triangles that meet the piece are among those that touch t or f, so everything is known from the list of
touching pairs. The ends of what they have of the line cut it into pieces, and each piece gets a fan.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.solid.body import Body
from tumble.solid.exact import Facet, Line, Passage, Point, Scale, cross, dot, facet_of, minus, passage
from tumble.solid.fans import Fan, Half, halves, in_order

NO_EDGE = -1


class Candidate(NamedTuple):
    """Two triangles that may share a segment: along an edge of one of them, or where they cross."""

    faces: tuple[int, int]
    """one of each column of the pairs"""
    column: int
    """whose edge"""
    edge: int
    """from corner `edge` to the next; NO_EDGE where they cross"""


class Contacts:
    """Touching pairs of triangles, degenerate ones left out; `owners`: the bodies of both columns, 0 for a, 1 for b."""

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
        self.outward: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None
        """which faces of both have their solid behind them and nothing before them, where that is known"""
        self.faced: tuple[set[int], set[int]] = set(), set()
        """the triangles of a and of b that `candidates` has left out, as the solids face each other there"""
        self._facets: tuple[dict[int, Facet], dict[int, Facet]] = ({}, {})
        self._done: set[tuple[Point, Point]] = set()

    @cached_property
    def scale(self) -> Scale:
        """What makes all coordinates whole numbers."""
        return Scale(*(body.points for body in self.bodies))

    @cached_property
    def sides(self) -> NDArray[np.int8]:
        """(k, 6) see `write_sides`."""
        from tumble.narrow.triangles.sides import write_sides

        found = np.empty((len(self.pairs), 6), np.int8)
        write_sides(*self._sides_of(0), *self._sides_of(1), self.pairs, found)
        return found

    def _sides_of(self, column: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Return the posed vertices and the faces of a column's body."""
        body = self.bodies[self.owners[column]]
        return body.points, body.surface.faces

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

    def facet(self, side: int, face: int) -> Facet:
        """Return a triangle of a body in whole numbers."""
        known = self._facets[side].get(face)
        if known is None:
            p, q, r = (self.scale.vector(corner) for corner in self.bodies[side].corners[face].tolist())
            known = self._facets[side][face] = facet_of((p, q, r))
        return known

    def candidates(self) -> Iterator[Iterator[Candidate]]:
        """Return all pairs that may share a segment, those that cross first: these often decide at once."""
        yield self._crossing()
        yield self._along(0)
        yield self._along(1)

    def _crossing(self) -> Iterator[Candidate]:
        """Return the pairs that share a segment, each triangle with vertices on both sides of the other's plane."""
        from tumble.narrow.triangles.sides import write_sharing

        both = [(self.sides[:, k : k + 3] > 0).any(axis=1) & (self.sides[:, k : k + 3] < 0).any(axis=1) for k in (0, 3)]
        pairs = self.pairs[both[0] & both[1]]
        sharing = np.empty(len(pairs), bool)
        write_sharing(*self._sides_of(0), *self._sides_of(1), pairs, sharing)
        return (Candidate((a, b), 0, NO_EDGE) for a, b in pairs[sharing].tolist())

    def _along(self, column: int) -> Iterator[Candidate]:
        """Return the triangles of the other column in whose planes edges of one run, each edge once."""
        signs = self.sides[:, 3:] if column == 0 else self.sides[:, :3]
        zero = signs == 0
        in_plane = zero & zero[:, [1, 2, 0]]
        rows, edges = np.nonzero(in_plane)
        coplanar = zero.all(axis=1)
        keep = ~(coplanar[rows] & self._flat(column)[rows, edges])
        rows, edges = rows[keep], edges[keep]
        keep = self._overlapping(column, rows, edges)
        rows, edges = rows[keep], edges[keep]
        faces = self.bodies[self.owners[column]].surface.faces[self.pairs[rows, column]].astype(np.int64)
        ends = np.stack([faces[np.arange(len(rows)), edges], faces[np.arange(len(rows)), (edges + 1) % 3]], axis=1)
        keys = np.stack([ends.min(axis=1), ends.max(axis=1), self.pairs[rows, 1 - column]], axis=1)
        known = self._facing(column, rows, edges, keys)
        rows, edges, keys = rows[~known], edges[~known], keys[~known]
        for k in np.sort(unique_rows(keys).first).tolist():
            a, b = self.pairs[rows[k]].tolist()
            yield Candidate((a, b), column, int(edges[k]))

    def _facing(
        self, column: int, rows: NDArray[np.int64], edges: NDArray[np.int64], keys: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return of which edges it is known that the solids face each other along them.

        keys   (n, 3) the vertices of each edge, and the triangle of the other column that it shares a segment with
        """
        from tumble.narrow.triangles.facing import ALONG_ALL, ALONG_PART, NOT_KNOWN, write_facing

        known = np.zeros(len(rows), bool)
        if self.outward is None:
            return known
        own, other = self.pairs[rows, column], self.pairs[rows, 1 - column]
        outward = self.outward[column][own] & self.outward[1 - column][other]
        places = np.flatnonzero(outward & (self.sides[rows] == 0).all(axis=1))
        own, other = own[places], other[places]
        found = np.empty(len(places), np.int8)
        near = *self._near(1 - column, other), *self._near(column, own)
        sides = *self._sides_of(column), *self._sides_of(1 - column)
        write_facing(*sides, np.stack([own, edges[places], other], axis=1), *near, found)
        self.faced[column].update(own[found != NOT_KNOWN].tolist())
        self.faced[1 - column].update(other[found != NOT_KNOWN].tolist())
        for key, wanted in ((keys, ALONG_PART), (keys[:, :2], ALONG_ALL)):
            which = unique_rows(key).which
            known |= np.isin(which, which[places[found >= wanted]])
        return known

    def _near(self, column: int, faces: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the triangles of the other column that touch some of one, and (n, 2) where those of each are."""
        own, first, others = self._lists[column]
        places = np.searchsorted(own, faces)
        return others, np.stack([first[places], first[places + 1]], axis=1)

    def _overlapping(self, column: int, rows: NDArray[np.int64], edges: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which edges share more than a point with the triangles in whose planes they are."""
        from tumble.narrow.triangles.sides import write_overlapping

        body, other = (self.bodies[self.owners[k]] for k in (column, 1 - column))
        faces = body.surface.faces[self.pairs[rows, column]]
        each = np.arange(len(rows))
        ends = body.points[faces[each, edges]], body.points[faces[each, (edges + 1) % 3]]
        found = np.empty(len(rows), bool)
        write_overlapping(*ends, other.corners[self.pairs[rows, 1 - column]], found)
        return found

    def _flat(self, column: int) -> NDArray[np.bool_]:
        """(k, 3) for each pair, which edges of one column's triangle the surface crosses in one plane."""
        from tumble.narrow.triangles.sides import write_flat

        body = self.bodies[self.owners[column]]
        which, place = np.unique(self.pairs[:, column], return_inverse=True)
        flat = np.empty((len(which), 3), bool)
        write_flat(body.points, body.surface.faces, body.surface.twins, which, flat)
        return flat[place.reshape(-1)]

    def fans(self, candidate: Candidate) -> list[Fan]:
        """Return the fans around the pieces of what two triangles share; none if that is a point, or was looked at."""
        line = self._line(candidate)
        one, other = (passage(line, facet) for facet in self._two(candidate))
        if one is None or other is None:
            return []
        low = max(Fraction(one.low, one.low_scale), Fraction(other.low, other.low_scale))
        high = min(Fraction(one.high, one.high_scale), Fraction(other.high, other.high_scale))
        if low >= high:
            return []
        ends = line.at(low), line.at(high)
        if candidate.edge != NO_EDGE:
            if ends in self._done:
                return []
            self._done.update((ends, ends[::-1]))
        found = self._passages(candidate, line, ends)
        cuts = {low, high}
        for _, _, part in found:
            for number, scale in ((part.low, part.low_scale), (part.high, part.high_scale)):
                if (
                    low.numerator * scale < number * low.denominator
                    and number * high.denominator < high.numerator * scale
                ):
                    cuts.add(Fraction(number, scale))
        ordered = sorted(cuts)
        middles = [(first + last) / 2 for first, last in pairwise(ordered)]
        return [self._fan(line, middle, found) for middle in middles]

    def _two(self, candidate: Candidate) -> tuple[Facet, Facet]:
        (one, other), (a, b) = self.owners, candidate.faces
        return self.facet(one, a), self.facet(other, b)

    def _line(self, candidate: Candidate) -> Line:
        t, f = self._two(candidate)
        if candidate.edge != NO_EDGE:
            corners = (t, f)[candidate.column].corners
            start, end = corners[candidate.edge], corners[(candidate.edge + 1) % 3]
            return Line(Point(*start, 1), minus(end, start))
        heights = [dot(f.normal, minus(corner, f.corners[0])) for corner in t.corners]
        k = next(k for k in range(3) if heights[k] * heights[(k + 1) % 3] < 0)
        (p, q), (above, below) = (t.corners[k], t.corners[(k + 1) % 3]), (heights[k], heights[(k + 1) % 3])
        if above < below:
            p, q, above, below = q, p, below, above
        edge, w = minus(q, p), above - below
        x, y, z = (p[i] * w + edge[i] * above for i in range(3))
        return Line(Point(x, y, z, w), cross(t.normal, f.normal))

    def _passages(self, candidate: Candidate, line: Line, ends: tuple[Point, Point]) -> list[tuple[int, int, Passage]]:
        """Return what triangles that touch either of two have of a line, those near to a piece of it."""
        rounded = [self.scale.rounded(end) for end in ends]
        slack = max(error for _, error in rounded)
        box = np.array([numbers for numbers, _ in rounded])
        lowest, highest = box.min(axis=0) - slack, box.max(axis=0) + slack
        found = []
        for side, faces in self.around(candidate):
            low, high = self.bodies[side].boxes
            near = (low[faces] <= highest).all(axis=1) & (high[faces] >= lowest).all(axis=1)
            for face in faces[near].tolist():
                part = passage(line, self.facet(side, face))
                if part is not None:
                    found.append((side, face, part))
        return found

    def _fan(self, line: Line, middle: Fraction, found: list[tuple[int, int, Passage]]) -> Fan:
        axis, m, n = line.direction, middle.numerator, middle.denominator
        parts: list[Half] = []
        through: tuple[list[int], list[int]] = ([], [])
        normals = []
        for side, face, part in found:
            if part.low * n < m * part.low_scale and m * part.high_scale < part.high * n:
                facet, third = self.facet(side, face), None
                if part.edge != NO_EDGE:
                    third = minus(facet.corners[(part.edge + 2) % 3], facet.corners[part.edge])
                parts += halves(axis, facet.normal, third, side)
                through[side].append(face)
                normals.append(facet.normal)
        return Fan(line.at(middle), axis, in_order(axis, parts), through, normals)
