"""How far the surface of one solid reaches into another: the local depth of an overlap.

The shift that parts two bodies says little of a shaft that is pressed into a bore: it has to be pulled out, however
little the two overlap. The local depth is the largest distance to the surface of b of a point of a's surface in b, or
the other way round; for the shaft, how much thicker it is than the bore.

Branch and bound over triangles that cover the surface of a in b. To a triangle T belongs F, the triangle of b nearest
to its middle. The distance to F is a convex function, so it is largest at a corner of T, and no point of T is farther
from b's surface than that. T is dropped where it cannot matter, or halved at its longest edge:

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
    best, left, bound = NOWHERE, effort.most, 0.0
    rounding = ROUNDING * float(np.abs(solid.bounds).max())
    while len(pieces):
        middles = pieces.mean(axis=1)
        found = near(solid, middles)
        deepest = int(found.signed.argmin())
        if -found.signed[deepest] > best.depth:
            point = middles[deepest]
            best = Reach(-float(found.signed[deepest]), 0.0, point, found.points[deepest] - point)
        bounds = _bounds(pieces, solid.corners[found.triangles])
        partly_inside = found.signed < _radii(pieces, middles)
        going_on = partly_inside & (bounds > max((1.0 + CLOSE) * best.depth, effort.enough, rounding))
        bound = max(bound, float(bounds[partly_inside & ~going_on].max(initial=0.0)))
        left -= len(pieces)
        if left <= 0:
            bound = max(bound, float(bounds[going_on].max(initial=0.0)))
            break
        pieces = _halved(pieces[going_on])
    return best._replace(most=max(bound, best.depth))


def _radii(pieces: Pieces, middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) how far a point of a triangle can be from its middle."""
    ways = pieces - middles[:, None]
    return np.asarray(np.sqrt((ways * ways).sum(axis=2).max(axis=1)))


def _bounds(pieces: Pieces, triangles: Pieces) -> NDArray[np.float64]:
    """(n,) how far a point of each piece can be from a triangle."""
    distances = [_distances(pieces[:, k], triangles) for k in range(3)]
    return np.asarray(np.maximum.reduce(distances))


def _distances(points: NDArray[np.float64], triangles: Pieces) -> NDArray[np.float64]:
    """(n,) the distance of each point to a triangle: to its plane above its inside, otherwise to its edges."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    square = _dot(normal, normal)
    above = np.ones(len(points), bool)
    to_edges = np.full(len(points), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        edge, way = end - start, points - start
        above &= _dot(np.cross(normal, edge), way) >= 0.0
        length = _dot(edge, edge)
        share = np.clip(_dot(way, edge) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        rest = way - share[:, None] * edge
        to_edges = np.minimum(to_edges, np.sqrt(_dot(rest, rest)))
    to_plane = np.abs(_dot(normal, points - a)) / np.sqrt(np.where(square > 0.0, square, 1.0))
    return np.where(above & (square > 0.0), to_plane, to_edges)


def _dot(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((a * b).sum(axis=1))


def _halved(pieces: Pieces) -> Pieces:
    """Return both halves of all triangles, cut from the middle of the longest edge to the corner opposite."""
    edges = np.roll(pieces, -1, axis=1) - pieces
    longest = (edges * edges).sum(axis=2).argmax(axis=1)
    order = (longest[:, None] + np.arange(3)) % 3
    turned = np.take_along_axis(pieces, order[:, :, None], axis=1)
    a, b, c = turned[:, 0], turned[:, 1], turned[:, 2]
    middle = 0.5 * (a + b)
    return np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
