"""Tables 2 to 8 of the paper, from `data/stackless.csv`.

Tables 7 and 8 print no number of repetitions. Their times fit 1000: at that number an overlap test without
contact costs what it costs in Table 6 (about 0.05 µs), and a leaf overlap what it costs in Table 2 (1.7 µs).
"""

from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table

UNPRINTED_REPETITIONS = 1000
ROUNDS = 100
MACHINE = "Intel Centrino Duo, 2 GHz, 2 MB cache, gcc -O2"
METHODS = ("stack", "alternating", "stackless", "stackless-post", "leaf")
# What the paper prints of its rounds; the deviation is the population's: no further round is estimated.
SPREAD: dict[str, Callable[[Sequence[float]], float]] = {"min": min, "max": max, "mean": fmean, "deviation": pstdev}
# What the paper counts, with the columns of `Stats`.
COUNTED = ("iterations", "overlaps", "leaf_overlaps", "hits")
COUNTERS = dict(zip(("iterations", "overlaps", "leaf overlaps", "geometry overlaps"), COUNTED, strict=True))


def add_published(table: Table) -> None:
    """Write every row of Tables 2 to 8."""
    study = table.study(PUBLISHED)
    for row in published_rows("stackless"):
        scene, method = row["scene"], row["algorithm"]
        repetitions = int(row["repetitions"] or UNPRINTED_REPETITIONS)
        study.add_values(
            scene, "", {name: int(row[name.replace(" ", "_")]) for name in ("table", "faces a", "faces b")}
        )
        study.add_values(scene, method, {"repetitions": repetitions, "rounds": ROUNDS})
        study.add_values(scene, method, {name: float(row[name]) for name in SPREAD}, "s")
        # The paper prints no median; its deviations are so small that the mean stands in for it.
        study.add(scene, method, "time", float(row["mean"]) / repetitions, "s")
        study.add_values(scene, method, {name: int(row[name.replace(" ", "_")]) for name in COUNTERS})
