"""Large pieces of the machine's stack that nobody clears: `tumble.simd.memory.scratch` for the frames of a walk.

Numba clears what it allocates, and a hundred kilobytes a query take longer than many a walk.
"""

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.simd.memory import INT64


@intrinsic(prefer_literal=True)
def uncleared(typing_context, words):
    """Return the address of so many 64-bit words on the machine's stack; `words` is a constant."""
    if not isinstance(words, types.Literal):
        return None

    def generate(context, builder, signature, arguments):
        # as so many single words: Numba clears the first of them
        place = cgutils.alloca_once(builder, INT64, size=words.literal_value)
        place.align = 64
        return builder.ptrtoint(place, INT64)

    return types.int64(words), generate
