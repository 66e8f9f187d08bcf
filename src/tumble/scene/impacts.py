"""Which bodies of a scene touch first when some of them move: swept boxes first, then triangles.

Pairs are looked at in the order in which their balls meet, in rounds that grow. From the second round on, a pair is
first asked whether it touches before the earliest contact so far, which costs little where it does not. Only if so, its
own time is found, as `tumble.time_of_impact` finds it. Rounds do not depend on the number of threads.

A piece of a motion moves the middle m of a body's box from one place to another, away from the straight line between
them by at most ρ θ²/8 (ρ the distance of m from the centre of the piece, θ its angle), and never farther than ρ from
the centre, which does move along a straight line. The body stays within its radius of m.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.time_of_impact import tolerances_of
from tumble.broad.boxes import RADIUS, extent_of
from tumble.broad.sweep import Sweep
from tumble.core.keys import pairs_of_keys
from tumble.core.products import applied, lengths
from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.mesh.motion import Motion, as_motion, pose_at
from tumble.mesh.motion_pieces import ANGLE, AXIS, CENTRE, END, POSE, START, WAY
from tumble.mesh.motions import Motions
from tumble.query.answer import PairTable, Stats, total
from tumble.query.bodies import Bodies
from tumble.query.engine import IMPACT
from tumble.query.impact import BodiesImpact, impact_of_row
from tumble.query.plan import Options
from tumble.scene.bodies import Moment
from tumble.scene.filters import AllowedContacts

FIRST_ROUND = 2
"""how many pairs are looked at before the others; each round has twice as many as the one before"""
AS_EARLY = 2.0**-40
"""what is later by less than this is looked at, so that of equal times that of the first bodies counts"""
ROUNDED_UP = 1.0 + 2.0**-30
ROUNDING = 2.0**-40
"""of poses, relative to all coordinates that appear: many times as much as they can be off"""


def named_motions(motions: Any, slots: Mapping[str, int]) -> dict[int, Motion]:
    """Return motions by the slots of bodies, or refuse what is not a mapping from names of bodies to motions."""
    if not isinstance(motions, Mapping):
        raise InputError(f"motions must be a mapping from names of bodies to motions, not {motions!r}")
    unknown = [name for name in motions if name not in slots]
    if unknown:
        raise InputError(f"there is no body {unknown[0]!r} in this scene; motions are by the names of bodies")
    return {slots[name]: as_motion(motion, f"the motion of {name!r}") for name, motion in motions.items()}


def first_impact_within(
    moment: Moment,
    allowed: AllowedContacts,
    slots: dict[str, int],
    motions: dict[int, Motion],
    tolerance: float | None,
    options: Options,
) -> BodiesImpact:
    """Return the first contact of any moving body of a moment with another body."""
    boxes = moment.boxes.copy()
    for slot, motion in motions.items():
        boxes[slot] = swept_box(moment.bodies.mesh(slot), motion)
    keys = Sweep().keys(boxes, moment.filters)
    pairs = pairs_of_keys(keys[~allowed.among(keys, slots, len(moment.names))] if allowed else keys)
    moving = np.zeros(len(boxes), bool)
    moving[list(motions)] = True
    pairs = pairs[moving[pairs].any(axis=1)]
    if len(pairs) == 0:
        return BodiesImpact(math.inf)
    bodies, named = moment.bodies, set(pairs.ravel().tolist())
    resting = {slot: bodies.poses[slot] for slot in named}
    each = Motions([motions.get(slot, resting.get(slot)) for slot in range(len(boxes))])
    with np.errstate(all="ignore"):  # sizes beyond the range of squares: then any order will do
        order = np.argsort(_meeting_times(bodies, each, pairs), kind="stable")
    search = _Search(bodies, each, pairs, tolerances_of(bodies, bodies, pairs, tolerance), options)
    return search.earliest(order, moment.names)


class _Search(NamedTuple):
    """What is asked about pairs of moving bodies."""

    bodies: Bodies
    motions: Motions
    pairs: NDArray[np.int64]
    tolerances: NDArray[np.float64]
    options: Options

    def ask(self, rows: NDArray[np.int64], until: float, first: bool) -> PairTable:
        """Ask about some of the pairs."""
        both, options = (self.motions, self.motions), self.options._replace(first=first)
        sides, tolerances = (self.bodies, self.bodies, self.pairs[rows]), self.tolerances[rows]
        return ask(IMPACT, *sides, options, motions=both, tolerances=tolerances, until=until)

    def earliest(self, order: NDArray[np.int64], names: Sequence[Any]) -> BodiesImpact:
        """Return the first contact of all pairs; of equal times that of the pair with the lowest number."""
        best = math.inf, -1
        found: tuple[Any, ...] | None = None
        counted: list[Stats | None] = []
        for rows in _rounds(order):
            if found is not None:
                before = self.ask(rows, min(1.0, best[0] + AS_EARLY), True)
                rows = rows[before.hit]
                counted.append(before.stats)
            if len(rows):
                table = self.ask(rows, 1.0, False)
                counted.append(table.stats)
                earliest, row = _first_row(table, rows)
                if earliest < best:
                    best, found = earliest, impact_of_row(table, row)[:-1]
        if found is None:
            return BodiesImpact(math.inf, stats=total(counted))
        i, j = self.pairs[best[1]].tolist()
        time, pair, points, normal, distance = found
        return BodiesImpact(time, pair, points, normal, distance, total(counted), names[i], names[j])


def _rounds(order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield what is looked at together, each part in its own order."""
    start, size = 0, FIRST_ROUND
    while start < len(order):
        yield np.sort(order[start : start + size])
        start, size = start + size, 2 * size


def _first_row(table: PairTable, rows: NDArray[np.int64]) -> tuple[tuple[float, int], int]:
    """Return the earliest time in a table with the number of its pair, and its row."""
    if not table or table.impacts is None:
        return (math.inf, -1), -1
    row = int(np.argmin(table.impacts.times))  # of equal times the first
    return (float(table.impacts.times[row]), int(rows[table.hit][row])), row


def _meeting_times(bodies: Bodies, motions: Motions, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return about when the balls around two bodies meet, were they to go on as they begin: what to look at first."""
    first = motions.pieces[motions.offsets[:-1]]
    middles, radii = np.zeros((len(first), 3)), np.zeros(len(first))
    for slot in np.unique(pairs).tolist():
        extent = extent_of(bodies.mesh(slot))
        middles[slot], radii[slot] = 0.5 * extent[:3] + 0.5 * extent[3:6], extent[RADIUS]
    starts = _starts(first)
    places = applied(starts[:, :, :3], middles) + starts[:, :, 3]
    turning = first[:, AXIS : AXIS + 3] * first[:, ANGLE, None]
    speeds = first[:, WAY : WAY + 3] + np.cross(turning, places - first[:, CENTRE : CENTRE + 3])
    speeds /= (first[:, END] - first[:, START])[:, None]
    return _balls_meet(places, speeds, radii, pairs)


def _balls_meet(
    places: NDArray[np.float64], speeds: NDArray[np.float64], radii: NDArray[np.float64], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return when balls at constant speeds meet; of those that do not, some time after they are nearest."""
    i, j = pairs.T
    apart, speed, reach = places[j] - places[i], speeds[j] - speeds[i], radii[i] + radii[j]
    closing, square = -(apart * speed).sum(axis=1), np.maximum((speed * speed).sum(axis=1), 1e-300)
    gap = (apart * apart).sum(axis=1) - reach * reach
    within = closing * closing - square * gap
    meet = (closing - np.sqrt(np.maximum(within, 0.0))) / square
    return np.where(gap <= 0.0, 0.0, np.where((within < 0.0) | (closing < 0.0), np.abs(meet) + 1.0, meet))


def swept_box(mesh: Mesh, motion: Motion) -> NDArray[np.float64]:
    """Return a box that contains a mesh throughout a motion."""
    extent, pieces = extent_of(mesh), motion.pieces
    if mesh.bounds is None:
        return extent[:6]
    ends = np.stack([pose_at(piece, 1.0) for piece in pieces])[:, :3]
    middle = 0.5 * extent[:3] + 0.5 * extent[3:6]
    start, end = (applied(each[:, :, :3], middle) + each[:, :, 3] for each in (_starts(pieces), ends))
    centre, angle = pieces[:, CENTRE : CENTRE + 3], np.abs(pieces[:, ANGLE, None])
    arm = lengths(start - centre)[:, None]
    bulge = arm * angle * angle / 8.0
    last = centre + pieces[:, WAY : WAY + 3]
    low = np.maximum(np.minimum(start, end) - bulge, np.minimum(centre, last) - arm)
    high = np.minimum(np.maximum(start, end) + bulge, np.maximum(centre, last) + arm)
    low, high = low.min(axis=0), high.max(axis=0)
    size = np.abs([low, high, middle]).max() + np.abs(centre).max() + arm.max()
    reach = extent[RADIUS] * ROUNDED_UP + ROUNDING * size
    return np.concatenate([low - reach, high + reach])


def _starts(pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    return pieces[:, POSE : POSE + 12].reshape(-1, 3, 4)
