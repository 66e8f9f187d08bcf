"""What is found out about the overlap of two bodies; no kernels are needed to hold it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays


@dataclass(frozen=True, eq=False)
class Curve(FrozenArrays):
    """A polyline in which two surfaces cross."""

    points: NDArray[np.float64]
    """(n, 3) in the world; a closed curve goes on from the last to the first"""
    closed: bool

    @property
    def length(self) -> float:
        """The length of the curve."""
        ring = np.concatenate([self.points, self.points[:1]]) if self.closed else self.points
        steps = np.diff(ring, axis=0)
        return float(np.sqrt((steps * steps).sum(axis=1)).sum())


Pieces = NDArray[np.float64]
"""(k, 3, 3) corners of triangles"""


class Common(NamedTuple):
    """What two solids have in common."""

    volume: float
    centroid: NDArray[np.float64]
    """(3,) NaN without a volume"""
    box: NDArray[np.float64]
    """(2, 3) the lowest and the highest corner; NaN where nothing is common"""
    boundary: tuple[Pieces, Pieces] | None = None
    """the pieces of the faces of a and of those of b that bound it, as triangles; None if they are not known"""


def nothing(volume: float) -> Common:
    """Return a common part without extent: 0 for none, NaN for one that is not known."""
    return Common(volume, np.full(3, np.nan), np.full((2, 3), np.nan))


class Overlap(NamedTuple):
    """How two bodies overlap."""

    common: Common
    curves: list[Curve]
    crosses_itself: tuple[bool, bool]
