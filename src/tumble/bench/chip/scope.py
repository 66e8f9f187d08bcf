"""How much a run covers: everything within twelve minutes, or a look within two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.bench.chip.listing import VOLUMES
from tumble.bench.chip.stand_ins import STAND_INS, StandIn
from tumble.bench.peers.objects import REAL_PAIRS, RealPair
from tumble.bench.peers.race import Effort


@dataclass(frozen=True)
class Scope:
    """Objects, poses and times of a run."""

    # Table 1: the paper's objects by their stand-ins, with its polygons by `shrink`, and real meshes.
    stand_ins: Sequence[StandIn]
    shrink: int
    real: Sequence[RealPair]
    # Poses of the rotation, and how many of them run on the cycle model: for the stand-ins, and for real meshes.
    steps: int
    samples: int
    real_samples: int
    # Long lists: polygons of the paper's objects by this.
    long_shrink: int
    # List traversal in software: polygons of the paper's objects by this, kinds of volumes, poses, seconds for a race.
    list_shrink: int
    volumes: Sequence[str]
    list_steps: int
    effort: Effort
    # The sweep: an object, and the polygons of the paper's by this; operations of triangle tests: triangle pairs.
    sweep_of: str
    sweep_shrink: int
    triangle_pairs: int


def _real(*names: str) -> tuple[RealPair, ...]:
    return tuple(pair for pair in REAL_PAIRS if pair.name in names)


FULL = Scope(
    stand_ins=STAND_INS,
    shrink=1,
    real=_real("cow", "fandisk", "turbine", "nefertiti", "koala"),
    steps=96,
    samples=4,
    real_samples=2,
    long_shrink=1,
    list_shrink=4,
    volumes=VOLUMES,
    list_steps=12,
    effort=Effort(12.0, least_rounds=3, most_rounds=15),
    sweep_of="Frontlight",
    sweep_shrink=4,
    triangle_pairs=2000,
)

QUICK = Scope(
    stand_ins=STAND_INS,
    shrink=8,
    real=_real("cow"),
    steps=24,
    samples=2,
    real_samples=1,
    long_shrink=1,
    list_shrink=16,
    volumes=("sphere", "aabb", "kdop14", "kdop24"),
    list_steps=6,
    effort=Effort(1.5, least_rounds=3, most_rounds=7),
    sweep_of="Frontlight",
    sweep_shrink=16,
    triangle_pairs=300,
)
