"""Numbers in memory that several threads change at a time, each change undivided.

Each function takes an address and an index, counted in int64 numbers, and returns what was there before.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT64, place_of


def _changing(operation: str, ordering: str) -> Any:
    @intrinsic
    def change(typing_context, address, index, value):
        def generate(context, builder, signature, arguments):
            address, index, value = arguments
            return builder.atomic_rmw(operation, place_of(builder, address, index, INT64), value, ordering)

        return types.int64(types.int64, types.int64, types.int64), generate

    return change


atomic_add = _changing("add", "monotonic")
"""for counters, of which only the sum matters: nothing else in memory is ordered by it"""
ordered_add, ordered_set_bits = _changing("add", "seq_cst"), _changing("or", "seq_cst")
"""for words that say what other memory may be used for"""


@intrinsic
def ordered_exchange(typing_context, address, index, expected, value):
    """Write a value if the number is the expected one; return 1 if it was, else 0."""

    def generate(context, builder, signature, arguments):
        address, index, expected, value = arguments
        place = place_of(builder, address, index, INT64)
        both = builder.cmpxchg(place, expected, value, "seq_cst", "seq_cst")
        return builder.zext(builder.extract_value(both, 1), INT64)

    return types.int64(types.int64, types.int64, types.int64, types.int64), generate
