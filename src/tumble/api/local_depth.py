"""How far the surface of one body reaches into another: see `tumble.solid.overlap.reach`."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays, frozen_record
from tumble.solid.body import Body
from tumble.solid.overlap.reach import Effort, local_depth
from tumble.solid.overlap.records import Pieces


@dataclass(frozen=True, eq=False)
class LocalDepth(FrozenArrays):
    """How far the surface of one body reaches into the other: the largest distance to that body's surface."""

    depth: float
    """that of `point`; no point of the common part's boundary is deeper than `bound`"""
    bound: float
    """about 1 % more than the depth, or where surfaces overlap in a thin layer as much as was made sure of"""
    point: NDArray[np.float64]
    """(3,): where it is deepest; NaN where nothing overlaps"""
    direction: NDArray[np.float64]
    """(3,): a unit direction in which b leaves a there; zero where the depth is"""


def local_depth_of(
    bodies: tuple[Body, Body], boundary: tuple[Pieces, Pieces] | None, effort: Effort
) -> LocalDepth | None:
    """Return how far surfaces reach into each other, from what bounds the common part; None if that is not known."""
    if boundary is None:
        return None
    found = local_depth(bodies, boundary, effort)
    length = float(np.linalg.norm(found.outward))
    direction = found.outward / length if length > 0.0 else np.zeros(3)
    return frozen_record(LocalDepth, found.depth, found.most, found.point.copy(), direction)


def no_local_depth() -> LocalDepth:
    """Return what is said of bodies that do not overlap."""
    return frozen_record(LocalDepth, 0.0, 0.0, np.full(3, np.nan), np.zeros(3))
