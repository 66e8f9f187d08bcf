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
    boxes = boxes_of_parts(assembly)
    pairs = _near(assembly, groups, boxes, rules.largest_clearance)
    if moving is not None:
        pairs = pairs[moving[pairs].any(axis=1)]
    gaps = box_distances(boxes[pairs[:, 0]], boxes[pairs[:, 1]])
    clearances = rules.clearances(pairs)
    near = gaps <= clearances
    pairs, clearances, gaps = pairs[near], clearances[near], gaps[near]
    ignored, counts = rules.ignored(pairs)
    kept = ~ignored
    return Candidates(np.ascontiguousarray(pairs[kept]), clearances[kept], gaps[kept] == 0.0, counts)


def _near(assembly: Assembly, groups: Pairs, boxes: NDArray[np.float64], clearance: float) -> Pairs:
    """Return the pairs of parts of different groups whose boxes are near, and some others.

    Copies in one place have one box. So only the first of them is looked at: many in one place are near each other, all
    with all.
    """
    from tumble.broad.choice import overlapping_pairs

    firsts = np.flatnonzero(groups == np.arange(len(groups)))
    if len(firsts) == len(groups) or (boxes != boxes[groups]).any():
        pairs = overlapping_pairs(assembly.meshes, assembly.poses, clearance)
        return pairs[groups[pairs[:, 0]] != groups[pairs[:, 1]]]
    meshes = [assembly.meshes[k] for k in firsts.tolist()]
    return _of_members(overlapping_pairs(meshes, assembly.poses[firsts], clearance), np.searchsorted(firsts, groups))


def _of_members(pairs: Pairs, group_of: Pairs) -> Pairs:
    """Return the pairs of all members of pairs of groups, the lower number first, sorted."""
    members, counts = np.argsort(group_of, kind="stable"), np.bincount(group_of)
    starts, (a, b) = np.cumsum(counts) - counts, pairs.T
    sizes = counts[a] * counts[b]
    rows = np.repeat(np.arange(len(pairs)), sizes)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    one, other = np.divmod(within, counts[b][rows])
    found = np.stack([members[starts[a][rows] + one], members[starts[b][rows] + other]], axis=1)
    found.sort(axis=1)
    return found[np.lexsort(found.T[::-1])]
