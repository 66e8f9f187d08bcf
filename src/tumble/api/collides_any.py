"""`collides_any`: whether any of many poses is in contact, as a planner asks of the poses along an edge.

A few poses from all over the list come first, then more at a time, so that a motion that hits for a while is found out
by a few; within each such part poses keep their order, as neighbours often touch with the same triangles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask
from tumble.api.buried import any_buried, solids_of
from tumble.api.collide import posed_twice
from tumble.core.options import refuse_arrays
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import MeshLike
from tumble.query.clearance import checked_clearances
from tumble.query.engine import CLEARANCE, TOUCHING
from tumble.query.plan import Options
from tumble.query.run import any_of
from tumble.query.settings import AnySettings


def collides_any(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    settings: AnySettings | None = None,
    solid: bool = False,
    clearance: ArrayLike | None = None,
) -> bool:
    """Tell whether two meshes touch under any of many poses, on all cores; stops soon after the first that hits.

    The arguments are those of `tumble.collide_many`, of whose answer this is `.hit.any()`.
    """
    refuse_arrays(solid=solid)
    body_a, body_b, pairs = posed_twice(a, b, poses_b, poses_a)
    options = Options(method, tree, device, threads, True, settings=settings)
    clearances = None if clearance is None else checked_clearances(clearance, len(pairs))
    solids = solids_of(body_a, body_b) if solid else None

    def hit(rows: NDArray[np.int64]) -> bool:
        rows = np.sort(rows)
        if clearances is None:
            return bool(ask(TOUCHING, body_a, body_b, pairs[rows], options))
        return bool(ask(CLEARANCE, body_a, body_b, pairs[rows], options, clearances=clearances[rows]))

    if len(pairs) == 0:
        ask(TOUCHING, body_a, body_b, pairs, options)  # refuses options that make no sense
    if any_of(_from_all_over(len(pairs)), hit):
        return True
    return solids is not None and any_buried(solids, body_a, body_b, pairs)


def _from_all_over(count: int) -> NDArray[np.int64]:
    """Return the numbers below `count` in an order of which each beginning is spread evenly: bits read backwards."""
    bits = max(count - 1, 0).bit_length()
    numbers = np.arange(1 << bits)
    backwards = np.zeros_like(numbers)
    for bit in range(bits):
        backwards |= (numbers >> bit & 1) << (bits - 1 - bit)
    return backwards[backwards < count]
