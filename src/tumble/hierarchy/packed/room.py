"""The working memory of one builder: where things lie in its two arrays, float32 (in rows of eight) and int32."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.packed.layout import LANES, MAX_DEPTH

BINS = 16
"""intervals on each axis, among which a cut is sought"""
BOTTOM = 16
"""triangles, at most, that go into one last block: eight leaves of two"""
COMFORTABLE = 14
"""triangles in a part that is not cut for want of space: some slack gives better pairs"""

# rows of eight float32
BIN_BOXES = 0
RIGHT_COSTS = BIN_BOXES + 3 * BINS
PART_BOXES = RIGHT_COSTS + 3 * BINS // 8
PART_CENTRES = PART_BOXES + LANES
COLUMNS = PART_CENTRES + LANES
PRICES = COLUMNS + 7 * BOTTOM // 8
WAITING_BOXES = PRICES + BOTTOM * BOTTOM // 8

# single int32
BIN_COUNTS = 0
PART_STARTS = BIN_COUNTS + 3 * BINS
PART_STOPS = PART_STARTS + LANES
PART_LANES = PART_STOPS + LANES
PARTNERS = PART_LANES + LANES
WAITING = PARTNERS + BOTTOM

WAITING_FIELDS = 4
"""start, stop, block, depth"""
MOST_WAITING = LANES * (MAX_DEPTH + 1)
"""each level leaves at most seven siblings behind"""


def make_room() -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return working memory, with anything in it."""
    rows = WAITING_BOXES + 2 * MOST_WAITING
    return np.empty(8 * rows, np.float32), np.empty(WAITING + WAITING_FIELDS * MOST_WAITING, np.int32)
