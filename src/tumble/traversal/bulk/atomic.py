"""A counter that several threads draw from."""

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import _place


@intrinsic
def atomic_add(typing_context, address, index, value):
    """Add to the int64 number `index` after an address, undivided; return what was there before."""

    def generate(context, builder, signature, arguments):
        address, index, value = arguments
        return builder.atomic_rmw("add", _place(builder, address, index, types.int64), value, "monotonic")

    return types.int64(types.int64, types.int64, types.int64), generate
