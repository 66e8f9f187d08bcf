"""The curves in which two surfaces cross: segments joined by the places at their ends, never by coordinates.

At a place where an edge of two faces pierces the other mesh one segment ends and one starts. Where more faces meet in
the edge there are several of each; any way to join them gives closed curves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.narrow.overlap.trace import trace
from tumble.solid.overlap.crossing import Crossing
from tumble.solid.overlap.records import Curve


def curves_of(crossing: Crossing) -> list[Curve]:
    """Return the curves of two bodies; those without extent, where surfaces only touch in a point, are left out."""
    ends = np.ascontiguousarray(crossing.ends)
    count = len(ends)
    order, offsets = np.empty(2 * count, np.int64), np.empty(count + 1, np.int64)
    closed = np.empty(count, bool)
    number = trace(ends, _mates(ends), np.zeros(count, bool), order, offsets, closed)
    found = []
    for k in range(number):
        points = _without_repeats(crossing.places[order[offsets[k] : offsets[k + 1]]], bool(closed[k]))
        if len(points) > 1:
            points.flags.writeable = False
            found.append(Curve(points, bool(closed[k])))
    return found


def _without_repeats(points: NDArray[np.float64], closed: bool) -> NDArray[np.float64]:
    """Leave out points that are equal to the one before."""
    new = (points != np.roll(points, 1, axis=0)).any(axis=1)
    if not closed or not new.any():
        new[0] = True
    return points[new]


def _mates(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the stub that goes on from each, -1 for none: an end with a start, and what is left over, two by two."""
    stubs = np.arange(ends.size)
    places, roles = ends.ravel(), stubs % 2
    order = np.lexsort((stubs, roles, places))
    group = places[order] * 2 + roles[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    rank = np.empty(ends.size, np.int64)
    rank[order] = np.arange(ends.size) - np.repeat(first, np.diff(first, append=ends.size))
    counts = np.zeros((places.max(initial=-1) + 1, 2), np.int64)
    np.add.at(counts, (places, roles), 1)
    paired = counts.min(axis=1)[places]
    # two stubs that go on in each other get the same key
    across, along = rank < paired, rank - paired
    keys = np.where(across, 2 * rank, 2 * (paired + along // 2) + 1)
    order = np.lexsort((stubs, keys, places))
    same = (places[order][1:] == places[order][:-1]) & (keys[order][1:] == keys[order][:-1])
    mates = np.full(ends.size, -1, np.int64)
    one, other = order[:-1][same], order[1:][same]
    mates[one], mates[other] = other, one
    return mates
