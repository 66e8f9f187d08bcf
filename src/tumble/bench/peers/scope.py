"""How much a run covers: everything within half an hour, or a look within three minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.bench.framework.timing import Effort
from tumble.errors import OptionError
from tumble.scenario.objects import REAL_PAIRS, RealPair

# What can be asked for with --only, and what it is.
QUERIES = {
    "first-hit": "first hit",
    "all-pairs": "all pairs",
    "far-apart": "far apart",
    "aligned": "all pairs, aligned",
    "sweep": "time over distance",
    "python-threads": "first hit from several Python threads",
    "batch": "many poses in one call",
    "scene": "a scene of many bodies",
    "build": "build",
    "memory": "bytes a triangle",
    "start": "cold and warm start",
}

LARGE = 30_000
CLOSEST_OF_LARGE = 0.6


@dataclass(frozen=True)
class Scope:
    """Sizes, distances and times of a run."""

    # Triangles of each shape, and which real meshes.
    sizes: Sequence[int]
    real: Sequence[RealPair]
    # Between the middles of the boxes, in lengths of the box; and poses of a turn for meshes up to so many triangles.
    distances: Sequence[float]
    steps: Sequence[tuple[int, int]]
    pair_effort: Effort
    # The curve of time over distance.
    sweep: Sequence[float]
    sweep_faces: int
    # Objects of the other queries, by shape and triangles.
    batch_of: Sequence[tuple[str, int]]
    batch_poses: int
    bodies: int
    # Between neighbours in the scene, in box lengths: in a heap most bodies touch others, loose ones rarely.
    spacings: Sequence[float]
    build_sizes: Sequence[int]
    memory_faces: int
    long_effort: Effort

    def distances_for(self, faces: int) -> list[float]:
        """Distances of a pair: large meshes come less close, where a pose has 100 000 touching pairs."""
        return [distance for distance in self.distances if distance >= CLOSEST_OF_LARGE or faces <= LARGE]

    def steps_for(self, faces: int) -> int:
        """Poses of a turn: fewer for large meshes, so that a run ends."""
        return next(steps for most, steps in self.steps if faces <= most)


FULL = Scope(
    sizes=(1_000, 10_000, 100_000, 500_000),
    real=REAL_PAIRS,
    distances=(1.0, 0.8, 0.6, 0.4),
    steps=((30_000, 24), (200_000, 8), (10**9, 4)),
    pair_effort=Effort(1.5, least_rounds=3),
    sweep=tuple(round(0.2 + 0.1 * step, 1) for step in range(14)),
    sweep_faces=10_000,
    batch_of=(("torus", 1_000), ("gear", 1_000), ("knot", 10_000), ("bowl", 10_000), ("torus", 100_000)),
    batch_poses=10_000,
    bodies=1_000,
    spacings=(0.85, 1.1),
    build_sizes=(1_000, 10_000, 100_000, 500_000),
    memory_faces=100_000,
    long_effort=Effort(10.0, least_rounds=3),
)

QUICK = Scope(
    sizes=(1_000, 10_000),
    real=REAL_PAIRS[:4],
    distances=(0.9, 0.6),
    steps=((10**9, 8),),
    pair_effort=Effort(0.3, least_rounds=3),
    sweep=(0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4),
    sweep_faces=2_000,
    batch_of=(("torus", 1_000), ("knot", 10_000)),
    batch_poses=10_000,
    bodies=1_000,
    spacings=(1.0,),
    build_sizes=(1_000, 20_000),
    memory_faces=20_000,
    long_effort=Effort(2.0, least_rounds=3),
)


def chosen_queries(only: Sequence[str] | None) -> list[str]:
    """The queries to run, in the order of the page; an unknown name is refused."""
    strangers = [name for name in only or () if name not in QUERIES]
    if strangers or (only is not None and not only):
        wrong = f"unknown query {strangers[0]!r}" if strangers else "no query named"
        raise OptionError(f"{wrong}: choose from {', '.join(QUERIES)}")
    return [name for name in QUERIES if only is None or name in only]
