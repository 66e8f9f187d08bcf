"""Whether the surfaces of two bodies reach into each other no deeper than a tolerance: proved, not sampled.

The shift that parts two bodies says nothing about a fit: a pin that is a hair too thick for its bore has to leave it
along the axis. What counts there is how far each surface reaches into the other body, measured to that body's surface;
no shift that parts the bodies is shorter, as a ball of that radius around the deepest point has to go, too.

The part of each face that is inside lies in the hull of its corners, which is cut into triangles. One is done when
its corners are nearer than the tolerance to one face of the other surface: so are all its points. It is done, too,
when it is outside but for a border as wide as the tolerance: hulls cover more than what is inside. Else it is cut
(`tumble.narrow.overlap.near_faces`). A body that lies in its own copy, a little off, has surfaces that are near to each
other and is still a clash: there the nearest faces look the same way, while those of a fit look at each other. So
where more than a thousandth of the surface looks the way of the nearest face, and is not flush with it, nothing is
within.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen

if TYPE_CHECKING:
    from tumble.solid.overlap.crossing import Crossing

Array = NDArray[np.float64]
MOST_PIECES = 20_000
"""triangles, pieces of others included, that are looked at before a fit counts as not proved"""
FEWEST_PIECES = 1_000
"""for which there is memory at first"""
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


def fit_of(crossing: Crossing, tolerance: float) -> Fit:
    """Return how the bodies of a crossing fit each other; a body that is open has nothing inside."""
    sides = [side for side in (0, 1) if crossing.bodies[1 - side].solid]
    if not sides:
        return Fit(False, None)
    found = [_reach(crossing, side, tolerance) for side in sides]
    depth = max(fit.depth or 0.0 for fit in found)
    return Fit(all(fit.within for fit in found), depth, any(fit.flush for fit in found))


def _reach(crossing: Crossing, side: int, tolerance: float) -> Fit:
    """Return how one surface reaches into the other body."""
    from tumble.narrow.overlap.hulls import Inside, cover_inside
    from tumble.narrow.overlap.near_faces import ALIKE_AREA, FLUSH, NEAR_AREA
    from tumble.solid.overlap.faces import outward_normals, surface_of_faces
    from tumble.traversal.points import near_pieces

    body, other = crossing.bodies[side], crossing.bodies[1 - side]
    own, their = (outward_normals(crossing.bodies[k], crossing.faces[k]) for k in (side, 1 - side))
    inside = Inside(
        side, crossing.boundaries[side], own, crossing.members(side), crossing.segments[:, side], crossing.at
    )
    pieces, owners = cover_inside(inside)
    if not body.solid:  # it has no inside that could be the same
        own = frozen(np.zeros_like(own))
    limits = near_pieces.Limits(tolerance, FLAT * other.largest, other.largest, MOST_PIECES)
    solid, surface, sums, capacity = other.addresses, surface_of_faces(other), np.empty(4), FEWEST_PIECES
    while True:
        memory = near_pieces.memory_for(capacity)
        ending = near_pieces.reach_of_pieces(pieces, owners, solid, own, their, surface, limits, memory, sums)
        if ending != near_pieces.NO_MEMORY:
            break
        capacity *= 4
    near_pieces.refuse(ending)
    deepest, areas = float(sums[0]), sums[1:]
    if ending != near_pieces.DONE:
        return Fit(False, deepest)
    return Fit(bool(areas[ALIKE_AREA] <= ALIKE * areas[NEAR_AREA]), deepest, bool(areas[FLUSH]))
