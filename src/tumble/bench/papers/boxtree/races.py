"""Races between trees and between overlap tests over the poses of a turn, and Figure 8, the full turn.

A race has two studies, one for all pairs and one for the first hit; answers are compared before.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.answers import Pairs, add_difference, compare_hits, compare_pairs
from tumble.bench.framework.statistics import HIGH, LOW, Interval, mean_interval
from tumble.bench.framework.table import TIME, Study, Table, Value
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree import contestants
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    ARITIES,
    BOTH_PLANES,
    BUILDS,
    DEFAULT_OVERLAP,
    DOP,
    FCL,
    OBB,
    PACKED,
    PRINTED,
    STORED,
    TESTS_RUN,
    WHOLE_LOOKUP,
    ahead,
    by_arity,
    called,
)
from tumble.bench.peers.contract import Poses
from tumble.report import count
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import tumbling_poses

# Figures 9 and 10, each as our trees are and in the paper's own setting; Section 3.2.5 on other trees, Section 6.1.
TESTS, PRINTED_TESTS, TREES, PRINTED_TREES = ("overlap tests", "overlap tests as printed", "trees", "trees as printed")
AHEAD, MORE_CHILDREN = "work ahead", "arities"
KINDS = (TESTS, PRINTED_TESTS, TREES, PRINTED_TREES, AHEAD, MORE_CHILDREN)
ALL, FIRST = "all pairs", "first hit"
QUERIES = (ALL, FIRST)
TURN, BYTES, AS_PRINTED = "turn", "bytes of nodes", "as printed"
# Columns of `Stats`, and their names in the table.
WORK = {"tests": "node pairs", "overlaps": "overlapping", "leaf_overlaps": "leaf pairs"}
# Each step of the turn is asked so often: what takes the processor for a while does not do so twice.
PASSES = 2

_TESTS = [called(test, done) for done in (True, False) for test in TESTS_RUN]
_TEST_RATIOS = [
    *((name, DEFAULT_OVERLAP) for name in _TESTS[1:]),
    *((called(test), called("axis")) for test in ("lookup", WHOLE_LOOKUP)),
    *((called(test, False), called(test)) for test in TESTS_RUN[1:]),
]
_TREES = [*BUILDS, AABB, OBB, DOP, PACKED, FCL]
_AHEAD = [one for name in STORED for one in (name, ahead(name))]
RATIOS = {
    TESTS: _TEST_RATIOS,
    PRINTED_TESTS: [*_TEST_RATIOS, *BOTH_PLANES.items(), ("axis, both planes", DEFAULT_OVERLAP)],
    TREES: [(name, AABB) for name in _TREES if name != AABB]
    + [pair for name in BUILDS for pair in ((name, DOP), (name, OBB), (FCL, name))],
    PRINTED_TREES: [(PRINTED, DOP), (PRINTED, OBB), *((name, AABB) for name in (PRINTED, OBB, DOP))],
    AHEAD: [(name, AABB) for name in _AHEAD if name != AABB] + [(name, ahead(name)) for name in STORED],
    MORE_CHILDREN: [(by_arity(AABB, arity), by_arity(AABB, 2)) for arity in ARITIES[1:]],
}
"""whose time is set beside whose"""


def race_of(table: Table, kind: str, query: str) -> Study:
    """One of the two studies of a race."""
    return table.study(f"{kind}, {query}")


def both_of(table: Table, kind: str) -> list[Study]:
    """Both studies of a race, without one that is empty."""
    return [study for query in QUERIES if (study := race_of(table, kind, query))]


class PreparedTrees:
    """The trees of some contestants over one pair of objects, built once."""

    def __init__(self, duo: Duo, field: Sequence[contestants.Contestant]) -> None:
        self.duo, self.contestants = duo, field
        self.trees = {one.name: self._prepare(one) for one in field}

    def _prepare(self, one: contestants.Contestant) -> tuple[Any, Any]:
        a = one.prepare(self.duo.a)
        return a, a if self.duo.b is self.duo.a else one.prepare(self.duo.b)

    def add_bytes(self, study: Study) -> None:
        """Write the bytes of the first object's nodes, tree by tree; the order of triangles is not counted."""
        study.add(self.duo.name, "", "triangles", len(self.duo.a))
        for name, (tree, _) in self.trees.items():
            if name not in (PACKED, FCL):
                nbytes = tree.nodes.nbytes + (tree.rows.nbytes if hasattr(tree, "rows") else 0)
                study.add_values(self.duo.name, name, {"bytes": int(nbytes), "nodes": len(tree)})
        study.add(self.duo.name, PRINTED, "nodes", len(contestants.build_boxtree(self.duo.a, PRINTED)))

    def race_at(self, distance: float, poses: Poses, effort: Effort, table: Table, kind: str, size: int) -> None:
        """Write all pairs of the two objects at one distance, then first hits."""
        duo, case = self.duo, f"{self.duo.name} at {distance:g}"
        truth = [tumble.collide(duo.a, duo.b, None, pose).pairs for pose in poses]
        facts: dict[str, Value] = {"object": duo.name, "kind": duo.kind, "size": size, "triangles": duo.faces}
        for query in QUERIES:
            study = race_of(table, kind, query)
            study.add_values(case, "", {**facts, "distance": distance, "answer": _answer(truth, query)})
            asks = {one.name: one.ask(*self.trees[one.name], poses, query == FIRST) for one in self.contestants}
            for name, ask in asks.items():
                # Contestants are held to the fast path, which the tests hold to rational arithmetic.
                answers = ask()
                hits = [len(pairs) > 0 for pairs in truth]
                found = compare_hits(hits, answers) if query == FIRST else compare_pairs(truth, answers)
                add_difference(study, case, name, found)
            study.add_race(case, processor_race(asks, effort), RATIOS[kind], len(poses))
            if query == ALL:
                self._add_work(case, poses, study)

    def _add_work(self, case: str, poses: Poses, study: Study) -> None:
        for one in self.contestants:
            if one.stats is not None:
                stats = one.stats(*self.trees[one.name], poses)
                means = {name: fmean(getattr(each, column) for each in stats) for column, name in WORK.items()}
                study.add_values(case, one.name, means, "per query")


def _answer(truth: Sequence[Pairs], query: str) -> str:
    if query == FIRST:
        return f"{sum(len(pairs) > 0 for pairs in truth)} of {len(truth)} touch"
    return f"{count(round(fmean(map(len, truth))))} pairs per pose"


def add_turn(duo: Duo, distance: float, steps: int, study: Study, printed: bool = False) -> None:
    """Figure 8, after Section 5: one of two equal objects makes a full turn, and every query has its own clock.

    The default boxtree and test, or the paper's: least volume, one triangle per leaf, end by end. Of each step the
    quickest pass counts.
    """
    name, build = (f"{duo.name}, {AS_PRINTED}", PRINTED) if printed else (duo.name, contestants.DEFAULT_BUILD)
    a, b = (contestants.build_boxtree(mesh, build) for mesh in (duo.a, duo.b))
    poses, case = tumbling_poses(distance, steps), f"{name} at {distance:g}"
    study.add_values(case, "", {"object": name, "triangles": duo.faces, "distance": distance, "steps": steps})
    walk = contestants.boxtree_collide()

    def collide(pose: Any, first: bool) -> Any:
        return walk(a, b, None, pose, first, contestants.DEFAULT_OVERLAP, True, False, printed)

    for query in QUERIES:
        first = query == FIRST
        collide(poses[0], first)
        seconds, hits = np.empty((PASSES, steps)), 0
        for measured in seconds:
            hits = 0
            for step, pose in enumerate(poses):
                start = perf_counter()
                found = collide(pose, first)
                measured[step] = perf_counter() - start
                hits += bool(found)
        best = seconds.min(axis=0)
        low, high = np.percentile(best, [LOW, HIGH])
        # The paper's measure is the mean over the turn.
        times = {TIME: float(best.mean()), f"{TIME}, low": float(low), f"{TIME}, high": float(high)}
        study.add_values(case, query, times, "s")
        study.add(case, query, "hits", hits)


def mean_ratio(studies: Iterable[Study], name: str, base: str, size: int | None = None, kind: str = "") -> Interval:
    """The geometric mean of one contestant's time by another's, and how well it is known; NaN of no cases.

    Over all cases, or those of one size or of one kind of object.
    """
    return mean_interval(
        [
            study.interval(case, name, base)
            for study in studies
            for case in study.ratios(name, base)
            if (size is None or study.count(case, "", "size") == size) and kind in ("", study.text(case, "", "kind"))
        ]
    )


def sizes_of(studies: Iterable[Study]) -> list[int]:
    """The sizes of the objects, ascending."""
    return sorted({study.count(case, "", "size") for study in studies for case in study.cases()})
