"""A table of the paper `chip` in which every claim holds and every goal is met; tests spoil one value at a time."""

from made_once import made_once

from tumble.bench.framework.table import Table
from tumble.bench.papers.chip.marks import LIST_MARKS, OWN, PAPERS
from tumble.bench.papers.chip.measure import LISTS, METHODS, TRIANGLE_TESTS, VOLUMES, contestant
from tumble.bench.papers.chip.published import MARKS, add_published
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    BARE_TIME,
    CHIP,
    CYCLE_MODEL,
    LAYOUT,
    LISTED,
    PASS_LONGEST,
    PASS_MEAN,
    RECURSIVE,
    ROTATION,
    SOUP,
    WITHOUT,
    add_layout,
)
from tumble.bench.papers.chip.startup import BUILD, READ, START_UP
from tumble.bench.papers.chip.variants import BARE, ONE_PAIR, USUAL, VARIANTS
from tumble.chip.cost import cycles_of_reads, seconds

OBJECTS = ("Lock", "Buddha")
CASE = "Lock at 1.00"
# Cycles of settings of the sweep: with a quarter of the bus, with a faster IT-unit, with more comparators.
SWEPT = {"bus: 64 bits": 900, "bus: 256 bits": 483, "operands: 1": 460, "operands: 4": 483}
SWEPT |= {"tumbled: 1": 1000, "tumbled: 2": 483, "tumbled: 4": 470, "tumbled: 8": 460}
# As many rounds as decide.
ROUNDS = 6
# Of one query: the recursive traversal and what takes its place.
SECONDS = {"stack": 2.0, "stack-ahead": 1.5, "lists": 1.2, "lists-pairs": 1.0}
COUNTS = {
    "stack": {"iterations": 100.0, "tests": 100.0, "moves": 100.0},
    "stack-ahead": {"iterations": 100.0, "tests": 100.0, "moves": 50.0},
    "lists": {"iterations": 90.0, "tests": 90.0, "moves": 20.0, "reached": 20.0},
    "lists-pairs": {"iterations": 45.0, "tests": 90.0, "moves": 20.0, "reached": 20.0},
}
# Moving, additions, multiplications, comparisons, divisions, worst, undecided, pairs.
TESTS = {
    "unit triangle": (30.0, 50.0, 60.0, 10.0, 0.0, 190.0, 0.0, 20),
    "intervals": (30.0, 80.0, 70.0, 12.0, 2.0, 230.0, 0.0, 20),
    "barycentric": (30.0, 90.0, 70.0, 12.0, 3.0, 240.0, 0.0, 20),
    "exact, its float64 stage": (30.0, 20.0, 10.0, 12.0, 0.0, 80.0, 0.0, 20),
}
PARTS = ("moving", "additions", "multiplications", "comparisons", "divisions", "worst", "undecided", "pairs")


@made_once
def good_table():
    """Everything as it should be."""
    table = Table()
    add_published(table)
    for name in OBJECTS:
        add_rotation(table.study(ROTATION), name)
        add_model(table.study(CYCLE_MODEL), name)
        add_start_up(table.study(START_UP), name, 2.0)
    add_marks(table.study(LIST_MARKS))
    add_model(table.study(CYCLE_MODEL), SOUP, SOUP)
    add_variants(table.study(VARIANTS))
    add_layout(table.study(LAYOUT))
    add_lists(table.study(LISTS))
    for name, values in TESTS.items():
        table.study(TRIANGLE_TESTS).add_values("Filter", name, dict(zip(PARTS, values, strict=True)))
    for k, cycles in ((6, 700), (24, 483), (26, 500)):
        add_swept(table, f"k: {k}", cycles)
    for setting, cycles in SWEPT.items():
        add_swept(table, setting, cycles)
    return table


def add_rotation(study, name):
    """Two poses; the second is the worst case, with a larger speed-up, with triangles and without."""
    series = {"aligned": (2000, 80_000), "reads": (1000, 40_000), "tumbled": (40, 200), "reached": (40, 200)}
    study.add_values(name, "", {"what": "a gear", "triangles": 1000, "distance": 1.0, "steps": 2, "touching": 1})
    for quantity, values in {**series, "checks": (10, 100), "hits": (1, 5)}.items():
        study.add_series(name, CHIP, quantity, values)
    counts = zip(series["reads"], series["tumbled"], strict=True)
    study.add_series(name, CHIP, "time", [seconds(cycles_of_reads(r, t, t / 2)) for r, t in counts], "s")
    add_software(study, name, "time", [1000e-6, 60_000e-6])
    add_software(study, name, BARE_TIME, [1000e-6, 60_000e-6])
    study.add_series(name, LISTED, "time", [100e-6, 1500e-6], "s")


def add_software(study, name, quantity, times):
    """Times of the recursive traversal, the same in every pass."""
    study.add_series(name, RECURSIVE, quantity, times, "s")
    study.add_series(name, RECURSIVE, PASS_MEAN.format(quantity), [sum(times) / len(times)] * ROUNDS, "s")
    study.add_series(name, RECURSIVE, PASS_LONGEST.format(quantity), [max(times)] * ROUNDS, "s")


def add_start_up(study, name, seconds, rounds=ROUNDS):
    """A mesh that is read in so many seconds, and a tree that is built in one."""
    study.add_race(name, {READ: [seconds] * rounds, BUILD: [1.0] * rounds}, [(READ, BUILD)])


def add_marks(study):
    for mark, cycle in MARKS.items():
        for name in (PAPERS, OWN):
            study.add_values(mark, name, {"earliest": cycle, "latest": cycle, "lists": 20, "as printed": 20})


def add_model(study, name, case=None):
    """Ten lists of thirty pairs, five per cent off."""
    case = case or f"{name}, step 2"
    study.add_values(case, "", {"object": name, "step": 1})
    with_triangles = {"cycles": 9000, "tumbled": 20, "different tumbled": 20, "polygon checks": 1000, "unsure": 0}
    memory = {"touching": 5, "list bytes": 90.0, "image bytes": 1_000_000}
    study.add_values(case, AS_IT_IS, {**with_triangles, **memory, "busiest unit": "SDRAM", "same pairs": True})
    without = {"cycles": 3990, "Equation 5": 3800.0, "lists": 10, "pairs per list": 30.0}
    study.add_values(case, WITHOUT, {**without, "busiest unit": "SDRAM", "DOTADD lines per node": 24.0})


def add_variants(study):
    """The paper's chip as it says: leaves without DOPs are faster, and a buffer of one pair is enough."""
    for tree in ("by surface", "by median"):
        for name, cycles in ((USUAL, 9000), (ONE_PAIR, 9100), (BARE, 8000)):
            counts = {"cycles": cycles, "without triangles": 3990, "Equation 5": 3800.0, "polygon checks": 40}
            study.add_values(f"Lock, {tree}", name, {**counts, "bytes": 4096, "same pairs": True})


def add_lists(study):
    study.add_values(CASE, "", {"object": "Lock", "triangles": 1000, "distance": 1.0, "answer": "3 pairs per pose"})
    for volume in VOLUMES:
        for method in METHODS:
            name = contestant(volume, method)
            study.add_values(CASE, name, {**COUNTS[method], "poses": 4, "wrong answers": 0})
            study.add(CASE, name, "time", SECONDS[method], "s")
            study.add(CASE, contestant(volume, RECURSIVE), f"time / {name}", SECONDS[RECURSIVE] / SECONDS[method])
            if volume.startswith("kdop") and volume != "kdop24":
                study.add(CASE, name, f"time / {contestant('kdop24', method)}", 1.5)


def add_swept(table, setting, cycles):
    counts = {"bus_bytes": 8192, "aligned_nodes": 60, "tumbled_nodes": 4, "lists": 2, "polygon_checks": 7, "unsure": 0}
    for part in (AS_IT_IS, WITHOUT):
        busy = {"busy: SDRAM": 300, "busy: comparators": 200 if setting == "tumbled: 1" else 100}
        values = {"cycles": cycles, **counts, **busy, "same pairs": True}
        table.study("sweep").add_values(setting, part, values)
