"""What comes after a block's boxes were compared with a single's: pairs that wait, and leaves to be looked at.

Which lanes overlap cannot be predicted, so nothing branches on it: all eight pairs are made and written, and the next
one over those that were not meant.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from tumble.core.simd.eight import EIGHT_INTS
from tumble.core.simd.memory import INT32, INT64, instruction, place_of
from tumble.core.simd.vectors import EIGHT_FLOATS, VECTOR_BYTES, Lanes, store_chosen
from tumble.hierarchy.packed.layout import CHILD, LANES, SIZE
from tumble.traversal.packed.nodes import NODE_SHIFT

EIGHT_WORDS = ir.VectorType(INT64, LANES)


def _all(kind: Any, number: int) -> Any:
    return ir.Constant(kind, [number] * LANES)


def _spread(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(ir.VectorType(number.type, LANES), ir.Undefined)
    first = builder.insert_element(nothing, number, INT32(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(EIGHT_INTS, [0] * LANES))


@instruction(types.UniTuple(types.int64, 2)(types.int64, types.int64, types.float32, *5 * (types.int64,)))
def descend(builder, block, mask, size, is_leaf, down, up, stack, top):
    """Let the pairs of a single and some lanes of a block wait; return the new top and the lanes that are leaves.

    is_leaf   all bits, if the single is one: then lanes that are leaves do not wait, but are returned; else 0
    size      the single's, 0 of a leaf: inner lanes that are as large are descended into, otherwise the single is
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
    # by bits: LLVM would make a branch of a choice between the two
    leaves = builder.and_(leaves, is_leaf)
    waiting = builder.xor(waiting, leaves)
    # sizes are positive, so they compare as whole numbers do, and no inner node is smaller than what is below zero
    sizes = builder.load(place_of(builder, block, INT64(SIZE), EIGHT_INTS))
    sizes.align = VECTOR_BYTES
    number = builder.or_(builder.bitcast(size, INT32), builder.trunc(is_leaf, INT32))
    both = builder.and_(inner, builder.icmp_signed(">=", sizes, _spread(builder, number)))
    below = builder.add(_spread(builder, down), builder.shl(builder.zext(children, EIGHT_WORDS), _all(EIGHT_WORDS, 1)))
    numbers = ir.Constant(EIGHT_WORDS, [lane << NODE_SHIFT for lane in range(LANES)])
    above = builder.add(_spread(builder, up), numbers)
    words = builder.select(both, below, above)
    top = store_chosen(builder, words, waiting, stack, top)
    return cgutils.pack_array(builder, [top, leaves])
