"""One ray against eight boxes of a packed tree: where it enters each, all lanes at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core.simd.memory import INT64
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE
from tumble.traversal.rays.prepare import OFFSETS, SLOPES, STEEPNESS, WIDENINGS


def _slab(lanes: Lanes, block: Any, singles: Any, axis: int) -> tuple[Vector, Vector]:
    """Return where the ray enters and leaves the slabs of one axis."""
    offset, slope, steepness, widening = (
        lanes.spread(lanes.scalar(singles, first + axis)) for first in (OFFSETS, SLOPES, STEEPNESS, WIDENINGS)
    )
    middle = lanes.load(block, MIDDLE + axis).times_plus(slope, -offset)
    half = lanes.load(block, HALF + axis).times_plus(steepness, widening)
    return middle - half, middle + half


def _prefetch(builder: Any, address: Any) -> None:
    """Ask for a cache line that is needed soon: here the children, while the boxes are compared."""
    place = builder.inttoptr(address, ir.IntType(8).as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [place.type, *3 * [ir.IntType(32)]])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [place, *(ir.IntType(32)(k) for k in (0, 3, 1))])


@intrinsic
def boxes_on_ray(typing_context, block, singles, reach, nears):
    """Return a bit for each lane whose box the ray may meet between 0 and `reach`; write where it enters to `nears`."""

    def generate(context, builder, signature, arguments):
        block, singles, reach, nears = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        near, far = lanes.constant(0.0), lanes.spread(reach)
        _prefetch(builder, builder.add(block, INT64(4 * LANES * CHILD)))
        for axis in range(3):
            enter, leave = _slab(lanes, block, singles, axis)
            near, far = near.or_larger(enter), far.or_smaller(leave)
        lanes.store(near, nears, 0)
        return lanes.bits(builder.not_(near > far))

    return types.int64(types.int64, types.int64, types.float32, types.int64), generate
