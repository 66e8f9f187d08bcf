"""What comes after a block's boxes were compared with a single's: pairs that wait, and leaves to be looked at.

Which lanes overlap cannot be predicted, so nothing branches on it: all eight pairs are made and written, and the next
one over those that were not meant.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from tumble.core.simd.eight import EIGHT_INTS
from tumble.core.simd.memory import INT64, instruction, place_of
from tumble.core.simd.vectors import EIGHT_FLOATS, VECTOR_BYTES, Lanes
from tumble.hierarchy.packed.layout import CHILD, LANES, SIZE
from tumble.traversal.packed.nodes import NODE_SHIFT

EIGHT_WORDS = ir.VectorType(INT64, LANES)


def _all(kind: Any, number: int) -> Any:
    return ir.Constant(kind, [number] * LANES)


def _spread(builder: Any, word: Any) -> Any:
    nothing = ir.Constant(EIGHT_WORDS, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.IntType(32)(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(EIGHT_INTS, [0] * LANES))


@instruction(types.UniTuple(types.int64, 2)(types.int64, types.int64, types.float32, *5 * (types.int64,)))
def descend(builder, block, mask, size, is_leaf, down, up, stack, top):
    """Let the pairs of a single and some lanes of a block wait; return the new top and the lanes that are leaves.

    is_leaf   whether the single is one: then lanes that are leaves do not wait, but are returned
    size      the single's: inner lanes that are larger are descended into, otherwise the single is
    down, up  the pair of the single with block 0, and that of lane 0 with the single's children
    """
    lanes = Lanes(builder, EIGHT_FLOATS)
    children = builder.load(place_of(builder, block, INT64(CHILD), EIGHT_INTS))
    children.align = VECTOR_BYTES
    nothing = _all(EIGHT_INTS, 0)
    inner = builder.icmp_signed(">", children, nothing)
    leaves = builder.and_(lanes.bits(builder.icmp_signed("<", children, nothing)), mask)
    # an empty lane may be in the mask where float32 could not tell
    waiting = builder.and_(builder.or_(lanes.bits(inner), leaves), mask)
    single_is_leaf = builder.icmp_signed("!=", is_leaf, INT64(0))
    leaves = builder.select(single_is_leaf, leaves, INT64(0))
    waiting = builder.xor(waiting, leaves)
    larger = lanes.load(block, SIZE) >= lanes.spread(size)
    both = builder.select(single_is_leaf, inner, builder.and_(inner, larger))
    below = builder.add(_spread(builder, down), builder.shl(builder.zext(children, EIGHT_WORDS), _all(EIGHT_WORDS, 1)))
    numbers = ir.Constant(EIGHT_WORDS, [lane << NODE_SHIFT for lane in range(LANES)])
    above = builder.add(_spread(builder, up), numbers)
    words = builder.select(both, below, above)
    for lane in range(LANES):
        place = place_of(builder, stack, top, INT64)
        builder.store(builder.extract_element(words, ir.IntType(32)(lane)), place)
        top = builder.add(top, builder.and_(builder.lshr(waiting, INT64(lane)), INT64(1)))
    return cgutils.pack_array(builder, [top, leaves])
