"""Do the libraries give the same answers? Where not, by how much.

Tumble's answers are the measure, for its tests hold them to rational arithmetic; the peers compute in
floating point with tolerances, and err where triangles only just touch or only just do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.bench.peers.contract import Pairs, Touching
from tumble.bench.peers.records import Case, Difference


def compare_hits(case: Case, peer: str, ours: Sequence[bool], theirs: Sequence[bool]) -> Difference:
    """Hit flags, pose by pose."""
    mine, other = np.asarray(ours, dtype=bool), np.asarray(theirs, dtype=bool)
    missing, extra = int((mine & ~other).sum()), int((other & ~mine).sum())
    return Difference(case.query, case.name, peer, len(mine), missing + extra, missing, extra)


def compare_pairs(case: Case, peer: str, ours: Sequence[Pairs], theirs: Sequence[Pairs]) -> Difference:
    """Sets of triangle pairs, pose by pose: the order in which a library reports them does not matter."""
    differ = missing = extra = 0
    for mine, other in zip(ours, theirs, strict=True):
        a, b = _keys(mine), _keys(other)
        lost, invented = len(np.setdiff1d(a, b)), len(np.setdiff1d(b, a))
        differ += bool(lost or invented)
        missing, extra = missing + lost, extra + invented
    return Difference(case.query, case.name, peer, len(ours), differ, missing, extra)


def compare_crowds(case: Case, peer: str, ours: Sequence[Touching], theirs: Sequence[Touching]) -> Difference:
    """Numbers of triangle pairs, and bodies where the library names them."""
    differ = missing = extra = 0
    for mine, other in zip(ours, theirs, strict=True):
        change = other.triangle_pairs - mine.triangle_pairs
        bodies_differ = None not in (mine.bodies, other.bodies) and mine.bodies != other.bodies
        differ += bool(change or bodies_differ)
        missing, extra = missing + max(0, -change), extra + max(0, change)
    return Difference(case.query, case.name, peer, len(ours), differ, missing, extra)


def _keys(pairs: Pairs) -> np.ndarray:
    return np.unique(pairs[:, 0] << 32 | pairs[:, 1])
