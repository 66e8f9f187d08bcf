"""The records of k-DOPs, a class for each k: kernels choose and unroll by type."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Slabs = NDArray[np.float64]
"""a row for each node: the low sides along all directions, then the high sides"""


class KDops6(NamedTuple):
    """Boxes, turned like DOPs."""

    slabs: Slabs


class KDops14(NamedTuple):
    """Axes and corners."""

    slabs: Slabs


class KDops18(NamedTuple):
    """Axes and edges."""

    slabs: Slabs


class KDops24(NamedTuple):
    """Axes, edges and three corners."""

    slabs: Slabs


class KDops26(NamedTuple):
    """Axes, edges and corners."""

    slabs: Slabs


RECORDS: dict[int, type] = {6: KDops6, 14: KDops14, 18: KDops18, 24: KDops24, 26: KDops26}
