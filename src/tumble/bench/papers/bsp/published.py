"""What the paper prints: Table 1 and the loads behind it, from `data/bsp.csv`, and the numbers of its text."""

from typing import NamedTuple

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table

GPUS = ("GeForce GTX 960", "Radeon R9 280")


class Published(NamedTuple):
    """A scene of the paper."""

    title: str
    objects: int
    triangles: str
    milliseconds: tuple[float, ...]
    """of a query on both GPUs, Table 1"""
    leaf_pairs: int
    """at the heaviest time-step, Section 6.1"""
    within: bool
    """whether Table 1 has collisions of objects with themselves in it"""
    speedups: tuple[float, ...]
    """over streams on both GPUs, as far as the text tells Figure 7"""


CLOTH_BALL, FUNNEL, N_BODY = "cloth-ball", "funnel", "n-body"
TABLE_1 = {
    row["scene"]: Published(
        row["title"],
        int(row["objects"]),
        row["triangles"],
        tuple(float(row[name]) for name in GPUS),
        int(row["leaf pairs"]),
        row["within"] == "yes",
        tuple(float(row[f"speed-up {name}"]) for name in GPUS if row[f"speed-up {name}"]),
    )
    for row in published_rows("bsp")
}
# Figure 7, as far as the text tells it: the average over the three scenes, and the best, both GPUs.
MEAN_SPEEDUP, BEST_SCENE = (4.3, 4.4), N_BODY
BEST_SPEEDUP = TABLE_1[BEST_SCENE].speedups
# Section 6.2: steps of four levels beside those of one to three; entry levels 1 to 5 on NBody with µ = 2, GTX 960.
DEEP_STEP, SLOW_DOWN = 4, (3.0, 5.0)
ENTRY_LEVELS, ENTRY_MILLISECONDS = (1, 5), (3.0, 16.0)
# ... and what is said to be good: a group and a queue of at least so many.
GOOD_GROUP, GOOD_QUEUE = 32, 64


def add_published(table: Table) -> None:
    """Write Table 1 and the loads."""
    study = table.study(PUBLISHED)
    for scene, row in TABLE_1.items():
        study.add_values(scene, "", {"objects": row.objects, "leaf pairs": row.leaf_pairs})
        for name, value in zip(GPUS, row.milliseconds, strict=True):
            study.add(scene, name, "time", value, "ms")
        for name, value in zip(GPUS, row.speedups, strict=False):
            study.add(scene, name, "speed-up", value)
    for name, value in zip(GPUS, MEAN_SPEEDUP, strict=True):
        study.add("average", name, "speed-up", value)


def title(scene: str) -> str:
    """A scene's name in the paper."""
    return TABLE_1[scene].title
