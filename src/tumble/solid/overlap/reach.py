"""How far the surface of one solid reaches into another: the local depth of an overlap.

The shift that parts two bodies says little of a shaft that is pressed into a bore: it has to be pulled out, however
little the two overlap. The local depth is the largest distance to the surface of b of a point of a's surface in b, or
the other way round; for the shaft, how much thicker it is than the bore.

Branch and bound over triangles that cover the surface of a in b. To a triangle T belongs F, the triangle of b nearest
to its middle; no point of T is farther from b's surface than a corner of T from F. T is dropped where it cannot matter,
or cut (`refine`):

    lower bound   the largest distance of a middle that is in b
    dropped       T that is outside of b as a whole, and T whose bound is at most a part CLOSE above the lower one
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body
from tumble.solid.overlap.records import Pieces
from tumble.solid.overlap.refine import Faces, radii

CLOSE = 0.01
"""the part of the local depth by which the bounds may differ at the end"""
ROUNDING = 2.0**-44
"""of the largest coordinate: distances below this are those of the corners' rounding"""


class Effort(NamedTuple):
    """When to stop."""

    enough: float = 0.0
    """depths below this need not be told from each other"""
    most: int = 50_000
    """triangles that are looked at; then the bounds are what they are"""


USUAL = Effort()


class Near(NamedTuple):
    """What is nearest to points on the surface of a solid."""

    signed: NDArray[np.float64]
    """(n,) distances, negative inside"""
    points: NDArray[np.float64]
    triangles: NDArray[np.int64]


FindNear = Callable[[Body, NDArray[np.float64]], Near]


class Reach(NamedTuple):
    """How far one surface reaches into a solid."""

    depth: float
    """the distance of `point` to the surface"""
    most: float
    """no point is deeper"""
    point: NDArray[np.float64]
    """(3,) where it is deepest; NaN where nothing is inside"""
    outward: NDArray[np.float64]
    """(3,) the way from there to the surface"""


NOWHERE = Reach(0.0, 0.0, np.full(3, np.nan), np.zeros(3))


def local_depth(bodies: tuple[Body, Body], boundary: tuple[Pieces, Pieces], near: FindNear, effort: Effort) -> Reach:
    """Return the deeper one of a's surface in b and of b's surface in a; `outward` is a way for b."""
    into_b = reach_into(bodies[1], boundary[0], near, effort)
    into_a = reach_into(bodies[0], boundary[1], near, effort)
    most = max(into_a.most, into_b.most)
    if into_b.depth > into_a.depth:  # a leaves b along the way outward, so b leaves a against it
        return into_b._replace(most=most, outward=-into_b.outward)
    return into_a._replace(most=most)


def reach_into(solid: Body, pieces: Pieces, near: FindNear, effort: Effort) -> Reach:
    """Return how far triangles reach into a solid; there may be none."""
    best, left, bound, faces = NOWHERE, effort.most, 0.0, Faces(solid)
    rounding = ROUNDING * float(np.abs(solid.bounds).max())
    while len(pieces):
        middles = pieces.mean(axis=1)
        found = near(solid, middles)
        deepest = int(found.signed.argmin())
        if -found.signed[deepest] > best.depth:
            point = middles[deepest]
            best = Reach(-float(found.signed[deepest]), 0.0, point, found.points[deepest] - point)
        bounds = faces.bounds(pieces, found.triangles)
        partly_inside = found.signed < radii(pieces, middles)
        going_on = partly_inside & (bounds > max((1.0 + CLOSE) * best.depth, effort.enough, rounding))
        bound = max(bound, float(bounds[partly_inside & ~going_on].max(initial=0.0)))
        left -= len(pieces)
        if left <= 0:
            bound = max(bound, float(bounds[going_on].max(initial=0.0)))
            break
        pieces = faces.cut_small(pieces[going_on], found.triangles[going_on])[0]
    return best._replace(most=max(bound, best.depth))
