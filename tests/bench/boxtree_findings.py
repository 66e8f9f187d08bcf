"""Findings made by hand, in which every claim holds and every goal is met; tests spoil one thing at a time."""

from dataclasses import replace

import numpy as np

from tumble.bench.boxtree.contestants import AABB, BUILDS, DOP, FCL, OBB, OVERLAPS, PACKED, called
from tumble.bench.boxtree.records import (
    AHEAD,
    FIRST,
    TESTS,
    TREES,
    Built,
    Emptiness,
    Findings,
    NodeCost,
    Raced,
    TreeBytes,
    Work,
)
from tumble.bench.peers.records import Case, Difference

SIZES = (1_000, 10_000)
TEST_TIMES = {"sat-lite": 1.0, "sat": 1.2, "axis": 1.4, "lookup": 1.5}
PASSING = {"sat": 10.0, "sat-lite": 11.0, "axis": 15.0, "lookup": 16.0}


def raced(query, times, size=1_000, work=None):
    """A race in which everybody takes the same time in every round."""
    case = Case(query, f"knot {size} at 0.8", f"knot {size}", size, 4, 0.8)
    rounds = {name: [value, value, value] for name, value in times.items()}
    return Raced(case, rounds, "3 pairs a pose", "knot", size, work or {})


def test_times(**changes):
    """Seconds of the overlap tests: with the node work done ahead, and a fifth more without."""
    times = {**TEST_TIMES, **changes}
    return {called(name, ahead): times[name] * (1.0 if ahead else 1.2) for name in OVERLAPS for ahead in (True, False)}


test_times.__test__ = False


def good_findings():
    """Everything as it should be."""
    work = {called(name): Work(50.0, PASSING[name], 3.0) for name in OVERLAPS}
    trees = {**dict.fromkeys(BUILDS, 1.0), AABB: 1.0, OBB: 1.0, DOP: 1.0, PACKED: 0.3, FCL: 2.0}
    findings = Findings()
    findings.nodes = [
        NodeCost("boxtree, axis", 9.0, 10.0, 11.0, 10.0, 7.0, 5.0),
        NodeCost("boxtree, sat-lite", 9.0, 10.0, 22.0, 20.0, 14.0, 10.0),
        NodeCost("boxtree, sat", 9.0, 10.0, 60.0, 50.0, 30.0, 25.0),
        NodeCost("AABB tree", 80.0, 60.0, 90.0, 80.0, 50.0, 40.0),
        NodeCost(OBB, 152.0, 100.0, 243.0, 150.0, 200.0, 130.0),
    ]
    shares = np.array([0.0, 0.05, 0.1, 0.4, 0.5])
    findings.emptiness = [Emptiness("knot", 3, shares, np.array([0, 1, 1, 0, 1], bool), np.array([3, 3, 4, 5, 2]))]
    for size in (4_000, 16_000, 64_000, 500_000):
        seconds = size * np.log2(size) * 1e-8
        findings.built.append(Built(f"knot {size}", "knot", size, size, dict.fromkeys(BUILDS, [seconds] * 3)))
    findings.tree_bytes = [TreeBytes("knot 1000", 1_000, {**dict.fromkeys(BUILDS, 9_000), AABB: 80_000})]
    for size in SIZES:
        for first in ("", FIRST):
            findings.raced.append(raced(first + TESTS, test_times(), size, work))
            findings.raced.append(raced(first + TREES, trees, size))
            ahead = {"AABB tree": 1.2, "AABB tree, ahead": 1.0, "sphere tree": 1.1, "sphere tree, ahead": 1.0}
            findings.raced.append(raced(first + AHEAD, ahead, size))
    findings.own_differences = [Difference(TESTS, "knot 1000 at 0.8", "axis", 4, 0, 0, 0)]
    return findings


def retimed(findings, query, **times):
    """The findings with some times of one kind of race changed, names by keyword with blanks as underscores."""
    changes = {name.replace("_", " "): [value] * 3 for name, value in times.items()}
    findings.raced = [
        replace(one, rounds={**one.rounds, **changes}) if one.case.query in (query, FIRST + query) else one
        for one in findings.raced
    ]
    return findings
