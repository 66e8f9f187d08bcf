"""The volume of what two solids have in common as a fraction, for overlaps so thin that rounding hides them.

The same sum as in `narrow.overlap.integrals`, of the same pieces, with nothing rounded: slow, and rarely needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tumble.solid.exact import Scale, Vector, dot, minus, normal_of
from tumble.solid.overlap.crossing import A, B, Crossing

Place = tuple[Fraction, Fraction, Fraction]
Piece = tuple[int, Place, Place]


class _Exact:
    """The coordinates of vertices and places as fractions."""

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.scale = Scale(crossing.bodies[A].points, crossing.bodies[B].points)
        self._places: dict[int, tuple[Fraction, Place]] = {}

    def vertex(self, side: int, number: int) -> Vector:
        return self.scale.vector(self.crossing.bodies[side].points[number].tolist())

    def place(self, number: int) -> tuple[Fraction, Place]:
        """Return how far along its edge a place is, and where."""
        if number not in self._places:
            side, edge, face = self.crossing.features[number].tolist()
            low, high = (self.vertex(side, k) for k in self.crossing.faces[side].edges.ends[edge].tolist())
            p, q, r = (self.vertex(1 - side, k) for k in self.crossing.faces[1 - side].edges.faces[face].tolist())
            normal = normal_of((p, q, r))
            below, above = dot(normal, minus(low, p)), dot(normal, minus(high, p))
            share = Fraction(below, below - above)
            x, y, z = (low[k] + share * (high[k] - low[k]) for k in range(3))
            self._places[number] = share, (x, y, z)
        return self._places[number]


def exact_volume(crossing: Crossing) -> Fraction:
    """Return the volume of what two bodies have in common."""
    exact = _Exact(crossing)
    total = Fraction(0)
    for side in (A, B):
        for face, pieces in _boundaries(exact, side):
            p, q, r = (exact.vertex(side, k) for k in crossing.faces[side].edges.faces[face].tolist())
            normal = normal_of((p, q, r))
            # a part in a plane: its cone from the origin is height × area / 3, and its area is in the plane's normal
            area = sum((weight * _turn(normal, start, end) for weight, start, end in pieces), Fraction(0))
            square = dot(normal, normal)
            if square:
                weight = int(crossing.faces[side].weights[face])
                total += weight * Fraction(dot(normal, p), square) * area
    return total / 6 / (1 << exact.scale.bits) ** 3


def _turn(normal: Vector, p: Place, q: Place) -> Fraction:
    """Return the determinant of a normal and two places."""
    x, y, z = normal
    return x * (p[1] * q[2] - p[2] * q[1]) + y * (p[2] * q[0] - p[0] * q[2]) + z * (p[0] * q[1] - p[1] * q[0])


def _boundaries(exact: _Exact, side: int) -> Iterator[tuple[int, list[Piece]]]:
    """Return all faces that have a part in the other body, with the directed pieces that bound it."""
    crossing = exact.crossing
    edges, members = crossing.faces[side].edges, crossing.members(side)
    on_edges: dict[int, list[int]] = {}
    for number in np.flatnonzero(crossing.features[:, 0] == side).tolist():
        on_edges.setdefault(int(crossing.features[number, 1]), []).append(number)
    crossed: dict[int, list[int]] = {}
    for k, face in enumerate(crossing.segments[:, side].tolist()):
        crossed.setdefault(face, []).append(k)
    inside = np.flatnonzero((members[edges.faces] != 0).any(axis=1)).tolist()
    for face in sorted({*crossed, *inside}):
        if crossing.faces[side].weights[face] == 0 or (edges.numbers[face] < 0).any():
            continue
        pieces = [piece for k in range(3) for piece in _of_edge(exact, side, face, k, on_edges)]
        for k in crossed.get(face, []):
            start, end = (exact.place(number)[1] for number in crossing.ends[k].tolist())
            weight = int(crossing.faces[1 - side].weights[crossing.segments[k, 1 - side]])
            pieces.append((weight if side == A else -weight, start, end))
        yield face, pieces


def _of_edge(exact: _Exact, side: int, face: int, k: int, on_edges: dict[int, list[int]]) -> Iterator[Piece]:
    """Return the pieces of an edge of a face in the other body, as the face passes them."""
    crossing = exact.crossing
    edges, members = crossing.faces[side].edges, crossing.members(side)
    u, v = int(edges.faces[face, k]), int(edges.faces[face, (k + 1) % 3])
    low, high, sign = (u, v, 1) if u < v else (v, u, -1)
    member, start = int(members[low]), tuple(map(Fraction, exact.vertex(side, low)))
    for number in sorted(on_edges.get(int(edges.numbers[face, k]), []), key=lambda number: exact.place(number)[0]):
        end = exact.place(number)[1]
        if member:
            yield sign * member, start, end  # type: ignore[misc]
        member, start = member + int(crossing.jumps[number]), end
    if member:
        yield sign * member, start, tuple(map(Fraction, exact.vertex(side, high)))  # type: ignore[misc]
