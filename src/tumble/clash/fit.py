"""Whether the surfaces of two bodies reach into each other no deeper than a tolerance: proved, not sampled.

The shift that parts two bodies says nothing about a fit: a pin that is a hair too thick for its bore has to leave it
along the axis. What counts there is how far each surface reaches into the other body, measured to that body's surface;
no shift that parts the bodies is shorter, as a ball of that radius around the deepest point has to go, too.

The part of each face that is inside lies in the hull of its corners, which is cut into triangles. One is done when
its corners are nearer than the tolerance to one face of the other surface: so are all its points. It is done, too,
when it is outside but for a border as wide as the tolerance: hulls cover more than what is inside. Else it is cut
(`tumble.solid.overlap.refine`). A body that lies in its own copy, a little off, has surfaces that are near to each
other and is still a clash: there the nearest faces look the same way, while those of a fit look at each other. So
where more than a thousandth of the surface looks the way of the nearest face, and is not flush with it, nothing is
within.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.collide import collide
from tumble.api.contains import SignedSearch
from tumble.mesh import Mesh
from tumble.solid.overlap.refine import Faces, radii

if TYPE_CHECKING:
    from tumble.solid.overlap.crossing import Crossing

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Truths = NDArray[np.bool_]
Pose = NDArray[np.float64] | None
MOST_PIECES = 20_000
"""triangles, pieces of others included, that are looked at before a fit counts as not proved"""
FLAT = 1e-9
"""what counts as no angle, no height and no area, as a part of one"""
ALIKE = 1e-3
"""how much of a surface may look the way of the nearest face: bores in line do, where their ends overlap by a hair"""


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
    from tumble.narrow.overlap.near_faces import ABOVE, ALIKE_AREA, FLUSH, NEAR_AREA, OUTSIDE, Placed, sort_pieces

    body, other = crossing.bodies[side], crossing.bodies[1 - side]
    own, their = _normals(crossing, side), _normals(crossing, 1 - side)
    pieces, owners = _hulls(*_corners_inside(crossing, side), own)
    if not body.solid:  # it has no inside that could be the same
        own = np.zeros_like(own)
    faces, search = Faces(other), SignedSearch(other.mesh, pose, threads=1)
    flush = FLAT * float(np.abs(other.bounds).max())
    deepest, looked_at, sums = 0.0, 0, np.zeros(3)
    while len(pieces):
        looked_at += len(pieces)
        if looked_at > MOST_PIECES:
            return Fit(False, deepest)
        middles = pieces.mean(axis=1)
        near = search.at(middles)
        deepest = max(deepest, -float(near.distances.min()))
        if deepest > tolerance:
            return Fit(False, deepest)
        placed = Placed(pieces, owners, middles, near.triangles, near.distances)
        states = np.empty(len(pieces), np.int8)
        sort_pieces(placed, own, their, faces.surface, tolerance, flush, states, sums)
        above = np.flatnonzero(states == ABOVE)
        if len(above):
            stay = _stay_outside(pieces[above], middles[above], other.mesh, pose, tolerance)
            states[above[stay]] = OUTSIDE
        left = np.flatnonzero(states >= ABOVE)
        pieces, rows = faces.cut_small(pieces[left], near.triangles[left])
        owners = owners[left][rows]
    return Fit(bool(sums[ALIKE_AREA] <= ALIKE * sums[NEAR_AREA]), deepest, bool(sums[FLUSH]))


def _stay_outside(pieces: Array, middles: Array, mesh: Mesh, pose: Pose, tolerance: float) -> Truths:
    """(n,) whether triangles, whose middles are outside of a body, have no point that is deeper than the tolerance.

    They are made smaller, so that each point moves by the tolerance at most. One that then does not meet the surface is
    outside; so no point of the triangle is farther from the outside than it has moved.
    """
    shares = np.maximum(1.0 - 0.99 * tolerance / radii(pieces, middles), 0.0)
    smaller = middles[:, None] + shares[:, None, None] * (pieces - middles[:, None])
    soup = Mesh(smaller.reshape(-1, 3), np.arange(3 * len(pieces)).reshape(-1, 3))
    found = collide(soup, mesh, pose_b=pose, threads=1)
    apart = np.ones(len(pieces), bool)
    apart[found.pairs[:, 0]] = False
    return apart


def _hulls(faces: Numbers, points: Array, normals: Array) -> tuple[Array, Numbers]:
    """Return triangles that cover the hull of the points on each face, and their faces."""
    from tumble.narrow.overlap.hulls import fan_hulls

    away = np.abs(normals[faces]).argmax(axis=1)  # faces are seen along the axis that they look along most
    rows = np.arange(len(points))
    flat = np.stack([points[rows, (away + 1) % 3], points[rows, (away + 2) % 3]], axis=1)
    order = np.lexsort((flat[:, 1], flat[:, 0], faces))
    faces, points, flat = faces[order], points[order], np.ascontiguousarray(flat[order])
    starts = np.flatnonzero(np.diff(faces, prepend=-1, append=-1))
    triangles, owners = np.empty((len(points), 3), np.int64), np.empty(len(points), np.int64)
    count = fan_hulls(starts, flat, np.empty(len(points) + 1, np.int64), triangles, owners)
    return points[triangles[:count]], faces[starts[owners[:count]]]


def _normals(crossing: Crossing, side: int) -> Array:
    """(m, 3) the unit normals of all faces, out of the solid; zero for those without area."""
    body, (edges, weights, *_) = crossing.bodies[side], crossing.faces[side]
    if edges is not body.surface:  # some faces are turned round
        weights = np.where((edges.faces == body.surface.faces).all(axis=1), weights, -weights)
    return body.normals * weights[:, None]
