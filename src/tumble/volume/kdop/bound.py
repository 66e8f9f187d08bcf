"""How far two k-DOPs are from each other at least: the largest gap between their slabs.

If d . x <= h for all points x of the one and d . y >= l for all points y of the other, then |d| |y - x| >= l - h. The
axes are perpendicular, so that the gaps along them bound the distance together, as the length of a vector. The sides of
b's DOP carry the margin (`prepare_pose`), outward as in the overlap test: there is a gap only where the DOPs do not
overlap. Directions do not have unit length; the rounding of dividing by it is in the scale of `tumble.volume.relative`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.kdop.prepare_pose import COLUMNS
from tumble.volume.kdop.sides import NUMBER_BYTES, turned_sides_of
from tumble.volume.protocol import length_of_gaps
from tumble.volume.relative import ALIGNED, SCALE, SIZE

EXACT = len(AXES)


def _largest_gap(k: int, sides: Any) -> Any:
    """Make the kernel that takes the gaps from sides(b, prepared, direction), the low and high side of b's DOP."""
    half = k // 2
    inverse_lengths: Any = 1.0 / np.sqrt((directions_of(k) ** 2).sum(axis=1))

    @inlined_kernel
    def gap(a, b, prepared, s):
        low, high = sides(b, prepared, s)
        return max(low - float64_at(a, half + s), float64_at(a, s) - high)

    @kernel
    def largest_gap(a, b, prepared):
        largest = length_of_gaps(gap(a, b, prepared, 0), gap(a, b, prepared, 1), gap(a, b, prepared, 2))
        for s in range(EXACT, half):
            largest = max(largest, gap(a, b, prepared, s) * inverse_lengths[s])
        return largest

    return largest_gap


def bound_of(k: int) -> Callable[..., Any]:
    """Return the bound for two k-DOPs in their own frames."""
    half, row_bytes = k // 2, k * NUMBER_BYTES
    added = half * COLUMNS * NUMBER_BYTES

    @inlined_kernel
    def shifted_sides(b, prepared, s):
        low = float64_at(b, s) + float64_at(prepared + added, s)
        return low, float64_at(b, half + s) + float64_at(prepared + added, half + s)

    largest_shifted_gap, largest_turned_gap = _largest_gap(k, shifted_sides), _largest_gap(k, turned_sides_of(half))

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

    @inlined_kernel
    def stored_sides(row, prepared, s):
        return float64_at(row, s), float64_at(row, half + s)

    largest_gap = _largest_gap(k, stored_sides)

    def bound(volumes, i, rows, k, relative):
        a = address_of(volumes.slabs) + i * row_bytes
        return largest_gap(a, address_of(rows) + k * rows.strides[0], np.int64(0)) * relative[SCALE]

    return bound
