"""Which parts can have anything to do with each other: boxes, copies, and what rules leave out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.broad.gaps import box_distances
from tumble.clash.assembly import Assembly
from tumble.clash.rules import BoundRules

Pairs = NDArray[np.int64]


class Candidates(NamedTuple):
    """Pairs of parts that need a closer look."""

    pairs: Pairs
    """(k, 2) the lower number first, sorted"""
    clearances: NDArray[np.float64]
    """(k,) how far each two have to stay apart; 0 where they may touch"""
    boxes_meet: NDArray[np.bool_]
    """(k,) whether the boxes around them do"""
    ignored: dict[str, int]
    """how many pairs each rule has left out"""


def boxes_of_parts(assembly: Assembly) -> NDArray[np.float64]:
    """Return the (n, 6) boxes around all parts in their places."""
    from tumble.broad.choice import boxes_of

    return boxes_of(assembly.meshes, assembly.poses)


def candidates_of(assembly: Assembly, groups: Pairs, rules: BoundRules, moving: NDArray[np.bool_] | None) -> Candidates:
    """Return the pairs of parts whose boxes are nearer than the parts have to be, and which no rule ignores.

    groups   the number of copies in one place, which are not compared with each other
    moving   if given, only pairs with one of these parts
    """
    from tumble.broad.choice import overlapping_pairs

    pairs = overlapping_pairs(assembly.meshes, assembly.poses, rules.largest_clearance)
    pairs = pairs[groups[pairs[:, 0]] != groups[pairs[:, 1]]]
    if moving is not None:
        pairs = pairs[moving[pairs].any(axis=1)]
    boxes = boxes_of_parts(assembly)
    gaps = box_distances(boxes[pairs[:, 0]], boxes[pairs[:, 1]])
    clearances = rules.clearances(pairs)
    near = gaps <= clearances
    pairs, clearances, gaps = pairs[near], clearances[near], gaps[near]
    ignored, counts = rules.ignored(pairs)
    kept = ~ignored
    return Candidates(np.ascontiguousarray(pairs[kept]), clearances[kept], gaps[kept] == 0.0, counts)
