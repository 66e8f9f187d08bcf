"""States by whole vectors: a cut changes all ends at once, most of them by nothing, and all are compared at once.

A vector of four ends costs what one end costs, so that looking up which ends change would cost more than it saves. The
numbers are those of `plain`, which does it end by end.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.jit import inlined_kernel
from tumble.simd.memory import INT64
from tumble.simd.vector import FOUR_DOUBLES, VECTOR_BYTES, Lanes, Vector

_FOUR_WORDS = ir.VectorType(INT64, 4)


@intrinsic
def _cut_vector(typing_context, parent, row, offset, place):
    """Write parent + offset * row."""

    def generate(context, builder, signature, arguments):
        parent, row, offset, place = arguments
        lanes = Lanes(builder, FOUR_DOUBLES)
        lanes.store(lanes.load(parent, 0) + lanes.spread(offset) * lanes.load(row, 0), place, 0)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.float64, types.int64), generate


@intrinsic
def _take_vector(typing_context, parent, mask, products, place):
    """Write parent - products, where the mask is set."""

    def generate(context, builder, signature, arguments):
        parent, mask, products, place = arguments
        lanes = Lanes(builder, FOUR_DOUBLES)
        bits = [builder.bitcast(lanes.load(address, 0).value, _FOUR_WORDS) for address in (mask, products)]
        chosen = Vector(lanes, builder.bitcast(builder.and_(*bits), FOUR_DOUBLES.type))
        lanes.store(lanes.load(parent, 0) - chosen, place, 0)
        return context.get_dummy_value()

    return types.void(*4 * (types.int64,)), generate


@intrinsic
def _larger(typing_context, one, other):
    """Return in which of four lanes the first is larger than the second."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        return lanes.bits(lanes.load(arguments[0], 0) > lanes.load(arguments[1], 0))

    return types.int64(types.int64, types.int64), generate


@inlined_kernel
def cut_all(parent, row, offset, place, vectors):
    """Write the state of a child."""
    for k in range(0, VECTOR_BYTES * vectors, VECTOR_BYTES):
        _cut_vector(parent + k, row + k, offset, place + k)


@inlined_kernel
def cut_by_products(parent, masks, products, place):
    """Write the state of a child of tree b by the products of a lookup table."""
    _take_vector(parent, masks, products, place)
    _take_vector(parent + VECTOR_BYTES, masks + VECTOR_BYTES, products, place + VECTOR_BYTES)


@inlined_kernel
def any_apart(state_a, state_b, vectors):
    """Tell whether any axis parts two nodes."""
    bits = 0
    for k in range(0, VECTOR_BYTES * vectors, VECTOR_BYTES):
        bits |= _larger(state_a + k, state_b + k)
    return bits != 0
