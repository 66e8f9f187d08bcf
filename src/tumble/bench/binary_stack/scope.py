"""How much a run covers: the paper's simulation, or a look within two minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.bench.binary_stack.published import BODIES, STEPS
from tumble.bench.framework.timing import Effort


@dataclass(frozen=True)
class Scope:
    """Sizes and times of a run."""

    # The simulation: bodies, the last step, recorded moments, and further steps until all rest, at most.
    bodies: int
    steps: int
    every: int
    patience: int
    # Triangles of the animal made by code where no mesh is named; None: the real cow where its folder is at hand.
    animal: int | None
    # Table 1: how long the contestants of a moment race.
    effort: Effort
    # Recorded moments at which traversals and descent rules are compared, and for how long.
    compared: Sequence[int]
    compared_effort: Effort
    # Memory: triangles of a knot, and children of a node over the smallest of them.
    memory_sizes: Sequence[int]
    memory_children: Sequence[int]
    # Turned boxes beside Coal's: shapes, their triangles, poses of a turn, distances.
    obb_shapes: Sequence[str]
    obb_faces: int
    obb_poses: int
    obb_distances: Sequence[float]
    obb_effort: Effort


FULL = Scope(
    bodies=BODIES,
    steps=STEPS,
    every=25,
    patience=2600,
    animal=None,
    effort=Effort(6.0, least_rounds=3, most_rounds=7),
    compared=(100, 250, 400),
    compared_effort=Effort(20.0, least_rounds=3, most_rounds=5),
    memory_sizes=(1_000, 10_000, 100_000, 1_000_000),
    memory_children=(2, 4, 8, 16),
    obb_shapes=("torus", "knot", "gear", "bowl"),
    obb_faces=20_000,
    obb_poses=12,
    obb_distances=(0.8, 0.6),
    obb_effort=Effort(2.0, least_rounds=5, most_rounds=25),
)

QUICK = Scope(
    bodies=64,
    steps=150,
    every=25,
    patience=1000,
    animal=2_000,
    effort=Effort(0.5, least_rounds=3, most_rounds=7),
    compared=(100,),
    compared_effort=Effort(2.0, least_rounds=3, most_rounds=5),
    memory_sizes=(1_000, 10_000, 100_000),
    memory_children=(2, 4, 8, 16),
    obb_shapes=("torus", "knot", "gear"),
    obb_faces=5_000,
    obb_poses=8,
    obb_distances=(0.8,),
    obb_effort=Effort(0.3, least_rounds=5, most_rounds=15),
)
