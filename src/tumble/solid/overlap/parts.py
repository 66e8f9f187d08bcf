"""What two solids have in common where the parts of a mesh cross or touch each other.

Bodies of one mesh that overlap are united, so whether a face bounds the solid changes along it. Here every sheet of
both meshes (`sheets`) is moved by an infinitely small step of its own, and cuts the faces of all others; the integrals
are taken over the pieces (`narrow.overlap.arrangement`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.core.records import frozen
from tumble.errors import InternalError
from tumble.mesh.edges import NO_EDGE, Edges
from tumble.narrow.overlap import segments as columns
from tumble.narrow.overlap.arrangement import Cut, Strips, add_all_faces
from tumble.narrow.overlap.integrals import Frame, Totals, totals
from tumble.narrow.overlap.part_memberships import connect_part_vertices, write_part_memberships
from tumble.narrow.overlap.points import write_places
from tumble.solid.body import Body
from tumble.solid.overlap.faces import SolidFaces

Pairs = NDArray[np.int64]


class Sheets(NamedTuple):
    """The faces of one body, a vertex of several sheets being several: each sheet moves on its own."""

    points: NDArray[np.float64]
    of_vertices: NDArray[np.int64]
    """(vertices,) the sheet of each"""
    edges: Edges
    number: int


def _sheets(body: Body, faces: SolidFaces) -> Sheets:
    keys = faces.sheets[:, None] * len(body.points) + faces.edges.faces
    own, numbers = np.unique(keys, return_inverse=True)
    edges = Edges(numbers.reshape(-1, 3).astype(np.int32))
    count = int(faces.sheets.max(initial=-1)) + 1
    return Sheets(body.points[own % len(body.points)], own // len(body.points), edges, count)


class JoinedEdges(NamedTuple):
    """The edges of two bodies, those of a first."""

    faces: NDArray[np.int32]
    ends: NDArray[np.int64]
    numbers: NDArray[np.int32]


def _joined(a: Sheets, b: Sheets) -> JoinedEdges:
    numbers = b.edges.numbers + np.where(b.edges.numbers != NO_EDGE, np.int32(len(a.edges.ends)), np.int32(0))
    return JoinedEdges(
        frozen(np.concatenate([a.edges.faces, b.edges.faces + np.int32(len(a.points))])),
        np.concatenate([a.edges.ends, b.edges.ends + len(a.points)]),
        np.concatenate([a.edges.numbers, numbers]),
    )


class Parts:
    """All faces of two bodies, by connected parts, those of a first."""

    def __init__(self, bodies: tuple[Body, Body], faces: tuple[SolidFaces, SolidFaces], pairs: Sequence[Pairs]) -> None:
        """`pairs`: touching triangles of a and b, of a with itself, and of b with itself."""
        a, b = (body.kept("sheets", partial(_sheets, body, each)) for body, each in zip(bodies, faces, strict=True))
        self.parts = np.concatenate([faces[0].sheets, faces[1].sheets + a.number])
        """(m,) the part of each face"""
        self.owner_of_part = (np.arange(a.number + b.number) >= a.number).astype(np.int64)
        self.points = frozen(np.concatenate([a.points, b.points]))
        self.vertex_parts = np.concatenate([a.of_vertices, b.of_vertices + a.number])
        self.edges = _joined(a, b)
        self.fronts = np.concatenate([faces[0].fronts, faces[1].fronts])
        self.parity = np.array([not body.surface.oriented for body in bodies])
        count = len(faces[0].edges.faces)
        shifts = (0, count), (0, 0), (count, count)
        self._cross(np.concatenate([found + shift for found, shift in zip(pairs, shifts, strict=True)]))

    def _cross(self, pairs: Pairs) -> None:
        """Find the segments in which parts cross, and the places at their ends."""
        rows = pairs[self.parts[pairs[:, 0]] < self.parts[pairs[:, 1]]]
        found, arrays = np.empty((len(rows), columns.COLUMNS), np.int64), (self.points, self.edges.faces)
        signs = np.empty(columns.SIGNS, np.int8)
        count = columns.write_segments(*arrays, *arrays, frozen(np.ascontiguousarray(rows)), signs, found)
        if count == columns.CORRUPT:
            raise InternalError("two triangles cross in a segment with one end; please report this")
        self.segments = found[:count]
        stubs = np.concatenate([self._stubs(columns.START), self._stubs(columns.END)])
        self.features, _, numbers = unique_rows(stubs[:, :3])
        """(n, 3) for each place its edge, the face that it pierces, and the way: 1 outward, 0 inward"""
        self.ends = numbers.reshape(2, -1).T

    def _stubs(self, column: int) -> NDArray[np.int64]:
        local = self.segments[:, column]
        of_higher = local >= columns.EDGES_OF_B
        own = np.where(of_higher, self.segments[:, 1], self.segments[:, 0])
        other = np.where(of_higher, self.segments[:, 0], self.segments[:, 1])
        corner, faces = local % 3, self.edges.faces
        ascending = faces[own, corner] < faces[own, (corner + 1) % 3]
        outward = (column == columns.START) != of_higher
        return np.stack([self.edges.numbers[own, corner], other, ascending == outward], axis=1).astype(np.int64)

    def _places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        places, shares = np.empty((len(self.features), 3)), np.empty(len(self.features))
        ends, corners = self.edges.ends[self.features[:, 0]], self.edges.faces[self.features[:, 1]]
        write_places(self.points, ends, self.points, corners, places, shares)
        return places, shares

    def _jumps(self) -> NDArray[np.int64]:
        """(n, 2) how much both numbers grow at each place, along its edge."""
        owners = self.owner_of_part[self.vertex_parts[self.edges.ends[self.features[:, 0], 0]]]
        foreign = owners != self.owner_of_part[self.parts[self.features[:, 1]]]
        step = 1 - 2 * self.features[:, 2]
        return np.stack([np.where(foreign, 0, step), np.where(foreign, step, 0)], axis=1)

    def _members(self, jumps: NDArray[np.int64]) -> NDArray[np.int64]:
        """(vertices, 2) both numbers of each vertex."""
        total = np.zeros((len(self.edges.ends), 2), np.int64)
        np.add.at(total, self.features[:, 0], jumps)
        parent, own, other = (np.empty(len(self.points), np.int64) for _ in range(3))
        connect_part_vertices(self.edges.ends, total, parent, own, other)
        roots = np.unique(parent)
        at_roots = np.empty((len(roots), 2), np.int64)
        arrays = self.points, self.edges.faces, self.parts, self.owner_of_part
        write_part_memberships(*arrays, self.points[roots], self.vertex_parts[roots], at_roots)
        return at_roots[np.searchsorted(roots, parent)] + np.stack([own, other], axis=1)

    def totals(self, frame: Frame) -> Totals:
        """Return the integrals of what is common."""
        places, shares = self._places()
        jumps = self._jumps()
        order = np.lexsort((shares, self.features[:, 0]))
        first = np.searchsorted(self.features[:, 0], np.arange(len(self.edges.ends) + 1))
        cut = Cut(
            self.points, self.edges.faces, self.edges.numbers, self.fronts, self.owner_of_part[self.parts], self.parity,
            self._members(jumps), first, places[order], jumps[order], *self._on_faces(places),
        )  # fmt: skip
        most = int(np.diff(cut.first_segment).max(initial=0))
        events = 4 * most + 64

        def add(sums: NDArray[np.float64], kept: NDArray[np.float64]) -> None:
            nonlocal events
            while (needed := add_all_faces(cut, frame, _strips(most, events), sums, kept)) > events:
                events = needed
                sums[:] = 0.0

        return totals(add, 8 * len(self.segments) + len(self.parts))

    def _on_faces(self, places: NDArray[np.float64]) -> tuple[Pairs, NDArray[np.float64], Pairs]:
        """Return where the segments on each face begin, their directed ends, and which number changes there."""
        owners = self.owner_of_part[self.parts]
        lower, higher = self.segments[:, 0], self.segments[:, 1]
        faces = np.concatenate([lower, higher])
        ends = np.concatenate([self.ends, self.ends[:, ::-1]])
        foreign = np.tile(owners[lower] != owners[higher], 2).astype(np.int64)
        order = np.argsort(faces, kind="stable")
        first = np.searchsorted(faces[order], np.arange(len(self.parts) + 1))
        return first, np.ascontiguousarray(places[ends[order]]), foreign[order]


def _strips(segments: int, events: int) -> Strips:
    memory = max(segments, 1)
    lines, flat = np.empty((memory, 2, 3)), np.empty((memory, 2, 2))
    return Strips(lines, flat, np.empty(events), np.empty(memory, np.int64), np.empty(memory))
