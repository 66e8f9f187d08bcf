"""The claims of the paper with their tests, and what boxtrees must reach here."""

import math
from functools import partial

from tumble.bench.framework.claims import read_claims
from tumble.bench.framework.goals import Goal, Outcome, faster_on_average, mean_with_ends
from tumble.bench.framework.table import TIME, Table
from tumble.bench.papers.boxtree import build_claims, node_claims, operation_claims, outlook_claims, race_claims, races
from tumble.bench.papers.boxtree.builds import BUILT
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, FCL
from tumble.bench.papers.boxtree.races import ALL, BYTES, FIRST, TREES
from tumble.report import count

MOST_TIME, MOST_BYTES = 1.3, 1 / 3
RATE, RATE_TRIANGLES = 1_000_000, 450_000


def best_build(table: Table) -> str | None:
    """The variant of the least time against the AABB tree, over all cases: one for all of them."""
    times = {name: races.mean_ratio(races.both_of(table, TREES), name, AABB).value for name in BUILDS}
    present = {name: value for name, value in times.items() if not math.isnan(value)}
    return min(present, key=present.__getitem__, default=None)


def _time(query: str, table: Table) -> Outcome:
    best = best_build(table)
    ratios = races.race_of(table, TREES, query).ratios(best, AABB) if best else {}
    if not ratios:
        return None
    words, mean = mean_with_ends(ratios)
    return f"{best}: {words}", MOST_TIME / mean


def _bytes(table: Table) -> Outcome:
    best, study = best_build(table), table.study(BYTES)
    if best is None or not study:
        return None
    parts = [(study.value(case, best, "bytes") / study.value(case, AABB, "bytes"), case) for case in study.cases(best)]
    worst, name = max(parts)
    return f"{best}: {worst:.0%} at most ({name})", MOST_BYTES / worst


def _faster_than_fcl(query: str, table: Table) -> Outcome:
    best = best_build(table)
    return faster_on_average(races.race_of(table, TREES, query).ratios(FCL, best) if best else {})


def _rate(table: Table) -> Outcome:
    study = table.study(BUILT)
    sizes = {case: study.count(case, "", "triangles") for case in study.cases()}
    large = [
        (size / study.value(case, DEFAULT_BUILD, TIME), case) for case, size in sizes.items() if size >= RATE_TRIANGLES
    ]
    if not large:
        return None
    rate, name = min(large)
    return f"{count(round(rate / 1000) * 1000)} per second at least ({name})", rate / RATE


_TESTS = (node_claims, operation_claims, race_claims, build_claims, outlook_claims)
CLAIMS = read_claims(__package__, {name: test for module in _TESTS for name, test in vars(module).items()})
EQUAL_LEAVES = f"≤ {MOST_TIME:g}× the AABB tree of equal leaves"
GOALS = (
    Goal("query time, all pairs", EQUAL_LEAVES, partial(_time, ALL)),
    Goal("query time, first hit", EQUAL_LEAVES, partial(_time, FIRST)),
    Goal("bytes of nodes", "less than a third of our AABB tree's, 80 bytes a node", _bytes),
    Goal("against FCL, all pairs", "faster", partial(_faster_than_fcl, ALL)),
    Goal("against FCL, first hit", "faster", partial(_faster_than_fcl, FIRST)),
    Goal("build", f"≥ {count(RATE)} triangles per second on one thread, {count(500_000)} triangles", _rate),
)
