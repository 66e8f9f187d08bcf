"""How much a run covers: everything within a quarter of an hour, or a look within two minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.bench.boxtree.published import STEPS
from tumble.bench.framework.timing import Effort
from tumble.scenario.objects import REAL_PAIRS, SHAPES, RealPair


@dataclass(frozen=True)
class Scope:
    """Sizes, distances and times of a run."""

    # Shapes made by code that take part everywhere, and real meshes.
    kinds: Sequence[str]
    real: Sequence[RealPair]
    # Figure 1 and Table 1: triangles of each shape.
    node_faces: int
    # Figure 6: triangles of each shape, and of the one that the rate is taken of.
    build_sizes: Sequence[int]
    large: tuple[str, int]
    build_effort: Effort
    # Figure 8: triangles of each shape, distances between the middles in box lengths, steps of the turn.
    turn_faces: int
    turn_distances: Sequence[float]
    turn_steps: int
    # Figures 9 and 10: distances, poses of a turn for meshes up to so many triangles, seconds for a race.
    distances: Sequence[float]
    steps: Sequence[tuple[int, int]]
    effort: Effort
    test_kinds: Sequence[str]
    test_sizes: Sequence[int]
    tree_sizes: Sequence[int]

    def steps_for(self, faces: int) -> int:
        """Poses of a turn: fewer for large meshes, so that a run ends."""
        return next(steps for most, steps in self.steps if faces <= most)


FULL = Scope(
    kinds=tuple(SHAPES),
    real=REAL_PAIRS,
    node_faces=20_000,
    build_sizes=(2_000, 8_000, 32_000, 125_000, 500_000),
    large=("knot", 500_000),
    build_effort=Effort(1.5, least_rounds=3, most_rounds=15),
    turn_faces=5_000,
    turn_distances=tuple(round(0.5 + 0.1 * step, 1) for step in range(9)),
    turn_steps=STEPS,
    distances=(1.0, 0.8, 0.6),
    steps=((30_000, 48), (10**9, 16)),
    effort=Effort(1.0, least_rounds=5, most_rounds=40),
    test_kinds=("knot", "gear"),
    test_sizes=(250, 1_000, 4_000, 16_000, 64_000),
    tree_sizes=(1_000, 4_000, 16_000, 64_000),
)

QUICK = Scope(
    kinds=tuple(SHAPES),
    real=REAL_PAIRS[:4],
    node_faces=4_000,
    build_sizes=(2_000, 8_000, 32_000, 128_000),
    large=("knot", 500_000),
    build_effort=Effort(0.1, least_rounds=3, most_rounds=5),
    turn_faces=4_000,
    turn_distances=(0.4, 0.6, 0.8, 1.0, 1.2),
    turn_steps=200,
    distances=(0.9, 0.7),
    steps=((10**9, 12),),
    effort=Effort(0.3, least_rounds=5, most_rounds=25),
    test_kinds=("knot", "gear"),
    test_sizes=(250, 1_000, 4_000, 16_000),
    tree_sizes=(1_000, 8_000),
)
