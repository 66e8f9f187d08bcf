"""A table of the paper `chip` in which every claim holds and every goal is met; tests spoil one value at a time."""

from tumble.bench.framework.table import Table
from tumble.bench.papers.chip.measure import BY_K, LISTS, METHODS, TRIANGLE_TESTS, VOLUMES, contestant
from tumble.bench.papers.chip.published import add_published
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LISTED, RECURSIVE, ROTATION, WITHOUT
from tumble.chip.cost import cycles_of_reads, seconds

OBJECTS = ("Lock", "Buddha")
CASE = "Lock at 1.00"
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
    "exact, its float64 stage": (30.0, 20.0, 10.0, 12.0, 0.0, 80.0, 0.0, 20),
}
PARTS = ("moving", "additions", "multiplications", "comparisons", "divisions", "worst", "undecided", "pairs")


def good_table():
    """Everything as it should be."""
    table = Table()
    add_published(table)
    for name in OBJECTS:
        add_rotation(table.study(ROTATION), name)
        add_model(table.study(CYCLE_MODEL), name)
    add_lists(table.study(LISTS))
    for volume in VOLUMES:
        if volume.startswith("kdop"):
            for method in (RECURSIVE, LISTED):
                table.study(BY_K).add(volume, method, "time", 1.0 if volume == "kdop24" else 1.5)
    for name, values in TESTS.items():
        table.study(TRIANGLE_TESTS).add_values("Filter", name, dict(zip(PARTS, values, strict=True)))
    for k, cycles in ((6, 700), (24, 483), (26, 500)):
        add_swept(table, k, cycles)
    return table


def add_rotation(study, name):
    """Two poses; the second is the worst case, with a larger speed-up."""
    series = {"aligned": (200, 2000), "reads": (100, 1000), "tumbled": (40, 200), "reached": (40, 200)}
    study.add_values(name, "", {"what": "a gear", "triangles": 1000, "distance": 1.0, "steps": 2, "touching": 1})
    for quantity, values in {**series, "checks": (10, 100)}.items():
        study.add_series(name, CHIP, quantity, values)
    counts = zip(series["reads"], series["tumbled"], strict=True)
    study.add_series(name, CHIP, "time", [seconds(cycles_of_reads(r, t, t / 2)) for r, t in counts], "s")
    study.add_series(name, RECURSIVE, "time", [200e-6, 3000e-6], "s")
    study.add_series(name, LISTED, "time", [100e-6, 1500e-6], "s")


def add_model(study, name):
    """Ten lists of thirty pairs, five per cent off."""
    case = f"{name}, step 2"
    study.add_values(case, "", {"object": name, "step": 1})
    with_triangles = {"cycles": 9000, "tumbled": 20, "different tumbled": 20, "polygon checks": 1000, "unsure": 2}
    study.add_values(case, AS_IT_IS, {**with_triangles, "busiest unit": "SDRAM", "same pairs": True})
    without = {"cycles": 3990, "Equation 5": 3800.0, "lists": 10, "pairs per list": 30.0}
    study.add_values(case, WITHOUT, {**without, "busiest unit": "SDRAM"})


def add_lists(study):
    study.add_values(CASE, "", {"object": "Lock", "triangles": 1000, "distance": 1.0, "answer": "3 pairs per pose"})
    for volume in VOLUMES:
        for method in METHODS:
            name = contestant(volume, method)
            study.add_values(CASE, name, {**COUNTS[method], "poses": 4, "wrong answers": 0})
            study.add(CASE, name, "time", SECONDS[method], "s")
            study.add(CASE, contestant(volume, RECURSIVE), f"time / {name}", SECONDS[RECURSIVE] / SECONDS[method])


def add_swept(table, k, cycles):
    counts = {"bus_bytes": 8192, "aligned_nodes": 60, "tumbled_nodes": 4, "lists": 2, "polygon_checks": 7, "unsure": 0}
    for part in (AS_IT_IS, WITHOUT):
        values = {"cycles": cycles, **counts, "busy: SDRAM": 300}
        table.study("sweep").add_values(f"k: {k}", part, values)
