"""A table of the paper `boxtree` in which every claim holds and every goal is met; tests spoil one value at a time."""

import numpy as np

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.table import Table
from tumble.bench.papers.boxtree.builds import BUILT
from tumble.bench.papers.boxtree.claims import CLAIMS
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, DOP, FCL, OBB, OVERLAPS, PACKED, ahead, called
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import TABLE_1, add_published
from tumble.bench.papers.boxtree.races import AHEAD, ALL, BYTES, QUERIES, RATIOS, TESTS, TREES, TURN, race_of

SIZES = (1_000, 10_000)
TEST_TIMES = {"sat-lite": 1.0, "sat": 1.2, "axis": 1.4, "lookup": 1.5}
# Node work done for each pair takes a fifth more.
TIMES = {
    TESTS: {called(n, done): TEST_TIMES[n] * (1.0 if done else 1.2) for n in OVERLAPS for done in (True, False)},
    TREES: {**dict.fromkeys(BUILDS, 1.0), AABB: 1.0, OBB: 1.0, DOP: 1.0, PACKED: 0.3, FCL: 2.0},
    AHEAD: {AABB: 1.2, ahead(AABB): 1.0, "sphere tree": 1.1, ahead("sphere tree"): 1.0},
}
PASSING = {"sat": 10.0, "sat-lite": 11.0, "axis": 15.0, "lookup": 16.0}
# Bytes per node and per triangle, then operations: worst, mean, worst ahead, mean ahead.
COSTS = {
    "boxtree, axis": (9.0, 10.0, 11.0, 10.0, 7.0, 5.0),
    "boxtree, sat-lite": (9.0, 10.0, 22.0, 20.0, 14.0, 10.0),
    "boxtree, sat": (9.0, 10.0, 60.0, 50.0, 30.0, 25.0),
    AABB: (80.0, 60.0, 90.0, 80.0, 50.0, 40.0),
    OBB: (152.0, 100.0, 243.0, 150.0, 200.0, 130.0),
}
COST_NAMES = ("bytes per node", "bytes per triangle", "worst", "mean", "worst ahead", "mean ahead")


def good_table(times=TIMES):
    """Everything as it should be, or with other times in races."""
    table = Table()
    add_published(table)
    for name, values in COSTS.items():
        table.study(NODES).add_values(TABLE_1, name, dict(zip(COST_NAMES, values, strict=True)))
    emptiness = table.study(EMPTINESS)
    emptiness.add_values("knot", "", {"triangles": 3, "nodes": 5})
    emptiness.add_values("knot", "all nodes", {"median": 0.1, "close": 0.6, "touching": 0.8})
    emptiness.add_series("knot", "all nodes", "at most", np.linspace(0, 1, 201))
    for size in (4_000, 16_000, 64_000, 500_000):
        add_build(table, size, size * np.log2(size) * 1e-8)
    for query in QUERIES:
        table.study(TURN).add_values("knot 1k at 0.8", "", {"object": "knot 1k", "distance": 0.8, "steps": 4})
        table.study(TURN).add("knot 1k at 0.8", query, "time", 1e-5, "s")
    add_bytes(table, "knot 1k", 9_000)
    for kind in times:
        for size in SIZES:
            add_race(table, kind, size, times[kind])
    return table


def add_build(table, size, seconds):
    """An object that every builder takes so long for."""
    table.study(BUILT).add_values(f"knot {size}", "", {"kind": "knot", "size": size, "triangles": size})
    for name in BUILDS:
        table.study(BUILT).add(f"knot {size}", name, "time", seconds, "s")


def add_bytes(table, name, nbytes):
    """An object whose boxtrees have so many bytes."""
    table.study(BYTES).add(name, "", "triangles", 1_000)
    for tree, value in {**dict.fromkeys(BUILDS, nbytes), AABB: 80_000}.items():
        table.study(BYTES).add(name, tree, "bytes", value)


def add_race(table, kind, size, times):
    """All pairs and first hits of one object."""
    case = f"knot {size} at 0.8"
    for query in QUERIES:
        study = race_of(table, kind, query)
        study.add_values(case, "", {"object": f"knot {size}", "kind": "knot", "size": size, "triangles": size})
        study.add_values(case, "", {"distance": 0.8, "answer": "3 pairs per pose", "answers": 4})
        for name in times:
            study.add(case, name, "differ", 0)
        study.add_race(case, {name: [value] * 3 for name, value in times.items()}, RATIOS[kind])
        for name, passing in PASSING.items() if query == ALL and kind == TESTS else ():
            work = {"node pairs": 50.0, "overlapping": passing, "leaf pairs": 3.0}
            study.add_values(case, called(name), work)


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}
