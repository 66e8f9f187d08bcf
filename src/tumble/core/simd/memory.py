"""Memory by its address: how the fast path reads a whole tree through one number.

An array as an argument costs a kernel call 0.2 µs and more, an address costs next to nothing. The caller keeps the
array alive, and the reader knows what lies there: these functions check nothing.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

INT32, INT64 = ir.IntType(32), ir.IntType(64)
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()
# Numba's type of a value, and LLVM's type of the same number in memory. Kernels see all whole numbers as int64.
_FLOAT32, _FLOAT64 = (types.float32, FLOAT), (types.float64, DOUBLE)
_INT32, _INT64, _BYTE = (types.int64, INT32), (types.int64, INT64), (types.int64, ir.IntType(8))


def instruction(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make of a function that writes code, given LLVM's builder and the values of its arguments, one for kernels."""

    def make(write: Callable[..., Any]) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            value = write(builder, *arguments)
            return context.get_dummy_value() if value is None else value

        @intrinsic
        @wraps(write)  # Numba sees its parameters, with the builder in the place of the first, which it leaves out
        def typed(typing_context, *arguments):
            return signature, generate

        return typed

    return make


def pointer_to(builder: Any, address: Any, stored: Any) -> Any:
    """Return an address as a pointer to LLVM's type `stored`.

    LLVM takes it that nothing lies at address 0, and leaves out code that would read there. When it makes machine code
    it also divides sums into a pointer and a distance as it likes, and of `nodes + 13 * node` makes `13 * node` the
    pointer: 0 for the root, where that code is copied to a place at which the node is known. So every function that
    reads by address says that 0 is an address like any other.
    """
    set.add(builder.function.attributes, "null_pointer_is_valid")  # llvmlite's own `add` does not know it
    return builder.inttoptr(address, stored.as_pointer())


def place_of(builder: Any, address: Any, index: Any, stored: Any) -> Any:
    """Return the pointer to number `index` after an address; `stored` is LLVM's type of the numbers."""
    return builder.gep(pointer_to(builder, address, stored), [index])


def call_symbol(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """Call a C function of the process, or an operation of LLVM, by its name."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _widened(builder: Any, value: Any, stored: Any) -> Any:
    """Return a stored number as kernels see it: an int32 with its sign, a byte from 0 to 255."""
    if not isinstance(stored, ir.IntType) or stored.width == 64:
        return value
    return builder.zext(value, INT64) if stored.width == 8 else builder.sext(value, INT64)


def _narrowed(builder: Any, value: Any, stored: Any) -> Any:
    return builder.trunc(value, stored) if isinstance(stored, ir.IntType) and stored.width < 64 else value


def _reader(kind: Any, stored: Any) -> Any:
    @instruction(kind(types.int64, types.int64))
    def read(builder, address, index):
        return _widened(builder, builder.load(place_of(builder, address, index, stored)), stored)

    return read


def _writer(kind: Any, stored: Any) -> Any:
    @instruction(types.void(types.int64, types.int64, kind))
    def write(builder, address, index, value):
        builder.store(_narrowed(builder, value, stored), place_of(builder, address, index, stored))

    return write


# Each takes an address and an index, counted in numbers of its kind.
float32_at, float64_at, int32_at, int64_at = (_reader(*kind) for kind in (_FLOAT32, _FLOAT64, _INT32, _INT64))
set_float32, set_float64, set_int32, set_int64 = (_writer(*kind) for kind in (_FLOAT32, _FLOAT64, _INT32, _INT64))


def _unaligned_reader(kind: Any, stored: Any) -> Any:
    @instruction(kind(types.int64))
    def read(builder, address):
        value = builder.load(pointer_to(builder, address, stored))
        # without this, LLVM may take an instruction that traps, or is slow, at addresses that are no multiple of four
        value.align = 1
        return _widened(builder, value, stored)

    return read


def _unaligned_writer(kind: Any, stored: Any) -> Any:
    @instruction(types.void(types.int64, kind))
    def write(builder, address, value):
        place = pointer_to(builder, address, stored)
        builder.store(_narrowed(builder, value, stored), place).align = 1

    return write


# Each takes the address of any byte: nothing need be aligned.
unaligned_float32, unaligned_int32, byte_at = (_unaligned_reader(*kind) for kind in (_FLOAT32, _INT32, _BYTE))
set_unaligned_float32, set_unaligned_int32, set_byte = (_unaligned_writer(*kind) for kind in (_FLOAT32, _INT32, _BYTE))


def _changing(operation: str, ordering: str) -> Any:
    @instruction(types.int64(types.int64, types.int64, types.int64))
    def change(builder, address, index, value):
        return builder.atomic_rmw(operation, place_of(builder, address, index, INT64), value, ordering)

    return change


# Each changes an int64 that other threads change too, undivided, and returns what was there before.
atomic_add = _changing("add", "monotonic")
"""for counters, of which only the sum matters: nothing else in memory is ordered by it"""
ordered_add, ordered_set_bits = _changing("add", "seq_cst"), _changing("or", "seq_cst")
"""for words that say what other memory may be used for"""


@instruction(types.int64(types.int64, types.int64, types.int64, types.int64))
def ordered_exchange(builder, address, index, expected, value):
    """Write a value if the number is the expected one; return 1 if it was, else 0."""
    both = builder.cmpxchg(place_of(builder, address, index, INT64), expected, value, "seq_cst", "seq_cst")
    return builder.zext(builder.extract_value(both, 1), INT64)


@instruction(types.void(types.int64, types.int64, types.int64))
def copy_eight(builder, source, first, target):
    """Copy eight int64 from number `first` after an address to another one, each by itself.

    A copy by vectors would have to wait until all that was written there, number by number, is out of the processor's
    queue of stores; LLVM makes one of every loop, unless it is told that other threads may look.
    """
    for k in range(8):
        start = place_of(builder, source, builder.add(first, INT64(k)), INT64)
        end = place_of(builder, target, INT64(k), INT64)
        builder.store_atomic(builder.load_atomic(start, "monotonic", 8), end, "monotonic", 8)


@instruction(types.void(types.int64))
def prefetch(builder, address):
    """Let the processor fetch the cache line of an address, any address, and go on meanwhile."""
    place = builder.inttoptr(address, ir.IntType(8).as_pointer())
    for_reading, to_stay, data = INT32(0), INT32(3), INT32(1)
    kind = ir.FunctionType(ir.VoidType(), [place.type, INT32, INT32, INT32])
    name = "llvm.prefetch.p0" if str(place.type) == "ptr" else "llvm.prefetch.p0i8"
    builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [place, for_reading, to_stay, data])


@intrinsic
def address_of(typing_context, array):
    """Return the address of an array's first element."""

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.ptrtoint(struct.data, INT64)

    return types.int64(array), generate


@instruction(types.int64(types.float32))
def float_bits(builder, value):
    """Return the bits of a float32 as an integer."""
    return builder.sext(builder.bitcast(value, INT32), INT64)


@instruction(types.float32(types.int64))
def bits_float(builder, bits):
    """Return the float32 with these bits."""
    return builder.bitcast(builder.trunc(bits, INT32), FLOAT)


@instruction(types.int64(types.int64))
def lowest_bit(builder, mask):
    """Return the position of the lowest set bit; at least one must be set."""
    return call_symbol(builder, "llvm.cttz.i64", INT64, [mask, ir.IntType(1)(1)])


@instruction(types.int64(types.int64))
def bit_count(builder, mask):
    """Return how many bits are set."""
    return call_symbol(builder, "llvm.ctpop.i64", INT64, [mask])
