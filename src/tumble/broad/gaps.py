"""How far the boxes of bodies are apart, and boxes enlarged so that those meet that are near enough; NumPy only."""

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float64]
"""(n, 6): lowest x, y, z, highest x, y, z; see `tumble.broad.boxes`"""

# far more than the rounding of a gap and of its length
ROUNDED_DOWN, ROUNDED_UP = 1.0 - 2.0**-40, 1.0 + 2.0**-36


def enlarged(boxes: Boxes, reach: float | NDArray[np.float64]) -> Boxes:
    """Return boxes that are larger on all sides: all by one number, or by (n, 1), rounded up."""
    with np.errstate(over="ignore", invalid="ignore"):  # boxes may become infinite
        more = reach * ROUNDED_UP
        low, high = np.nextafter(boxes[:, :3] - more, -np.inf), np.nextafter(boxes[:, 3:] + more, np.inf)
    nowhere = ~(boxes[:, :3] <= boxes[:, 3:])
    return np.concatenate([np.where(nowhere, np.inf, low), np.where(nowhere, -np.inf, high)], axis=1)


def box_distances(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """Return how far boxes are apart, row by row, rounded down."""
    gaps = np.maximum(np.maximum(b[:, :3] - a[:, 3:], a[:, :3] - b[:, 3:]), 0.0)
    # by the largest gap, as squares may underflow
    largest = np.maximum(gaps.max(axis=1), np.finfo(np.float64).tiny)[:, None]
    return np.asarray(np.sqrt(((gaps / largest) ** 2).sum(axis=1)) * largest[:, 0] * ROUNDED_DOWN)
