"""What boxtrees must reach here, and whether a run reached it."""

import math
from functools import partial

from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import TIME, Table
from tumble.bench.papers.boxtree.builds import BUILT
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, FCL
from tumble.bench.papers.boxtree.races import ALL, BYTES, FIRST, TREES, both_of, mean_ratio, race_of
from tumble.report import count, ratio

MOST_TIME, MOST_BYTES = 1.3, 1 / 3
RATE, RATE_TRIANGLES = 1_000_000, 450_000


def best_build(table: Table) -> str | None:
    """The variant of the least time against the AABB tree, over all cases: one for all of them."""
    times = {name: mean_ratio(both_of(table, TREES), name, AABB) for name in BUILDS}
    present = {name: value for name, value in times.items() if not math.isnan(value)}
    return min(present, key=lambda name: present[name], default=None)


def _time(query: str, table: Table) -> Outcome:
    best = best_build(table)
    ratios = list(race_of(table, TREES, query).ratios(best, AABB).values()) if best else []
    if not ratios:
        return None
    mean = geometric_mean(ratios)
    ends = f"{ratio(min(ratios))} to {ratio(max(ratios))}, cases: {len(ratios)}"
    return f"{best}: {ratio(mean)} ({ends})", MOST_TIME / mean


def _bytes(table: Table) -> Outcome:
    best, study = best_build(table), table.study(BYTES)
    if best is None or not study:
        return None
    parts = [(study.value(case, best, "bytes") / study.value(case, AABB, "bytes"), case) for case in study.cases(best)]
    worst, name = max(parts)
    return f"{best}: {worst:.0%} at most ({name})", MOST_BYTES / worst


def _faster_than_fcl(query: str, table: Table) -> Outcome:
    best = best_build(table)
    leads = race_of(table, TREES, query).ratios(FCL, best) if best else {}
    if not leads:
        return None
    mean, least = geometric_mean(list(leads.values())), min(leads, key=lambda case: leads[case])
    slower = sum(lead < 1 for lead in leads.values())
    return f"{ratio(mean)}, least {ratio(leads[least])} ({least}); slower on {slower} of {len(leads)}", mean


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


EQUAL_LEAVES = f"≤ {MOST_TIME:g}× the AABB tree of equal leaves"
GOALS = (
    Goal("query time, all pairs", EQUAL_LEAVES, partial(_time, ALL)),
    Goal("query time, first hit", EQUAL_LEAVES, partial(_time, FIRST)),
    Goal("bytes of nodes", "less than a third of the AABB tree's", _bytes),
    Goal("against FCL, all pairs", "faster", partial(_faster_than_fcl, ALL)),
    Goal("against FCL, first hit", "faster", partial(_faster_than_fcl, FIRST)),
    Goal("build", f"≥ {count(RATE)} triangles per second, {count(500_000)} triangles", _rate),
)
