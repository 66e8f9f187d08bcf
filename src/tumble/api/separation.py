"""A short shift of b that parts two bodies: the shortest for convex ones, for others the best of a search.

What counts as parted is decided exactly, by signed distances and `relation`, so every shift that is returned parts the
bodies; only that none is shorter is not known. The search goes like this:

    for some directions: go out, at first as far as what is common is thick, until the bodies are apart
    pull back: until they touch, by distances
    project: where they touch along a normal n, the nearest shift that keeps to that plane is (shift · n) n; if the
             bodies are apart there, or half the way, go on from there

It is a descent to a local minimum in the space of shifts, after C. Je et al., "PolyDepth", 2012, with distances in
place of their continuous collision detection.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.collide import collide
from tumble.api.distance import distance
from tumble.api.relation import relation_of_bodies
from tumble.core.products import length
from tumble.errors import InternalError
from tumble.query.nearest import Nearest
from tumble.solid.body import Body
from tumble.solid.convex import ROUNDING, Shift, hull_shift, is_convex_body
from tumble.solid.evidence import Effort, Relation, Undecided

if TYPE_CHECKING:
    from tumble.solid.overlap.crossing import Crossing

Vector = NDArray[np.float64]
MOST_LINES = 2000
"""lines along which surfaces may meet for a shift that leaves them touching; where there are more, another is taken"""
MOST_TRIES = 5
WIDER = 1.6
MOST_STEPS = 24
COARSE, FINE = 1e-6, 1e-11
"""how near the bodies are brought, as a part of their size: while searching, and at the end"""
STEPS = 1.0, 0.5, 0.25
BETTER = 1e-9
MARGINS = 16
SMALLEST = 5e-324
"""a margin for bodies that are one point at the origin"""


class Separation(NamedTuple):
    """A shift of b."""

    direction: Vector
    depth: float
    least: float
    """no shift that is shorter than this parts the bodies; 0 if that is not known"""
    translation: Vector
    """the shift, a little longer than the depth: after it the bodies are apart or touch, exactly"""


class Search:
    """Two bodies that overlap, and where b may go."""

    def __init__(self, bodies: tuple[Body, Body], poses: tuple[Vector | None, Vector | None]) -> None:
        self.bodies = bodies
        self._pose_a, self._pose_b = poses[0], np.eye(4) if poses[1] is None else poses[1]
        self._solid = bodies[0].solid and bodies[1].solid
        corners = np.stack([bodies[0].bounds, bodies[1].bounds])
        self.size = float((corners.max(axis=(0, 1)) - corners.min(axis=(0, 1))).max())
        self.rounding = max(ROUNDING * max(self.size, float(np.abs(corners).max())), SMALLEST)

    def pose_at(self, shift: Vector) -> Vector:
        """Return the pose of b after a shift."""
        pose = self._pose_b.copy()
        pose[:3, 3] += shift
        return pose

    def nearest(self, shift: Vector) -> Nearest:
        """Return how far the bodies are apart after a shift; negative: one is inside the other."""
        a, b = (body.mesh for body in self.bodies)
        return distance(a, b, self._pose_a, self.pose_at(shift), signed=self._solid)

    def parted(self, shift: Vector) -> bool:
        """Tell whether the bodies are apart, or touch at most, after a shift."""
        gap = self.nearest(shift).distance
        if gap != 0.0:
            return gap > 0.0
        a, b = self.bodies
        pose = self.pose_at(shift)
        moved = a, b.at(np.ascontiguousarray(pose[:3]))
        witness = collide(a.mesh, b.mesh, self._pose_a, pose, first=True).pairs
        try:
            found = relation_of_bodies(
                moved,
                witness,
                lambda: collide(a.mesh, b.mesh, self._pose_a, pose).pairs,
                Effort(MOST_LINES, MOST_LINES),
            )
        except Undecided:
            return False
        return found.relation in (Relation.APART, Relation.TOUCHING)

    def pulled_back(self, shift: Vector, nearness: float) -> Vector:
        """Return the shift, shortened until the bodies are as near as that; it parts them like the one given."""
        whole = length(shift)
        way = shift / whole
        gap = self.nearest(shift).distance
        step = gap
        for _ in range(MOST_STEPS):
            if gap <= nearness * self.size:
                break
            # as far as the last step suggests, or else as far as is safe
            for shorter in (min(step, 0.999 * whole), min(gap, 0.999 * whole)):
                shorter *= 1.0 - 1e-9
                closer = self.nearest((whole - shorter) * way).distance
                if closer > 0.0:
                    break
            else:
                break
            slope = (gap - closer) / shorter
            whole, gap = whole - shorter, closer
            step = gap / slope if slope > 1e-3 else gap
        return whole * way

    def went_out(self, way: Vector, thickness: float, limit: float) -> Vector | None:
        """Return a shift in a direction that parts the bodies, below a limit; None if none is found."""
        reach = thickness * (1.0 + 1e-9) + 4.0 * self.rounding
        for _ in range(MOST_TRIES):
            if reach >= limit:
                return None
            if self.parted(reach * way):
                return self.pulled_back(reach * way, COARSE)
            reach *= WIDER
        return None

    def descended(self, shift: Vector) -> Vector:
        """Return a shift that is not longer than the given one, by projecting it on planes of contact."""
        for _ in range(MOST_STEPS):
            points = self.nearest(shift).points
            if points is None:
                break
            between = points[1] - points[0]
            gap = length(between)
            if gap == 0.0:
                break
            normal = between / gap
            target = float(shift @ normal) * normal
            found = self._on_the_way(shift, target)
            if found is None:
                break
            shift = found
        return shift

    def _on_the_way(self, shift: Vector, target: Vector) -> Vector | None:
        old = length(shift)
        for part in STEPS:
            candidate = shift + part * (target - shift)
            if not 0.0 < length(candidate) < old * (1.0 - BETTER):
                return None
            if self.nearest(candidate).distance > 0.0:
                return self.pulled_back(candidate, COARSE)
        return None

    def verified(self, way: Vector, depth: float, least: float) -> Separation | None:
        """Return a shift with a margin for rounding, if it parts the bodies."""
        margin = self.rounding
        for _ in range(MARGINS):
            shift = (depth + margin) * way
            if self.parted(shift):
                return Separation(way, depth, least, shift)
            margin *= 4.0
        return None


def separation(crossing: Crossing, poses: tuple[Vector | None, Vector | None]) -> Separation:
    """Return a shift that parts two bodies that overlap."""
    from tumble.solid.overlap.directions import corners_of, ways_apart

    bodies = crossing.bodies
    search = Search(bodies, poses)
    hulls = hull_shift(bodies) or _along_an_axis(bodies)
    convex = bodies[0].solid and bodies[1].solid and all(map(is_convex_body, bodies))
    if convex:
        found = search.verified(hulls.direction, hulls.length, hulls.least)
        if found is not None:
            return found
    best = search.verified(hulls.direction, hulls.length, hulls.least if convex else 0.0)
    if best is None:
        raise InternalError("a shift past the hulls of two bodies does not part them; please report this")
    return _shortened(
        search, best, _sorted_by_thickness(corners_of(crossing), [hulls.direction, *ways_apart(crossing)])
    )


def _shortened(search: Search, best: Separation, ways: Iterable[tuple[float, Vector]]) -> Separation:
    """Return the best of some directions, or what is known already."""
    shift = search.descended(search.pulled_back(best.translation, COARSE))
    for thickness, way in ways:
        found = search.went_out(way, thickness, length(shift))
        if found is not None:
            found = search.descended(found)
            if length(found) < length(shift):
                shift = found
    shift = search.pulled_back(shift, FINE)
    whole = length(shift)
    return search.verified(shift / whole, whole, best.least) or best


def _sorted_by_thickness(corners: Vector, ways: Iterable[Vector]) -> list[tuple[float, Vector]]:
    """Return directions with how thick points are along them, the thinnest first."""
    found = []
    for way in ways:
        heights = corners @ way
        found.append((float(heights.max() - heights.min()), way))
    return sorted(found, key=lambda item: item[0])


def _along_an_axis(bodies: tuple[Body, Body]) -> Shift:
    """Return the shortest shift along an axis that parts the boxes of bodies."""
    (low_a, high_a), (low_b, high_b) = bodies[0].bounds, bodies[1].bounds
    lengths = np.concatenate([high_a - low_b, high_b - low_a])
    k = int(np.argmin(lengths))
    return Shift((1.0 if k < 3 else -1.0) * np.eye(3)[k % 3], float(lengths[k]), 0.0)
