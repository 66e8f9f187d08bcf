"""Tables 2 to 8 of the paper, from `data/stackless.csv`.

Tables 7 and 8 print no number of repetitions. Their times fit 1000: at that number an overlap test without
contact costs what it costs in Table 6 (about 0.05 µs), and a leaf overlap what it costs in Table 2 (1.7 µs).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table

UNPRINTED_REPETITIONS = 1000
ROUNDS = 100
MACHINE = "Intel Centrino Duo, 2 GHz, 2 MB cache, gcc -O2"
FACES = 796
METHODS = ("stack", "alternating", "stackless", "stackless-post", "leaf")
# What the paper prints of its rounds; the deviation is the population's: no further round is estimated.
SPREAD: dict[str, Callable[[Sequence[float]], float]] = {"min": min, "max": max, "mean": fmean, "deviation": pstdev}
COUNTERS = ("iterations", "overlaps", "leaf overlaps", "geometry overlaps")


def add_published(table: Table) -> None:
    """Write every row of Tables 2 to 8."""
    study = table.study(PUBLISHED)
    for row in published_rows("stackless"):
        scene, method = row["scene"], row["algorithm"]
        faces_a, faces_b = faces_of(scene)
        repetitions = int(row["repetitions"] or UNPRINTED_REPETITIONS)
        study.add_values(scene, "", {"table": int(row["table"]), "faces a": faces_a, "faces b": faces_b})
        study.add_values(scene, method, {"repetitions": repetitions, "rounds": ROUNDS})
        study.add_values(scene, method, {name: float(row[name]) for name in SPREAD}, "s")
        # The paper prints no median; its deviations are so small that the mean stands in for it.
        study.add(scene, method, "time", float(row["mean"]) / repetitions, "s")
        study.add_values(scene, method, {name: int(row[name.replace(" ", "_")]) for name in COUNTERS})


def faces_of(scene: str) -> tuple[int, int]:
    """The number of triangles of the two objects of a scene in the paper."""
    if scene.startswith("scalability-"):
        faces = FACES * 4 ** int(scene.removeprefix("scalability-"))
        return faces, faces
    many = FACES * 4**4
    unequal = {
        "different-counts-largest-first": (many, FACES),
        "different-counts-smallest-first": (FACES, many),
    }
    return unequal.get(scene, (FACES, FACES))
