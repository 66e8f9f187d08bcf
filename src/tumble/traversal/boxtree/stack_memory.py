"""Memory for a walk that nobody clears: small pieces on the machine's stack, the stack of frames from the heap.

Numba clears what it allocates, and a hundred kilobytes per query take longer than many a walk. So much does not belong
on the machine's stack either: Python gives threads as little as 64 kilobytes (`threading.stack_size`).
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, int64_at, set_int64

ALIGNMENT = 64


@intrinsic(prefer_literal=True)
def uncleared(typing_context, words):
    """Return the address of so many 64-bit words on the machine's stack; `words` is a constant, and small."""
    if not isinstance(words, types.Literal):
        return None

    def generate(context, builder, signature, arguments):
        # as so many single words: Numba clears the first of them
        place = cgutils.alloca_once(builder, INT64, size=words.literal_value)
        place.align = ALIGNMENT
        return builder.ptrtoint(place, INT64)

    return types.int64(words), generate


@intrinsic
def _allocated(typing_context, size):
    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(cgutils.voidptr_t, [INT64])
        function = cgutils.get_or_insert_function(builder.module, kind, "PyMem_RawMalloc")
        return builder.ptrtoint(builder.call(function, arguments), INT64)

    return types.int64(types.int64), generate


@intrinsic
def _freed(typing_context, address):
    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
        function = cgutils.get_or_insert_function(builder.module, kind, "PyMem_RawFree")
        builder.call(function, [builder.inttoptr(arguments[0], cgutils.voidptr_t)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@inlined_kernel
def from_heap(words):
    """Return the address of so many 64-bit words, aligned, for `to_heap` to give back; 0 when there is no memory."""
    start = _allocated(8 * words + ALIGNMENT)
    if start == 0:
        return start
    address = (start + ALIGNMENT) & -ALIGNMENT
    set_int64(address, -1, start)  # there is room for it, as memory is a multiple of 16 anyway
    return address


@inlined_kernel
def to_heap(address):
    """Give back what `from_heap` returned; 0 is nothing."""
    if address != 0:
        _freed(int64_at(address, -1))
