"""Whether a body goes through another: its surface, cut along the curves, has several pieces outside of the other.

A graph of what is outside: vertices; the stretches into which places cut an edge; segments of curves, each standing for
the outer side next to it. Edges that are not cut connect their ends, the last stretch of an edge belongs to its end, a
segment that ends on an edge touches the outer stretch there, and segments that meet within a face go on in each other.
A ring of segments within one face has its outer side around it, and then a ray from it finds what else is there; or the
outer side is within the ring, a piece of its own. Each connected part of the graph that has a segment is a piece of the
surface.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.components import connect
from tumble.solid.overlap.crossing import Crossing

Numbers = NDArray[np.int64]


def pieces_outside(crossing: Crossing, side: int) -> int:
    """Return into how many pieces the outside of a surface is cut: the most of any of its connected components."""
    if len(crossing.segments) == 0:
        return 0
    count = len(crossing.segments)
    size = len(crossing.bodies[side].points) + len(crossing.features) + count
    links = _links(crossing, side)
    links.append(_links_of_rings(crossing, side, _labels(_within_faces(crossing, side), size)[-count:]))
    components = crossing.faces[side].edges.components[crossing.segments[:, side]]
    found = np.unique(components.astype(np.int64) * size + _labels(links, size)[-count:])
    return int(np.bincount(found // size).max())


def _labels(links: list[Numbers], size: int) -> Numbers:
    """Return a number for each node, the same where links connect them."""
    members = np.concatenate(links, axis=1).T.ravel()
    labels = np.empty(size, np.int32)
    connect(members, np.arange(0, len(members) + 1, 2), labels)
    return labels.astype(np.int64)


def _links(crossing: Crossing, side: int) -> list[Numbers]:
    """Return the edges of the graph, (2, k) each; nodes are vertices, then places, for what follows them, segments."""
    edges, members = crossing.faces[side].edges, crossing.members(side)
    vertices, places = len(crossing.bodies[side].points), len(crossing.features)
    own = np.flatnonzero(crossing.features[:, 0] == side)
    own = own[np.lexsort((crossing.shares[own], crossing.features[own, 1]))]
    on = crossing.features[own, 1]
    first = np.flatnonzero(np.diff(on, prepend=-1))
    counts = np.diff(first, append=len(on))
    # what is before and behind each place, as a node, and whether it is outside
    before = np.empty(places, np.int64)
    before[own[1:]] = vertices + own[:-1]
    before[own[first]] = edges.ends[on[first], 0]
    grown = np.cumsum(crossing.jumps[own])
    base = members[edges.ends[on, 0]] - np.repeat(grown[first] - crossing.jumps[own[first]], counts)
    inside_behind = np.empty(places, np.int64)
    inside_behind[own] = base + grown
    inside_before = np.empty(places, np.int64)
    inside_before[own] = base + grown - crossing.jumps[own]
    whole = np.ones(len(edges.ends), bool)
    whole[on] = False
    whole &= members[edges.ends[:, 0]] == 0
    last = own[first + counts - 1]
    last = last[inside_behind[last] == 0]
    links = [edges.ends[whole].T, np.stack([vertices + last, edges.ends[crossing.features[last, 1], 1]])]
    segments = vertices + places + np.arange(len(crossing.segments))
    for at in crossing.ends.T:
        mine = crossing.features[at, 0] == side
        for inside, node in ((inside_before, before), (inside_behind, vertices + np.arange(places))):
            outer = mine.copy()
            outer[mine] = inside[at[mine]] == 0
            links.append(np.stack([segments[outer], node[at[outer]]]))
    return links + _within_faces(crossing, side)


def _within_faces(crossing: Crossing, side: int) -> list[Numbers]:
    """Return the links of segments that go on in each other within a face, at an edge of the other body."""
    first = len(crossing.bodies[side].points)
    segments = first + len(crossing.features) + np.arange(len(crossing.segments))
    foreign = [crossing.features[at, 0] != side for at in crossing.ends.T]
    return [np.stack([segments[f], first + at[f]]) for at, f in zip(crossing.ends.T, foreign, strict=True)]


def _links_of_rings(crossing: Crossing, side: int, chains: Numbers) -> Numbers:
    """Return what is next to the rings of segments within one face whose outer side is around them."""
    on_edges = (crossing.features[crossing.ends, 0] == side).any(axis=1)
    rings = np.setdiff1d(chains, chains[on_edges])
    found = []
    for ring in rings.tolist():
        members = np.flatnonzero(chains == ring)
        face = int(crossing.segments[members[0], side])
        flat = _Flat(crossing, side, face)
        start, end = flat.segments(members)
        area = float((start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]).sum())
        other = crossing.faces[1 - side].weights[crossing.segments[members[0], 1 - side]]
        # on a, what is inside of b is to the left of segments; on b, what is inside of a to the right
        if area * (1 if side == 0 else -1) * int(other) >= 0.0:
            node = flat.beyond(members, start[int(start[:, 0].argmax())])
            first = len(crossing.bodies[side].points) + len(crossing.features)
            found.append((first + int(members[0]), node))
    return np.array(found, np.int64).reshape(-1, 2).T


class _Flat:
    """A face of one side, seen in its plane."""

    def __init__(self, crossing: Crossing, side: int, face: int) -> None:
        self.crossing, self.side, self.face = crossing, side, face
        self.edges, points = crossing.faces[side].edges, crossing.bodies[side].points
        corners = points[self.edges.faces[face]]
        along = corners[1] - corners[0]
        up = np.cross(along, corners[2] - corners[0])
        frame = np.stack([along, np.cross(up, along)])
        self.frame, self.origin = frame / np.sqrt((frame * frame).sum(axis=1))[:, None], corners[0]
        self.corners = self._seen(corners)

    def _seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points - self.origin) @ self.frame.T)

    def segments(self, members: Numbers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the starts and ends of segments."""
        start, end = self.crossing.ends[members].T
        return self._seen(self.crossing.places[start]), self._seen(self.crossing.places[end])

    def beyond(self, ring: Numbers, point: NDArray[np.float64]) -> int:
        """Return the node of what a ray from the outermost point of a ring meets first: a segment, or an edge."""
        others = np.setdiff1d(np.flatnonzero(self.crossing.segments[:, self.side] == self.face), ring)
        starts, ends = self.segments(others)
        starts, ends = (np.concatenate(each) for each in ((starts, self.corners), (ends, np.roll(self.corners, -1, 0))))
        hit = np.flatnonzero((starts[:, 1] <= point[1]) != (ends[:, 1] <= point[1]))
        share = (point[1] - starts[hit, 1]) / (ends[hit, 1] - starts[hit, 1])
        reach = starts[hit, 0] + share * (ends[hit, 0] - starts[hit, 0]) - point[0]
        reach[reach < 0.0] = np.inf
        nearest = int(reach.argmin())
        if hit[nearest] < len(others):
            first = len(self.crossing.bodies[self.side].points) + len(self.crossing.features)
            return first + int(others[hit[nearest]])
        return self._on_edge(int(hit[nearest]) - len(others), float(share[nearest]))

    def _on_edge(self, k: int, share: float) -> int:
        """Return the node of the stretch of an edge of the face, from corner k to the next, at a part of its length."""
        edge = int(self.edges.numbers[self.face, k])
        low = int(self.edges.ends[edge, 0])
        share = share if int(self.edges.faces[self.face, k]) == low else 1.0 - share
        on = np.flatnonzero((self.crossing.features[:, 0] == self.side) & (self.crossing.features[:, 1] == edge))
        before = on[self.crossing.shares[on] < share]
        if len(before) == 0:
            return low
        return len(self.crossing.bodies[self.side].points) + int(before[self.crossing.shares[before].argmax()])
