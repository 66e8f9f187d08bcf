"""Races between trees and between overlap tests, over the poses of a turn; answers are compared before."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import tumble
from tumble.bench.boxtree.contestants import FCL, PACKED, Contestant
from tumble.bench.boxtree.records import FIRST, Findings, Raced, TreeBytes, Work
from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.agreement import compare_hits, compare_pairs
from tumble.bench.peers.contract import Pairs, Poses
from tumble.bench.peers.records import Case
from tumble.report import count
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import tumbling_poses


class Stable:
    """The trees of some contestants over one pair of objects, built once."""

    def __init__(self, duo: Duo, size: int, contestants: Sequence[Contestant]) -> None:
        self.duo, self.size, self.contestants = duo, size, contestants
        self.trees = {one.name: self._prepare(one) for one in contestants}

    def _prepare(self, one: Contestant) -> tuple[Any, Any]:
        a = one.prepare(self.duo.a)
        return a, a if self.duo.b is self.duo.a else one.prepare(self.duo.b)

    def node_bytes(self) -> TreeBytes:
        """Bytes of the first object's nodes, tree by tree."""
        sizes = {name: _node_bytes(trees[0]) for name, trees in self.trees.items() if name not in (PACKED, FCL)}
        return TreeBytes(self.duo.name, len(self.duo.a), sizes)


def _node_bytes(tree: Any) -> int:
    return int(tree.nodes.nbytes + (tree.rows.nbytes if hasattr(tree, "rows") else 0))


def race_at(query: str, stable: Stable, distance: float, steps: int, effort: Effort, findings: Findings) -> None:
    """All pairs of one pair of objects at one distance, then first hits: cases of `query` and of `FIRST + query`."""
    poses, duo = tumbling_poses(distance, steps), stable.duo
    truth = [tumble.collide(duo.a, duo.b, None, pose).pairs for pose in poses]
    for first in (False, True):
        name = FIRST + query if first else query
        case = Case(name, f"{duo.name} at {distance:g}", duo.name, duo.faces, steps, distance)
        asks = {one.name: one.ask(*stable.trees[one.name], poses, first) for one in stable.contestants}
        for who, ask in asks.items():
            _compare(case, who, truth, ask(), findings)
        touching = sum(len(pairs) > 0 for pairs in truth)
        told = f"{touching} of {steps} touch" if first else f"{count(round(fmean(map(len, truth))))} pairs a pose"
        work = {} if first else _work(stable, poses)
        findings.raced.append(Raced(case, race(asks, effort), told, duo.kind, stable.size, work))


def _compare(case: Case, name: str, truth: Sequence[Pairs], answers: Sequence[Any], findings: Findings) -> None:
    """Hold a contestant to the fast path, which the tests hold to rational arithmetic."""
    target = findings.fcl_differences if name == FCL else findings.own_differences
    if case.query.startswith(FIRST):
        target.append(compare_hits(case, name, [len(pairs) > 0 for pairs in truth], answers))
    else:
        target.append(compare_pairs(case, name, truth, answers))


def _work(stable: Stable, poses: Poses) -> dict[str, Work]:
    found = {}
    for one in stable.contestants:
        if one.stats is not None:
            stats = one.stats(*stable.trees[one.name], poses)
            columns = ("tests", "overlaps", "leaf_overlaps")
            found[one.name] = Work(*(fmean(getattr(each, column) for each in stats) for column in columns))
    return found
