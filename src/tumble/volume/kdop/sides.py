"""The inner steps of k-DOP tests, on rows by their addresses: one side of a turned DOP, and slabs compared all at once.

By addresses, because handing over arrays costs a call more than the step does; with vectors, because a comparison that
ends early cannot be predicted: all twelve slabs of a 24-DOP at once take a sixth of the time of one after the other.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, float64_at, int64_at
from tumble.volume.kdop.prepare_pose import COLUMNS, HIGHS, LOWS

NUMBER_BYTES = 8


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
                value = builder.load(builder.inttoptr(place, vector.as_pointer()))
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
