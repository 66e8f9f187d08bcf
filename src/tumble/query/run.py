"""Many queries in one call: bodies against bodies, on all cores, the same result for any number of threads.

The list of pairs is cut into pieces whose size depends on its length alone, and each piece is one kernel call without
the GIL. Pieces with more touching triangles than their buffer holds get a larger one and go on where they stopped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import PairCount, refuse
from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import InternalError, PoseError
from tumble.mesh import as_pose
from tumble.query.answer import Collisions
from tumble.traversal.engines import Engine

PIECES = 48
SMALLEST_PIECE = 16
FIRST_CAPACITY = 1 << 14


class Bodies(NamedTuple):
    """Trees and where they are; whoever makes this keeps the meshes alive."""

    trees: NDArray[np.int64]
    """(m,) the address of each body's tree, all of the engine's kind"""
    poses: NDArray[np.float64]
    """(m, 4, 4), C-contiguous"""


def collide_bodies(
    a: Bodies,
    b: Bodies,
    pairs: NDArray[np.int64],
    engine: Engine,
    *,
    first: bool = False,
    threads: int | None = None,
    called: tuple[str, str] = ("poses", "poses"),
) -> Collisions:
    """Ask for each of `pairs`, (n, 2) numbers of bodies of a and of b, which triangles touch.

    Nobody may write into the poses meanwhile. `called` is how the caller's user knows them, for errors.
    """
    workers, first = thread_count(threads), bool(first)
    pairs = np.ascontiguousarray(pairs, np.int64)
    deviations_a = checked_deviations(a.poses, called[0])
    deviations_b = deviations_a if b.poses is a.poses else checked_deviations(b.poses, called[1])
    counts = np.zeros(len(pairs), np.int64)
    size = max(SMALLEST_PIECE, -(-len(pairs) // PIECES))
    budget = PairCount()
    sides = (a.trees, a.poses, deviations_a, b.trees, b.poses, deviations_b)

    def run(piece: int) -> NDArray[np.int64]:
        start = piece * size
        return _run_piece(engine, sides, pairs, start, min(start + size, len(pairs)), first, counts, budget)

    keys = run_pieces(run, -(-len(pairs) // size), workers)
    return Collisions.from_keys(counts, np.concatenate(keys) if keys else np.empty(0, np.int64))


def _run_piece(
    engine: Engine,
    sides: tuple,
    pairs: NDArray[np.int64],
    start: int,
    stop: int,
    first: bool,
    counts: NDArray[np.int64],
    budget: PairCount,
) -> NDArray[np.int64]:
    """Return the keys of pairs[start:stop], one pair's after the other's."""
    keys = np.empty(stop - start if first else FIRST_CAPACITY, np.int64)
    used, at, counted = 0, start, 0
    while True:
        at = engine.query_many(*sides, pairs, at, stop, int(first), counts, keys, used)
        used = int(counts[start:at].sum())
        if at == stop:
            if not first:
                budget.add(used - counted)
            return keys[:used]
        if counts[at] < 0:
            refuse(int(counts[at]))
        needed = used + int(counts[at])
        budget.add(needed - counted)
        counted = needed
        larger = np.empty(2 * needed, np.int64)
        larger[:used] = keys[:used]
        keys = larger


def checked_deviations(poses: NDArray[np.float64], called: str = "poses") -> NDArray[np.float64]:
    """Return how far each pose is from a rotation, or name the first that is no rigid motion."""
    from tumble.traversal.chunk import check_poses

    deviations = np.empty(len(poses))
    wrong = check_poses(poses, deviations)
    if wrong >= 0:
        raise _refusal(poses[wrong], f"{called}[{wrong}]")
    return deviations


def _refusal(pose: NDArray[np.float64], called: str) -> PoseError:
    try:
        as_pose(pose)
    except PoseError as error:
        return PoseError(f"{called}: {error}")
    raise InternalError(f"{called} was refused by the kernel alone: {pose.tolist()}; please report this")
