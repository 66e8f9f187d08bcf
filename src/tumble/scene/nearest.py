"""Which bodies are nearest: boxes first, then triangles, the nearest boxes before others.

    reach = 0
    repeat:
        find the pairs of bodies whose boxes, enlarged by half the reach, meet
        ask for their distances in the order of their boxes' distances, as long as those are below the best
        done when the best distance is within the reach; else the reach becomes the best distance, or grows

A pair of bodies that is not looked at has boxes that are farther apart than the best distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.broad.boxes import Boxes
from tumble.broad.gaps import box_distances, enlarged
from tumble.broad.sweep import Sweep
from tumble.core.keys import pairs_of_keys
from tumble.query.engine import DISTANCE
from tumble.query.nearest import BodiesNearest, nearest_of_row
from tumble.query.plan import Options
from tumble.scene.bodies import Moment
from tumble.scene.filters import AllowedContacts

Pairs = NDArray[np.int64]
Candidates = Callable[[float], Pairs]
"""the pairs of bodies whose boxes are at most so far apart, and maybe some others"""

FIRST_ASKED = 8
"""pairs of bodies whose distances are asked for first; then four times as many, and so on"""
GROWTH = 4.0


def nearest_within(
    moment: Moment, allowed: AllowedContacts, slots: dict[str, int], bound: float, options: Options
) -> BodiesNearest:
    """Return the nearest two bodies of a moment, if they are within the bound."""
    sweep = Sweep()

    def candidates(reach: float) -> Pairs:
        keys = sweep.keys(enlarged(moment.boxes, 0.5 * reach), moment.filters)
        return pairs_of_keys(keys[~allowed.among(keys, slots, len(moment.names))] if allowed else keys)

    return nearest_bodies(moment, moment, candidates, bound, options)


def nearest_between(a: Moment, b: Moment, bound: float, options: Options) -> BodiesNearest:
    """Return the nearest two bodies, one of each moment, if they are within the bound."""

    def candidates(reach: float) -> Pairs:
        return a._replace(boxes=enlarged(a.boxes, reach)).pairs_with(b)

    return nearest_bodies(a, b, candidates, bound, options)


def nearest_bodies(a: Moment, b: Moment, candidates: Candidates, bound: float, options: Options) -> BodiesNearest:
    """Return the nearest two bodies among the candidates, if they are within the bound."""
    found, reach = BodiesNearest(math.inf), 0.0
    largest = _span(np.concatenate([a.boxes, b.boxes]))
    if largest is None:
        return found
    while True:
        pairs = candidates(min(reach, bound))
        best = min(bound, found.distance)
        found = _nearer(_nearest_among(a, b, pairs, best, options), found)
        if found.distance <= reach or reach >= min(bound, largest):
            return found
        if math.isfinite(found.distance):
            reach = found.distance
        else:
            reach = max(GROWTH * reach, largest / 2.0**10) or largest


def _span(boxes: Boxes) -> float | None:
    """Return no less than the distance of any two boxes; None where there are none."""
    boxes = boxes[boxes[:, 0] <= boxes[:, 3]]
    if len(boxes) == 0:
        return None
    return 2.0 * float((boxes[:, 3:].max(axis=0) - boxes[:, :3].min(axis=0)).max()) + np.finfo(np.float64).tiny


def _nearer(one: BodiesNearest, other: BodiesNearest) -> BodiesNearest:
    return one if one.distance < other.distance else other


def _nearest_among(a: Moment, b: Moment, pairs: Pairs, best: float, options: Options) -> BodiesNearest:
    bounds = box_distances(a.boxes[pairs[:, 0]], b.boxes[pairs[:, 1]])
    order = np.argsort(bounds, kind="stable")
    pairs, bounds = pairs[order], bounds[order]
    found, place = BodiesNearest(math.inf), (math.inf, -1, -1)
    start, size = 0, FIRST_ASKED
    while start < len(pairs) and bounds[start] <= best and found.distance > 0.0:
        stop = min(start + size, int(np.searchsorted(bounds, best, side="right")))
        part = pairs[start:stop]
        table = ask(DISTANCE, a.bodies, b.bodies, part, options, upper_bound=best)
        for row, (i, j) in enumerate(part[table.hit].tolist()):
            one = nearest_of_row(table, row)
            if (one.distance, i, j) < place:
                place, best = (one.distance, i, j), one.distance
                found = BodiesNearest(one.distance, a.names[i], b.names[j], one.pair, one.points)
        start, size = stop, 4 * size
    return found
