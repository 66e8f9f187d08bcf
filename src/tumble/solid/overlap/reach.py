"""How far the surface of one solid reaches into another: the local depth of an overlap.

The shift that parts two bodies says little of a shaft that is pressed into a bore: it has to be pulled out, however
little the two overlap. The local depth is the largest distance to the surface of b of a point of a's surface in b, or
the other way round; for the shaft, how much thicker it is than the bore.

Branch and bound over triangles that cover the surface of a in b. To a triangle T belongs F, the triangle of b nearest
to its middle; no point of T is farther from b's surface than a corner of T from F. T is dropped where it cannot matter,
or cut (`narrow.overlap.near_faces`):

    lower bound   the largest distance of a middle that is in b
    dropped       T that is outside of b as a whole, and T whose bound is at most a part CLOSE above the lower one
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body
from tumble.solid.overlap.records import Pieces

CLOSE = 0.01
"""the part of the local depth by which the bounds may differ at the end"""
FEWEST_PIECES = 1_000
"""for which there is memory at first"""
ROUNDING = 2.0**-44
"""of the largest coordinate: distances below this are those of the corners' rounding"""


class Effort(NamedTuple):
    """When to stop."""

    enough: float = 0.0
    """depths below this need not be told from each other"""
    most: int = 50_000
    """triangles that are looked at; then the bounds are what they are"""


USUAL = Effort()


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


def local_depth(bodies: tuple[Body, Body], boundary: tuple[Pieces, Pieces], effort: Effort) -> Reach:
    """Return the deeper one of a's surface in b and of b's surface in a; `outward` is a way for b."""
    into_b = reach_into(bodies[1], boundary[0], effort)
    into_a = reach_into(bodies[0], boundary[1], effort)
    most = max(into_a.most, into_b.most)
    if into_b.depth > into_a.depth:  # a leaves b along the way outward, so b leaves a against it
        return into_b._replace(most=most, outward=-into_b.outward)
    return into_a._replace(most=most)


def reach_into(solid: Body, pieces: Pieces, effort: Effort) -> Reach:
    """Return how far triangles reach into a solid; there may be none."""
    from tumble.solid.overlap.faces import surface_of_faces
    from tumble.traversal.points import near_pieces
    from tumble.traversal.points.deepest_piece import DEPTH, FOUND, MOST, NEAREST, POINT, Search, find_deepest

    if len(pieces) == 0:
        return NOWHERE
    search = Search(1.0 + CLOSE, max(effort.enough, ROUNDING * solid.largest), effort.most)
    found, capacity = np.empty(FOUND), max(FEWEST_PIECES, 4 * len(pieces))
    surface, ending = surface_of_faces(solid), near_pieces.NO_MEMORY
    while ending == near_pieces.NO_MEMORY:
        memory = near_pieces.memory_for(capacity)
        ending = find_deepest(np.ascontiguousarray(pieces), solid.addresses, surface, search, memory, found)
        capacity *= 4
    near_pieces.refuse(ending)
    if found[DEPTH] == 0.0:
        return NOWHERE._replace(most=float(found[MOST]))
    point = found[POINT:NEAREST]
    return Reach(float(found[DEPTH]), float(max(found[MOST], found[DEPTH])), point, found[NEAREST:] - point)
