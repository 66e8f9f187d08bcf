"""Eight float32 numbers as one value in kernels, for loops that the compiler would not turn into vector code itself.

A box is kept as (low x, y, z, tag, -high x, -y, -z, 0): one minimum then enlarges a box in all six directions. The tag
is a triangle's number, as the bits of a normal float: arithmetic on that lane has no meaning, but is not slow either.

LLVM splits the vectors where a processor has narrower ones, so nothing here depends on the machine.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.datamodel.registry import register_default
from numba.extending import intrinsic

FLOAT, INT, LONG = ir.FloatType(), ir.IntType(32), ir.IntType(64)
EIGHT_FLOATS, EIGHT_INTS = ir.VectorType(FLOAT, 8), ir.VectorType(INT, 8)


class EightType(types.Type):
    """Numba's type of eight float32 numbers."""

    def __init__(self) -> None:
        super().__init__(name="eight_float32")


eight = EightType()


@register_default(EightType)
class EightModel(PrimitiveModel):
    """Held as an LLVM vector."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, EIGHT_FLOATS)


def _row(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, EIGHT_FLOATS.as_pointer()), [index])


def _splat(builder: Any, value: Any) -> Any:
    empty = ir.Constant(EIGHT_FLOATS, ir.Undefined)
    first = builder.insert_element(empty, value, ir.Constant(INT, 0))
    return builder.shuffle_vector(first, empty, ir.Constant(EIGHT_INTS, [0] * 8))


def _least(builder: Any, a: Any, b: Any) -> Any:
    # A comparison and a choice would do as well, but where the result goes back to memory LLVM makes of them a store
    # through a mask, which takes ten times as long on some processors. There is never a NaN here.
    kind = ir.FunctionType(EIGHT_FLOATS, [EIGHT_FLOATS, EIGHT_FLOATS])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.minnum.v8f32")
    return builder.call(function, [a, b], fastmath=("nnan", "nsz"))


def _halves_swapped(builder: Any, a: Any) -> Any:
    return builder.shuffle_vector(a, a, ir.Constant(EIGHT_INTS, [4, 5, 6, 7, 0, 1, 2, 3]))


@intrinsic
def load(typing: Any, address: Any, index: Any) -> Any:
    """Return the row of eight numbers number `index` after an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.load(_row(builder, *arguments))
        value.align = 4
        return value

    return eight(types.int64, types.int64), generate


@intrinsic
def store(typing: Any, address: Any, index: Any, value: Any) -> Any:
    """Write the row of eight numbers number `index` after an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        builder.store(value, _row(builder, address, index)).align = 4
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, eight), generate


@intrinsic
def set_int32(typing: Any, address: Any, index: Any, value: Any) -> Any:
    """Write the int32 number `index` after an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        place = builder.gep(builder.inttoptr(address, INT.as_pointer()), [index])
        builder.store(builder.trunc(value, INT), place)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def get_int32(typing: Any, address: Any, index: Any) -> Any:
    """Return the int32 number `index` after an address, as an int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index = arguments
        place = builder.gep(builder.inttoptr(address, INT.as_pointer()), [index])
        return builder.sext(builder.load(place), LONG)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def all_lanes(typing: Any, value: Any) -> Any:
    """Return eight times the same number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0])

    return eight(types.float32), generate


@intrinsic
def lane(typing: Any, value: Any, k: Any) -> Any:
    """Return one of the numbers; quick when k is a constant."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], INT))

    return types.float32(eight, types.int64), generate


@intrinsic
def least(typing: Any, a: Any, b: Any) -> Any:
    """Return the lesser number in each lane: the box about two boxes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _least(builder, *arguments)

    return eight(eight, eight), generate


@intrinsic
def greatest(typing: Any, a: Any, b: Any) -> Any:
    """Return the greater number in each lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, b = arguments
        return builder.select(builder.fcmp_ordered(">", a, b), a, b)

    return eight(eight, eight), generate


@intrinsic
def plus(typing: Any, a: Any, b: Any) -> Any:
    """Return the sums, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return eight(eight, eight), generate


@intrinsic
def minus(typing: Any, a: Any, b: Any) -> Any:
    """Return the differences, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fsub(*arguments)

    return eight(eight, eight), generate


@intrinsic
def times(typing: Any, a: Any, b: Any) -> Any:
    """Return the products, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(*arguments)

    return eight(eight, eight), generate


@intrinsic
def choose(typing: Any, condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds, else b; without a branch."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return eight(types.boolean, eight, eight), generate


@intrinsic
def doubled_centre(typing: Any, box: Any) -> Any:
    """Return low + high in lanes 0 to 2 and its negative in lanes 4 to 6, so that `least` bounds centres both ways."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fsub(arguments[0], _halves_swapped(builder, arguments[0]))

    return eight(eight), generate


@intrinsic
def half_area(typing: Any, box: Any) -> Any:
    """Return half the surface of a box."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        box = arguments[0]
        # minus the sizes: the signs cancel in the products
        sizes = builder.fadd(box, _halves_swapped(builder, box))
        x, y, z = (builder.extract_element(sizes, ir.Constant(INT, k)) for k in range(3))
        return builder.fadd(builder.fmul(x, builder.fadd(y, z)), builder.fmul(y, z))

    return types.float32(eight), generate


@intrinsic
def per_span(typing: Any, amount: Any, box: Any, narrow: Any) -> Any:
    """Return an amount divided by the size of a box on each axis, in lanes 0 to 2; zero where that is too narrow."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        amount, box, narrow = arguments
        spans = builder.fneg(builder.fadd(box, _halves_swapped(builder, box)))
        wide = builder.fcmp_ordered(">", spans, _splat(builder, narrow))
        quotient = builder.fdiv(_splat(builder, amount), spans)
        return builder.select(wide, quotient, ir.Constant(EIGHT_FLOATS, [0.0] * 8))

    return eight(types.float32, eight, types.float32), generate


@intrinsic
def three_whole(typing: Any, value: Any) -> Any:
    """Return lanes 0 to 2 as integers, rounded towards zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = builder.fptosi(arguments[0], EIGHT_INTS)
        parts = [builder.sext(builder.extract_element(whole, ir.Constant(INT, k)), LONG) for k in range(3)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(types.int64, 3)(eight), generate


@intrinsic
def numbered(typing: Any, value: Any, first: Any) -> Any:
    """Return the numbers with the lowest eight bits replaced by first, first + 1, …: a minimum then names its place."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], EIGHT_INTS)
        names = builder.bitcast(_splat(builder, builder.bitcast(builder.trunc(arguments[1], INT), FLOAT)), EIGHT_INTS)
        names = builder.add(names, ir.Constant(EIGHT_INTS, list(range(8))))
        cleared = builder.and_(bits, ir.Constant(EIGHT_INTS, [-256] * 8))
        return builder.bitcast(builder.or_(cleared, names), EIGHT_FLOATS)

    return eight(eight, types.int64), generate


@intrinsic
def least_lane(typing: Any, value: Any) -> Any:
    """Return the least of the eight numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = arguments[0]
        for distance in (4, 2, 1):
            order = [(k + distance) % 8 for k in range(8)]
            value = _least(builder, value, builder.shuffle_vector(value, value, ir.Constant(EIGHT_INTS, order)))
        return builder.extract_element(value, ir.Constant(INT, 0))

    return types.float32(eight), generate


@intrinsic
def float_bits(typing: Any, value: Any) -> Any:
    """Return the bits of a float32 as an integer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.sext(builder.bitcast(arguments[0], INT), LONG)

    return types.int64(types.float32), generate


@intrinsic
def bits_float(typing: Any, value: Any) -> Any:
    """Return the float32 with these bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.trunc(arguments[0], INT), FLOAT)

    return types.float32(types.int64), generate
