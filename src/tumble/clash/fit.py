"""Whether the surfaces of two bodies reach into each other no deeper than a tolerance: proved, not sampled.

The shift that parts two bodies says nothing about a fit: a pin that is a hair too thick for its bore has to leave it
along the axis. What counts there is how far each surface reaches into the other body, measured to that body's surface;
no shift that parts the bodies is shorter, as a ball of that radius around the deepest point has to go, too.

The part of each face that is inside lies in the hull of its corners, which is cut into triangles. One is done

 - when its corners are less deep than the tolerance by as much as other points can be deeper: a third of √3 of its
   longest edge, as no distance grows faster than the way;
 - when its corners are all nearer than that to the same flat, convex part of the other surface: so are all its points.

Else it is halved. A body that lies in its own copy, a little off, has surfaces that are near to each other and is still
a clash: there the nearest faces look the same way, while those of a fit look at each other. So a face whose nearest one
looks its way is never within, unless the two are flush.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.contains import signed_distance

if TYPE_CHECKING:
    from tumble.solid.overlap.crossing import Crossing

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Pose = NDArray[np.float64] | None
MOST_PIECES = 20_000
"""triangles, halves included, that are looked at before a fit counts as not proved"""
LARGEST_PATCH = 64
"""faces of a patch; where more lie in one plane, each is taken on its own"""
FLAT = 1e-9
"""what counts as no angle, no height and no area, as a part of one"""
SMALLEST = np.finfo(np.float64).tiny
SAME_WAY = 0.5
"""the cosine from which two faces look the same way"""
FARTHEST = 1.0 / np.sqrt(3.0)
"""how far a point of a triangle can be from its nearest corner, in lengths of its longest edge"""


class Fit(NamedTuple):
    """How two bodies fit each other."""

    within: bool
    """whether no point of a surface is deeper in the other body than the tolerance"""
    depth: float | None
    """how deep the deepest point is that was looked at; None for two surfaces"""
    flush: bool = False
    """whether faces that look the same way are flush: of two bodies that may be equal, this proves nothing"""


def fit_of(crossing: Crossing, poses: tuple[Pose, Pose], tolerance: float) -> Fit:
    """Return how the bodies of a crossing fit each other; a body that is open has nothing inside."""
    sides = [side for side in (0, 1) if crossing.bodies[1 - side].solid]
    if not sides:
        return Fit(False, None)
    found = [_reach(crossing, side, poses[1 - side], tolerance) for side in sides]
    depth = max(fit.depth or 0.0 for fit in found)
    return Fit(all(fit.within for fit in found), depth, any(fit.flush for fit in found))


def _corners_inside(crossing: Crossing, side: int) -> tuple[Numbers, Array]:
    """Return corners of the parts of a body's faces that are in the other: (n,) the faces, (n, 3) the points."""
    edges, points = crossing.faces[side].edges, crossing.bodies[side].points
    inside = crossing.members(side)[edges.faces] != 0
    cut = np.zeros(len(edges.faces), bool)
    cut[crossing.segments[:, side]] = True
    face, corner = np.nonzero(inside & (cut | inside.all(axis=1))[:, None])
    faces = np.concatenate([np.repeat(crossing.segments[:, side], 2), face])
    found = np.concatenate([crossing.places[crossing.ends.ravel()], points[edges.faces[face, corner]]])
    return faces, found


def _reach(crossing: Crossing, side: int, pose: Pose, tolerance: float) -> Fit:
    """Return how one surface reaches into the other body."""
    body, other = crossing.bodies[side], crossing.bodies[1 - side]
    own, their = _normals(crossing, side), _normals(crossing, 1 - side)
    triangles, owners = _hulls(*_corners_inside(crossing, side), own)
    if not body.solid:  # it has no inside that could be the same
        own = np.zeros_like(own)
    patches = _Patches(crossing, 1 - side, their)
    flush = FLAT * float(np.abs(other.bounds).max())
    deepest, looked_at, alike = 0.0, 0, False
    while len(triangles):
        looked_at += len(triangles)
        if looked_at > MOST_PIECES:
            return Fit(False, deepest)
        near = signed_distance(other.mesh, triangles.reshape(-1, 3), pose, threads=1)
        depths = -near.distances.reshape(-1, 3)
        deepest = max(deepest, float(depths.max()))
        same_way = (np.repeat(own[owners], 3, axis=0) * their[near.triangles]).sum(axis=1).reshape(-1, 3) > SAME_WAY
        if deepest > tolerance or (same_way & (depths > flush)).any():
            return Fit(False, deepest)
        alike |= bool((same_way & (depths >= -flush)).any())
        longest = np.sqrt(((triangles - triangles[:, (1, 2, 0)]) ** 2).sum(axis=2))
        waiting = depths.max(axis=1) + FARTHEST * longest.max(axis=1) > tolerance
        nearest = near.triangles.reshape(-1, 3)[waiting]
        distances, below = patches.distances(triangles[waiting], nearest, own[owners[waiting]], tolerance)
        below = below[distances <= tolerance]
        if below.max(initial=0.0) > flush:
            return Fit(False, deepest)
        alike |= bool((below >= 0.0).any())
        waiting[waiting] = distances > tolerance
        triangles, owners = _halved(triangles[waiting], longest[waiting]), np.repeat(owners[waiting], 2)
    return Fit(True, deepest, alike)


class _Patches:
    """Faces of a body that lie in one plane, side by side, and together are convex: as good as one face."""

    def __init__(self, crossing: Crossing, side: int, normals: Array) -> None:
        self.edges, self.points = crossing.faces[side].edges, crossing.bodies[side].points
        self.normals = normals
        self._of_face: dict[int, int] = {}
        self._rings: dict[int, Array] = {}

    def distances(self, triangles: Array, nearest: Numbers, own: Array, tolerance: float) -> tuple[Array, Array]:
        """Return how far triangles are from one patch, and how far from its plane if both look the same way, else -1.

        nearest   (n, 3) the faces nearest to their corners, whose patches are tried until one is near enough
        own       (n, 3) normals
        """
        faces, numbers = np.unique(nearest, return_inverse=True)
        patches = np.array([self._patch(face) for face in faces.tolist()], np.int64)[numbers.reshape(-1, 3)]
        found, below = np.full(len(triangles), np.inf), np.zeros(len(triangles))
        for column in patches.T:
            for patch in np.unique(column[found > tolerance]).tolist():
                rows = np.flatnonzero((found > tolerance) & (column == patch))
                corners, normal, ring = triangles[rows].reshape(-1, 3), self.normals[patch], self._rings[patch]
                found[rows] = distances_to_polygon(corners, ring, normal).reshape(-1, 3).max(axis=1)
                heights = np.abs((corners - ring[0]) @ normal).reshape(-1, 3).max(axis=1)
                below[rows] = np.where(own[rows] @ normal > SAME_WAY, heights, -1.0)
        return found, below

    def _patch(self, face: int) -> int:
        """Return a face of the patch; where faces in a plane are not convex together, each is its own."""
        if face not in self._of_face:
            members, waiting = {face}, [face]
            while waiting and len(members) <= LARGEST_PATCH:
                for twin in self.edges.twins[waiting.pop()].tolist():
                    if twin >= 0 and twin not in members and self.normals[twin] @ self.normals[face] > 1.0 - FLAT:
                        members.add(twin)
                        waiting.append(twin)
            ring = None if waiting else self._ring(sorted(members), face)
            self._rings[face] = self.points[self.edges.faces[face]] if ring is None else ring
            self._of_face.update(dict.fromkeys([face] if ring is None else members, face))
        return self._of_face[face]

    def _ring(self, members: list[int], face: int) -> Array | None:
        """Return the outline of faces if they are flat and convex together."""
        corners = self.points[self.edges.faces[members]]
        heights = (corners - corners[0, 0]) @ self.normals[face]
        points = corners.reshape(-1, 3)
        if np.abs(heights).max() > FLAT * float(np.ptp(points, axis=0).max()):
            return None
        ring = points[_around(points, self.normals[face])]
        fan = np.stack([np.repeat(ring[:1], len(ring), axis=0), ring, np.roll(ring, -1, axis=0)], axis=1)
        return ring if _areas(fan).sum() <= (1.0 + FLAT) * _areas(corners).sum() else None


def distances_to_polygon(points: Array, ring: Array, normal: Array) -> Array:
    """Return how far points are from a flat, convex polygon, whichever way round its corners are."""
    inward = np.ones(len(points), bool), np.ones(len(points), bool)
    squares = np.full(len(points), np.inf)
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        way, offsets = end - start, points - start
        side = offsets @ np.cross(normal, way)
        np.logical_and(inward[0], side >= 0.0, out=inward[0])
        np.logical_and(inward[1], side <= 0.0, out=inward[1])
        share = np.clip(offsets @ way / max(float(way @ way), SMALLEST), 0.0, 1.0)
        rest = offsets - share[:, None] * way
        squares = np.minimum(squares, (rest * rest).sum(axis=1))
    heights = np.abs((points - ring[0]) @ normal)
    return np.where((inward[0] | inward[1]) & bool(normal.any()), heights, np.sqrt(squares))


def _areas(triangles: Array) -> Array:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(0.5 * np.sqrt((normals * normals).sum(axis=1)))


def _halved(triangles: Array, edges: Array) -> Array:
    """Return both halves of each triangle, cut across the longest edge; edges are from corner k to the next."""
    rows = np.arange(len(triangles))
    k = edges.argmax(axis=1)
    start, end, tip = (triangles[rows, (k + step) % 3] for step in range(3))
    middle = 0.5 * start + 0.5 * end
    halves = np.stack([np.stack([start, middle, tip], axis=1), np.stack([middle, end, tip], axis=1)], axis=1)
    return halves.reshape(-1, 3, 3)


def _hulls(faces: Numbers, points: Array, normals: Array) -> tuple[Array, Numbers]:
    """Return triangles that cover the hull of the points on each face, and their faces."""
    order = np.argsort(faces, kind="stable")
    faces, points = faces[order], points[order]
    starts = np.flatnonzero(np.diff(faces, prepend=-1))
    triangles, owners = [], []
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(faces)], strict=True):
        face = int(faces[start])
        ring = points[start:stop][_around(points[start:stop], normals[face])]
        for k in range(1, len(ring) - 1):
            triangles.append(ring[[0, k, k + 1]])
            owners.append(face)
    return np.array(triangles).reshape(-1, 3, 3), np.array(owners, np.int64)


def _around(points: Array, normal: Array) -> list[int]:
    """Return the corners of the hull of points in a plane, in order."""
    drop = int(np.abs(normal).argmax())
    flat = np.delete(points, drop, axis=1).tolist()
    order = sorted(range(len(flat)), key=flat.__getitem__)
    ring: list[int] = []
    for way in (order, order[::-1]):
        half: list[int] = []
        for k in way:
            while len(half) > 1 and _turn(flat[half[-2]], flat[half[-1]], flat[k]) <= 0.0:
                half.pop()
            half.append(k)
        ring += half[:-1]
    return ring


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _normals(crossing: Crossing, side: int) -> Array:
    """(m, 3) the unit normals of all faces, out of the solid; zero for those without area."""
    corners = crossing.bodies[side].points[crossing.faces[side].edges.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1))
    return np.asarray(normals * (crossing.faces[side].weights / np.where(lengths > 0.0, lengths, 1.0))[:, None])
