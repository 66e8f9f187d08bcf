"""What the paper prints: Table 1, from `data/chip.csv`, and the numbers of its text."""

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table

# The two halves of Table 1: means over a rotation, and maxima.
AVERAGE, WORST = "average", "worst case"
# Section 6: the range of speed-ups.
LEAST_SPEEDUP, MOST_SPEEDUP = 25, 125
# Section 1: checks per second for stable forces.
FORCE_FEEDBACK = 1000
# Section 3.1, from "extensive benchmarks".
BEST_K = 24
MACHINE = "Pentium III, 1 GHz"
# Section 5: cycles from the read of a tumbled pair to what happens in its list.
MARKS = {
    "the node pair is read": 16,
    "the first result of the first node is written": 28,
    "all its results are there": 52,
    "the results of its sibling are there": 88,
    "the fourth aligned node is compared": 100,
}
# Section 5: cycles from the first number of a DOP to the first line that is fed to DOTADD, "on average".
DELAY = 12


def add_published(table: Table) -> None:
    """Write Table 1: aligned nodes count once for each tumbled node that they are compared with."""
    study = table.study(PUBLISHED)
    for row in published_rows("chip"):
        name = row["object"]
        study.add(name, "", "polygons", int(row["polygons"]))
        study.add(name, AVERAGE, "polygon checks", int(row["polygon checks"]))
        study.add(name, AVERAGE, "speed-up", int(row["speed-up"]))
        study.add(name, WORST, "speed-up", int(row["worst speed-up"]))
        for part, prefix in ((AVERAGE, "average"), (WORST, "worst")):
            study.add_values(name, part, {what: int(row[f"{prefix} {what}"]) for what in ("aligned", "tumbled")})
            times = {what: int(row[f"{prefix} {what}"]) for what in ("hardware", "software")}
            study.add_values(name, part, times, "µs")
