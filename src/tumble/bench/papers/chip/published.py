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
