"""What a query returns, the same from every method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Stats:
    """What a traversal did, in the columns of paper `stackless`."""

    iterations: int
    """turns of the traversal's loop"""
    tests: int
    """overlap tests of two bounding volumes"""
    overlaps: int
    """of those, how many overlapped"""
    leaf_overlaps: int
    """of those, how many were two leaves"""
    hits: int
    """touching triangle pairs found"""


@dataclass(frozen=True, eq=False)
class Collision:
    """The touching triangles of two meshes; true when there are any."""

    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted, each pair once"""
    stats: Stats | None = None
    """what the traversal did; None unless asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __repr__(self) -> str:
        return f"<Collision of {len(self.pairs)} triangle pairs>"
