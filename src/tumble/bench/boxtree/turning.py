"""Figure 8, after Section 5: at each distance one of two equal objects makes a full turn, and every query is timed."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from tumble.bench.boxtree.contestants import DEFAULT_OVERLAP, boxtree_collide, build_boxtree
from tumble.bench.boxtree.records import Turn
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import tumbling_poses

# Each step is asked so often: where something else takes the processor for a while, it does not do so twice.
PASSES = 2


def turn(duo: Duo, distance: float, steps: int, first: bool) -> Turn:
    """One query a step, each under its own clock, with the default boxtree and test; the quicker pass counts."""
    a, b = (build_boxtree(mesh) for mesh in (duo.a, duo.b))
    collide, poses = boxtree_collide(), tumbling_poses(distance, steps)
    collide(a, b, None, poses[0], first, DEFAULT_OVERLAP)
    seconds, hits = np.empty((PASSES, steps)), 0
    for measured in seconds:
        hits = 0
        for step, pose in enumerate(poses):
            start = perf_counter()
            found = collide(a, b, None, pose, first, DEFAULT_OVERLAP)
            measured[step] = perf_counter() - start
            hits += bool(found)
    return Turn(duo.name, duo.kind, duo.faces, distance, first, seconds.min(axis=0), hits)


def series(turns: Sequence[Turn], name: str, first: bool) -> list[Turn]:
    """The turns of one object by distance."""
    return sorted((one for one in turns if one.name == name and one.first is first), key=lambda one: one.distance)
