"""Working memory of kernels: small pieces on the machine's stack, large ones from the heap; neither is cleared.

Numba clears what it allocates, and clearing a hundred kilobytes per query takes longer than many a traversal. That much
does not belong on the machine's stack either: Python threads may have as little as 64 kilobytes of it
(`threading.stack_size`).
"""

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, int64_at, set_int64

ALIGNMENT = 64
"""bytes: a cache line, and more than any vector needs"""
# Addresses as int64 instead of pointers: on all 64-bit systems both are passed alike.
_allocated = types.ExternalFunction("PyMem_RawMalloc", types.int64(types.int64))
_freed = types.ExternalFunction("PyMem_RawFree", types.void(types.int64))


@intrinsic(prefer_literal=True)
def scratch(typing_context, words):
    """Return the address of a number of 64-bit words on the machine's stack, not cleared; `words` is a constant.

    They live until the outermost kernel returns into which this code was inlined, and belong to its thread alone.
    """
    if not isinstance(words, types.Literal):
        return None

    def generate(context, builder, signature, arguments):
        # As single words instead of one array, because Numba clears the first element of what it allocates: clearing
        # the 7 KB of the packed walk's stack took 3 to 5 % of a first hit of two meshes, and 17 % of one of two boxes.
        place = cgutils.alloca_once(builder, INT64, size=words.literal_value)
        place.align = ALIGNMENT
        return builder.ptrtoint(place, INT64)

    return types.int64(words), generate


@inlined_kernel
def from_heap(words):
    """Return the address of a number of 64-bit words, aligned; 0 when there is no memory. `to_heap` frees them."""
    start = _allocated(8 * words + ALIGNMENT)
    if start == 0:
        return start
    address = (start + ALIGNMENT) & -ALIGNMENT
    # malloc aligns to 16 bytes, so at least 16 lie before the aligned address: enough to remember the original one
    set_int64(address, -1, start)
    return address


@inlined_kernel
def to_heap(address):
    """Free what `from_heap` returned; 0 is ignored."""
    if address != 0:
        _freed(int64_at(address, -1))
