"""What the paper `bsp` prints: Table 1, the loads behind it, and the numbers of its text."""

from __future__ import annotations

from typing import NamedTuple

GPUS = ("GeForce GTX 960", "Radeon R9 280")


class Row(NamedTuple):
    """A scene of the paper."""

    title: str
    objects: int
    triangles: str
    milliseconds: tuple[float, float]
    """of a query on both GPUs, Table 1"""
    leaf_pairs: int
    """at the heaviest time-step, Section 6.1"""
    itself: bool
    """whether Table 1 has collisions of objects with themselves in it"""


CLOTH_BALL, FUNNEL, N_BODY = "cloth-ball", "funnel", "n-body"
TABLE_1 = {
    CLOTH_BALL: Row("Cloth-Ball", 2, "92K", (6.43, 3.08), 3_100_000, True),
    FUNNEL: Row("Funnel", 4, "18.5K", (0.99, 0.57), 314_000, True),
    N_BODY: Row("NBody", 305, "146K", (2.42, 1.16), 117_600, False),
}
# Figure 7, as far as the text tells it: the average over the three scenes, and the best, both GPUs.
MEAN_SPEEDUP, BEST_SPEEDUP, BEST_SCENE = (4.3, 4.4), (6.2, 7.1), N_BODY
# Section 6.2: steps of four levels beside those of one to three; entry levels 1 to 5 on NBody with µ = 2, GTX 960.
DEEP_STEP, SLOW_DOWN = 4, (3.0, 5.0)
ENTRY_LEVELS, ENTRY_MILLISECONDS = (1, 5), (3.0, 16.0)
# ... and what is said to be good: a group and a queue of at least so many.
GOOD_GROUP, GOOD_QUEUE = 32, 64
