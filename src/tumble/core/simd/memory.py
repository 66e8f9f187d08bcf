"""Memory by its address: how the fast path reads a whole tree through one number.

An array as an argument costs a kernel call 0.2 µs and more, an address costs next to nothing. The caller keeps the
array alive, and the reader knows what lies there: these functions check nothing.
"""

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


def place_of(builder: Any, address: Any, index: Any, stored: Any) -> Any:
    """Return the pointer to number `index` after an address; `stored` is LLVM's type of the numbers."""
    return builder.gep(builder.inttoptr(address, stored.as_pointer()), [index])


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
    @intrinsic
    def read(typing_context, address, index):
        def generate(context, builder, signature, arguments):
            address, index = arguments
            return _widened(builder, builder.load(place_of(builder, address, index, stored)), stored)

        return kind(types.int64, types.int64), generate

    return read


def _writer(kind: Any, stored: Any) -> Any:
    @intrinsic
    def write(typing_context, address, index, value):
        def generate(context, builder, signature, arguments):
            address, index, value = arguments
            builder.store(_narrowed(builder, value, stored), place_of(builder, address, index, stored))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, kind), generate

    return write


# Each takes an address and an index, counted in numbers of its kind.
float32_at, float64_at, int32_at, int64_at = (_reader(*kind) for kind in (_FLOAT32, _FLOAT64, _INT32, _INT64))
set_float32, set_float64, set_int32, set_int64 = (_writer(*kind) for kind in (_FLOAT32, _FLOAT64, _INT32, _INT64))


def _unaligned_reader(kind: Any, stored: Any) -> Any:
    @intrinsic
    def reader(typing_context, address):
        def generate(context, builder, signature, arguments):
            value = builder.load(builder.inttoptr(arguments[0], stored.as_pointer()))
            value.align = 1
            return _widened(builder, value, stored)

        return kind(types.int64), generate

    return reader


def _unaligned_writer(kind: Any, stored: Any) -> Any:
    @intrinsic
    def writer(typing_context, address, value):
        def generate(context, builder, signature, arguments):
            address, value = arguments
            place = builder.inttoptr(address, stored.as_pointer())
            builder.store(_narrowed(builder, value, stored), place).align = 1
            return context.get_dummy_value()

        return types.void(types.int64, kind), generate

    return writer


# Each takes the address of any byte: nothing need be aligned.
unaligned_float32, unaligned_int32, byte_at = (_unaligned_reader(*kind) for kind in (_FLOAT32, _INT32, _BYTE))
set_unaligned_float32, set_unaligned_int32, set_byte = (_unaligned_writer(*kind) for kind in (_FLOAT32, _INT32, _BYTE))


@intrinsic
def address_of(typing_context, array):
    """Return the address of an array's first element."""

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.ptrtoint(struct.data, INT64)

    return types.int64(array), generate


@intrinsic
def float_bits(typing_context, value):
    """Return the bits of a float32 as an integer."""

    def generate(context, builder, signature, arguments):
        return builder.sext(builder.bitcast(arguments[0], INT32), INT64)

    return types.int64(types.float32), generate


@intrinsic
def bits_float(typing_context, value):
    """Return the float32 with these bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(builder.trunc(arguments[0], INT32), FLOAT)

    return types.float32(types.int64), generate


@intrinsic
def lowest_bit(typing_context, mask):
    """Return the position of the lowest set bit; at least one must be set."""

    def generate(context, builder, signature, arguments):
        return call_symbol(builder, "llvm.cttz.i64", INT64, [arguments[0], ir.IntType(1)(1)])

    return types.int64(types.int64), generate
