"""Tables of gaps as kernels take them: see `tumble.robot.collisions.gap_tables`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.records import frozen

CELLS = 64
"""of each column"""
COLUMNS = 2
NO_TABLE = -1


class GapTables(NamedTuple):
    """Tables of some pairs of bodies."""

    number: NDArray[np.int64]
    """(pairs,) of the table of each, or NO_TABLE"""
    columns: NDArray[np.int64]
    """(tables, 2) which columns of a configuration; the same one twice where there is only one"""
    low: NDArray[np.float64]
    """(tables, 2) where the first cell begins"""
    scale: NDArray[np.float64]
    """(tables, 2) cells per unit"""
    gaps: NDArray[np.float32]
    """(tables, CELLS, CELLS) the bodies are farther apart than this throughout the cell"""


def no_tables(pairs: int) -> GapTables:
    """Return no table for any pair."""
    return frozen_tables(np.full(pairs, NO_TABLE), np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)), some_gaps(0))


def some_gaps(tables: int) -> NDArray[np.float32]:
    """Return memory for the cells of some tables."""
    return np.empty((tables, CELLS, CELLS), np.float32)


def frozen_tables(
    number: ArrayLike, columns: ArrayLike, low: ArrayLike, scale: ArrayLike, gaps: NDArray[np.float32]
) -> GapTables:
    """Return tables as kernels take them."""
    numbers, which = (frozen(np.ascontiguousarray(each, np.int64)) for each in (number, columns))
    first, factors = (frozen(np.ascontiguousarray(each, np.float64)) for each in (low, scale))
    return GapTables(numbers, which, first, factors, frozen(gaps))
