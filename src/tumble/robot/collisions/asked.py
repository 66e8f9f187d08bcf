"""What is asked about many configurations: shared by collisions and distances, and how threads share the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces
from tumble.hierarchy.packed import packed
from tumble.query.bodies import IDENTITY
from tumble.robot.clearances import Clearances
from tumble.robot.collisions.blocks import BLOCK
from tumble.robot.collisions.prepared import Prepared
from tumble.robot.collisions.world import World

PIECE = 512
"""configurations that a kernel call takes where each answer has a size of its own: a millisecond or more"""


class Check(NamedTuple):
    """What is asked about configurations."""

    prepared: Prepared
    world: World
    Q: NDArray[np.float64]
    clearance: Clearances
    self_collision: bool
    threads: int

    @property
    def given(self) -> tuple[Any, ...]:
        """What every kernel of these questions takes first."""
        bodies, kinematics = self.prepared.bodies, self.prepared.robot.kinematics
        return kinematics, bodies, self.world.obstacles, IDENTITY


def make_ready(prepared: Prepared, world: World, questions: int) -> None:
    """Give the trees of links and obstacles what searches for distances need, for about so many questions of each."""
    for mesh in (*prepared.robot.meshes, world.mesh):
        if mesh is not None and len(mesh):
            packed(mesh).ready_for_distances(questions)


def on_threads(count: int, threads: int, run: Callable[[NDArray[np.int64]], Any], block: int = BLOCK) -> None:
    """Call `run` once in each thread, with the counter that its kernel draws blocks of a list from.

    Threads end within a block of each other, whatever the list is like, and Python is called once for each.
    """
    drawn = np.zeros(1, np.int64)
    run_pieces(lambda _: run(drawn), min(threads, -(-count // block)), threads)


def in_pieces(count: int, threads: int, run: Callable[[int, int], Any]) -> list[Any]:
    """Return what `run(start, stop)` returns for each piece of a list."""
    pieces = -(-count // PIECE)
    return run_pieces(lambda k: run(k * PIECE, min((k + 1) * PIECE, count)), pieces, threads)
