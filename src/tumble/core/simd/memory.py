"""Memory by its address: how the fast path reads a whole tree through one number.

An array as an argument costs a kernel call 0.2 µs and more; an address costs next to nothing. Whoever hands one over
keeps the array alive, and whoever reads knows what lies there: these functions check nothing.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

INT64 = ir.IntType(64)
_LLVM = {
    types.float32: ir.FloatType(),
    types.float64: ir.DoubleType(),
    types.int32: ir.IntType(32),
    types.int64: INT64,
}


def _place(builder: Any, address: Any, index: Any, kind: Any) -> Any:
    return builder.gep(builder.inttoptr(address, _LLVM[kind].as_pointer()), [index])


def _reader(kind: Any) -> Any:
    @intrinsic
    def read(typing_context, address, index):
        def generate(context, builder, signature, arguments):
            return builder.load(_place(builder, *arguments, kind))

        return kind(types.int64, types.int64), generate

    return read


def _writer(kind: Any) -> Any:
    @intrinsic
    def write(typing_context, address, index, value):
        def generate(context, builder, signature, arguments):
            address, index, value = arguments
            builder.store(value, _place(builder, address, index, kind))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, kind), generate

    return write


# Each takes an address and an index, counted in numbers of its kind.
float32_at, float64_at, int32_at, int64_at = (
    _reader(kind) for kind in (types.float32, types.float64, types.int32, types.int64)
)
set_float32, set_float64, set_int64 = (_writer(kind) for kind in (types.float32, types.float64, types.int64))


def _bytes_reader(kind: Any, read: Any) -> Any:
    """Make a reader by the byte: `read` is LLVM's type in memory, `kind` Numba's type of the value."""

    @intrinsic
    def reader(typing_context, address):
        def generate(context, builder, signature, arguments):
            value = builder.load(builder.inttoptr(arguments[0], read.as_pointer()))
            value.align = 1
            if kind == types.float32:
                return value
            return builder.zext(value, INT64) if read.width == 8 else builder.sext(value, INT64)

        return kind(types.int64), generate

    return reader


def _bytes_writer(kind: Any, written: Any) -> Any:
    @intrinsic
    def writer(typing_context, address, value):
        def generate(context, builder, signature, arguments):
            address, value = arguments
            value = value if kind == types.float32 else builder.trunc(value, written)
            builder.store(value, builder.inttoptr(address, written.as_pointer())).align = 1
            return context.get_dummy_value()

        return types.void(types.int64, kind), generate

    return writer


# Each takes the address of any byte: nothing need be aligned. Kernels see whole numbers as int64, a byte as 0 to 255.
unaligned_float32, set_unaligned_float32 = (
    make(types.float32, ir.FloatType()) for make in (_bytes_reader, _bytes_writer)
)
unaligned_int32, set_unaligned_int32 = (make(types.int64, ir.IntType(32)) for make in (_bytes_reader, _bytes_writer))
byte_at, set_byte = (make(types.int64, ir.IntType(8)) for make in (_bytes_reader, _bytes_writer))


@intrinsic
def address_of(typing_context, array):
    """Return the address of an array's first element."""

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.ptrtoint(struct.data, INT64)

    return types.int64(array), generate


@intrinsic(prefer_literal=True)
def scratch(typing_context, words):
    """Return the address of so many 64-bit words on the machine's stack; `words` is a constant.

    They live until the kernel returns that asked first, whatever was copied into it, and belong to its thread alone.
    """
    if not isinstance(words, types.Literal):
        return None

    def generate(context, builder, signature, arguments):
        place = cgutils.alloca_once(builder, ir.ArrayType(INT64, words.literal_value))
        place.align = 64
        return builder.ptrtoint(place, INT64)

    return types.int64(words), generate


@intrinsic
def lowest_bit(typing_context, mask):
    """Return the place of the lowest set bit; there must be one."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(INT64, [INT64, ir.IntType(1)])
        count = cgutils.get_or_insert_function(builder.module, kind, "llvm.cttz.i64")
        return builder.call(count, [arguments[0], ir.Constant(ir.IntType(1), 1)])

    return types.int64(types.int64), generate
