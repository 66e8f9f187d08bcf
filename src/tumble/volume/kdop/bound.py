"""How far two k-DOPs are from each other at least: the largest gap between their slabs.

If d . x <= h for all points x of the one and d . y >= l for all points y of the other, then |d| |y - x| >= l - h. The
axes are perpendicular, so that the gaps along them bound the distance together, as the length of a vector. The sides of
b's DOP carry the margin (`prepare_pose`), outward as in the overlap test: there is a gap only where the DOPs do not
overlap. Directions do not have unit length; the rounding of dividing by it is in the scale of `tumble.volume.relative`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.kdop.prepare_pose import COLUMNS, HIGHS, LOWS
from tumble.volume.kdop.sides import NUMBER_BYTES, turned_side
from tumble.volume.protocol import length_of_gaps
from tumble.volume.relative import ALIGNED, SCALE, SIZE

EXACT = len(AXES)


@inlined_kernel
def gap(a, half, s, low, high):
    """Return how far a DOP of a is from a slab of b's along direction s; negative where they overlap."""
    return max(low - float64_at(a, half + s), float64_at(a, s) - high)


def bound_of(k: int) -> Callable[..., Any]:
    """Return the bound for two k-DOPs in their own frames."""
    half = k // 2
    row_bytes, added = k * NUMBER_BYTES, half * COLUMNS * NUMBER_BYTES
    inverse_lengths = _inverse_lengths(k)

    @inlined_kernel
    def shifted_gap(a, b, prepared, s):
        low = float64_at(b, s) + float64_at(prepared + added, s)
        return gap(a, half, s, low, float64_at(b, half + s) + float64_at(prepared + added, half + s))

    @inlined_kernel
    def turned_gap(a, b, prepared, s):
        row = prepared + s * COLUMNS * NUMBER_BYTES
        low = turned_side(b, row, row + LOWS * NUMBER_BYTES) + float64_at(prepared + added, s)
        high = turned_side(b, row, row + HIGHS * NUMBER_BYTES) + float64_at(prepared + added, half + s)
        return gap(a, half, s, low, high)

    @kernel
    def largest_shifted_gap(a, b, prepared):
        largest = length_of_gaps(
            shifted_gap(a, b, prepared, 0), shifted_gap(a, b, prepared, 1), shifted_gap(a, b, prepared, 2)
        )
        for s in range(EXACT, half):
            largest = max(largest, shifted_gap(a, b, prepared, s) * inverse_lengths[s])
        return largest

    @kernel
    def largest_turned_gap(a, b, prepared):
        largest = length_of_gaps(
            turned_gap(a, b, prepared, 0), turned_gap(a, b, prepared, 1), turned_gap(a, b, prepared, 2)
        )
        for s in range(EXACT, half):
            largest = max(largest, turned_gap(a, b, prepared, s) * inverse_lengths[s])
        return largest

    def bound(volumes, i, others, j, relative):
        a, b = address_of(volumes.slabs) + i * row_bytes, address_of(others.slabs) + j * row_bytes
        prepared = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            return largest_shifted_gap(a, b, prepared) * relative[SCALE]
        return largest_turned_gap(a, b, prepared) * relative[SCALE]

    return bound


def bound_in_frame_of_a_of(k: int) -> Callable[..., Any]:
    """Return the bound for a k-DOP of a and one of b in a's frame."""
    half, row_bytes = k // 2, k * NUMBER_BYTES
    inverse_lengths = _inverse_lengths(k)

    @inlined_kernel
    def row_gap(a, row, s):
        return gap(a, half, s, float64_at(row, s), float64_at(row, half + s))

    @kernel
    def largest_gap(a, row):
        largest = length_of_gaps(row_gap(a, row, 0), row_gap(a, row, 1), row_gap(a, row, 2))
        for s in range(EXACT, half):
            largest = max(largest, row_gap(a, row, s) * inverse_lengths[s])
        return largest

    def bound(volumes, i, rows, k, relative):
        a = address_of(volumes.slabs) + i * row_bytes
        return largest_gap(a, address_of(rows) + k * rows.strides[0]) * relative[SCALE]

    return bound


def _inverse_lengths(k: int) -> Any:
    inverse: Any = 1.0 / np.sqrt((directions_of(k) ** 2).sum(axis=1))
    return inverse
