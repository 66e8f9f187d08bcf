"""What k-DOPs contain, over whole columns and without any kernel: for the validator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.relative import UNIT_ROUNDOFF

Rows = NDArray[np.float64]

WIDENING = 4 * UNIT_ROUNDOFF
"""as in `volumes`, which says why it is enough"""
ROUNDED = 1 + 16 * UNIT_ROUNDOFF


def contains(rows: Rows, points: Rows) -> NDArray[np.bool_]:
    """Tell which points are certainly contained: inside by at least the rounding of their place along a direction."""
    half = rows.shape[-1] // 2
    terms = points[..., None, :] * directions_of(2 * half)
    x, y, z = terms[..., 0], terms[..., 1], terms[..., 2]
    places, widening = x + y + z, WIDENING * (np.abs(x) + np.abs(y) + np.abs(z))
    widening[..., : len(AXES)] = 0.0
    inside = (places - widening >= rows[..., :half]) & (places + widening <= rows[..., half:])
    return np.asarray(inside.all(axis=-1))


def sound(rows: Rows, extent: float) -> NDArray[np.bool_]:
    """Tell which DOPs are no larger than a mesh of that extent makes them: the margins of overlap tests follow it."""
    sizes = np.abs(directions_of(rows.shape[-1])).sum(axis=1)
    limits = extent * np.where(sizes == 1.0, 1.0, sizes * ROUNDED)
    return np.asarray((np.abs(rows) <= np.tile(limits, 2)).all(axis=1))
