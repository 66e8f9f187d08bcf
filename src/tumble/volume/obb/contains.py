"""What turned boxes contain, over whole columns and without any kernel: for the validator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.volume.obb.axes import SKEW
from tumble.volume.obb.box import CENTRE, HALF, TINY

Rows = NDArray[np.float64]

LARGEST_SKEW = 2.0 * SKEW
"""how far directions may be from perpendicular units: those of fitted boxes, and what is rounded here"""


def contains(rows: Rows, points: Rows) -> NDArray[np.bool_]:
    """Tell which points are contained; half sizes were widened by more than this rounds."""
    axes = rows[..., :CENTRE].reshape(*rows.shape[:-1], 3, 3)
    along = (axes * (points - rows[..., CENTRE:HALF])[..., None, :]).sum(axis=-1)
    return np.asarray((np.abs(along) <= rows[..., HALF:]).all(axis=-1))


def sound(rows: Rows, extent: float) -> NDArray[np.bool_]:
    """Tell which boxes have proper directions and are no larger than a mesh of that extent makes them."""
    axes = rows[:, :CENTRE].reshape(-1, 3, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        skew = np.abs(axes @ axes.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    centres, halves = np.abs(rows[:, CENTRE:HALF]), rows[:, HALF:]
    near = (centres <= 2.0 * extent + 2.0 * TINY).all(axis=1)
    sized = ((halves > 0.0) & (halves <= 4.0 * extent + 2.0 * TINY)).all(axis=1)
    return np.asarray((skew <= LARGEST_SKEW) & near & sized)
