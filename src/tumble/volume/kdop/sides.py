"""The inner steps of k-DOP tests, on rows by their addresses: a side of a turned DOP, slabs compared all at once, gaps.

By addresses, because handing over arrays costs a call more than the step does; with vectors, because a comparison that
ends early cannot be predicted: all twelve slabs of a 24-DOP at once take a sixth of the time of one after the other.

The lower bound of the distance is the largest gap between slabs. If d . x <= h for all points x of the one and
d . y >= l for all points y of the other, then |d| |y - x| >= l - h. The axes are perpendicular, so that the gaps along
them bound the distance together, as the length of a vector. The sides of b's DOP carry the margin (`prepare_pose`),
outward as in the overlap test: there is a gap only where the DOPs do not overlap. Directions do not have unit length;
the rounding of dividing by it is in the scale of `tumble.volume.relative`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import INT64, address_of, float64_at, int64_at, pointer_to
from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.kdop.prepare_pose import COLUMNS
from tumble.volume.kdop.realign import HIGHS, LOWS
from tumble.volume.protocol import length_of_gaps
from tumble.volume.relative import ALIGNED, SCALE, SIZE

NUMBER_BYTES = 8
EXACT = len(AXES)  # directions whose sides are coordinates, the first ones


@inlined_kernel
def turned_side(slabs, coefficients, places):
    """Return Equation 3 of paper `chip`: three coefficients times the sides that three places name."""
    return (
        float64_at(coefficients, 0) * float64_at(slabs, int64_at(places, 0))
        + float64_at(coefficients, 1) * float64_at(slabs, int64_at(places, 1))
        + float64_at(coefficients, 2) * float64_at(slabs, int64_at(places, 2))
    )


def turned_sides_of(half: int) -> Any:
    """Make the function that returns a turned DOP's low and high side in a direction, at their place in a's frame.

    It takes the address of the DOP and of what `prepare_pose` wrote behind the relative pose, and the direction.
    """
    added = half * COLUMNS * NUMBER_BYTES

    @inlined_kernel
    def turned_sides(b, prepared, s):
        row = prepared + s * COLUMNS * NUMBER_BYTES
        low = turned_side(b, row, row + LOWS * NUMBER_BYTES) + float64_at(prepared + added, s)
        return low, turned_side(b, row, row + HIGHS * NUMBER_BYTES) + float64_at(prepared + added, half + s)

    return turned_sides


def windows(half: int) -> tuple[int, Sequence[int]]:
    """Return a number of lanes and where vectors of it start to cover just so many numbers, which are two or more."""
    # the last vector overlaps the one before it where the number is not a multiple: twice compared costs nothing
    width = 4 if half >= 4 else 2
    starts = list(range(0, half - width + 1, width))
    return width, starts if starts[-1] + width == half else [*starts, half - width]


def meeting(half: int) -> Any:
    """Make the function that tells whether no slab of two aligned DOPs has a gap, given the addresses of their rows.

    The third address is that of what is added to the second DOP's sides, or None. What is not a number is no gap.
    """
    width, starts = windows(half)
    vector, mask = ir.VectorType(ir.DoubleType(), width), ir.IntType(width)

    @intrinsic
    def slabs_meet(typing_context, first, second, added):
        def generate(context, builder, signature, arguments):
            def load(address: Any, index: int) -> Any:
                place = builder.add(address, INT64(NUMBER_BYTES * index))
                value = builder.load(pointer_to(builder, place, vector))
                value.align = NUMBER_BYTES
                return value

            def moved(index: int) -> Any:
                value = load(arguments[1], index)
                return value if added == types.none else builder.fadd(value, load(arguments[2], index))

            gaps = None
            for low in starts:
                high = half + low
                for below, above in ((load(arguments[0], high), moved(low)), (moved(high), load(arguments[0], low))):
                    gap = builder.fcmp_ordered("<", below, above)
                    gaps = gap if gaps is None else builder.or_(gaps, gap)
            return builder.icmp_unsigned("==", builder.bitcast(gaps, mask), ir.Constant(mask, 0))

        return types.boolean(types.int64, types.int64, added), generate

    return slabs_meet


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
