"""Eight float32 numbers as one value in kernels, for loops that the compiler would not turn into vector code itself."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel.models import PrimitiveModel
from numba.core.datamodel.registry import register_default
from numba.extending import intrinsic

from tumble.core.simd.memory import FLOAT, INT32, INT64
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector

EIGHT_INTS = ir.VectorType(INT32, 8)
NUMBER_BYTES = 4


class EightType(types.Type):
    """Numba's type of eight float32 numbers."""

    def __init__(self) -> None:
        super().__init__(name="eight_float32")


eight = EightType()


@register_default(EightType)
class EightModel(PrimitiveModel):
    """Represented by an LLVM vector."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, EIGHT_FLOATS.type)


def _lanewise(operation: Callable[[Vector, Vector], Vector]) -> Any:
    @intrinsic
    def lanewise(typing_context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lanes = Lanes(builder, EIGHT_FLOATS)
            return operation(*(Vector(lanes, argument) for argument in arguments)).value

        return eight(eight, eight), generate

    return lanewise


# Each takes two values of eight numbers and works lane by lane.
plus, minus, times = (_lanewise(operation) for operation in (Vector.__add__, Vector.__sub__, Vector.__mul__))
least, greatest = _lanewise(Vector.least), _lanewise(Vector.or_larger)


@intrinsic
def load(typing_context: Any, address: Any, index: Any) -> Any:
    """Return row number `index`, of eight numbers, after an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return Lanes(builder, EIGHT_FLOATS).load(arguments[0], arguments[1], align=NUMBER_BYTES).value

    return eight(types.int64, types.int64), generate


@intrinsic
def store(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
    """Write row number `index`, of eight numbers, after an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        lanes.store(Vector(lanes, value), address, index, align=NUMBER_BYTES)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, eight), generate


@intrinsic
def all_lanes(typing_context: Any, value: Any) -> Any:
    """Return eight times the same number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return Lanes(builder, EIGHT_FLOATS).spread(arguments[0]).value

    return eight(types.float32), generate


@intrinsic
def lane(typing_context: Any, value: Any, k: Any) -> Any:
    """Return one of the numbers; quick when k is a constant."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], INT32))

    return types.float32(eight, types.int64), generate


@intrinsic
def choose(typing_context: Any, condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds, else b; without a branch."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return eight(types.boolean, eight, eight), generate


@intrinsic
def three_whole(typing_context: Any, value: Any) -> Any:
    """Return lanes 0 to 2 as integers, rounded towards zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = builder.fptosi(arguments[0], EIGHT_INTS)
        parts = [builder.sext(builder.extract_element(whole, INT32(k)), INT64) for k in range(3)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(types.int64, 3)(eight), generate


@intrinsic
def numbered(typing_context: Any, value: Any, first: Any) -> Any:
    """Return the numbers with the lowest eight bits replaced by first, first + 1, …: a minimum then names its lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = Lanes(builder, EIGHT_FLOATS)
        spread = lanes.spread(builder.bitcast(builder.trunc(arguments[1], INT32), FLOAT)).value
        names = builder.add(builder.bitcast(spread, EIGHT_INTS), ir.Constant(EIGHT_INTS, list(range(8))))
        cleared = builder.and_(builder.bitcast(arguments[0], EIGHT_INTS), ir.Constant(EIGHT_INTS, [-256] * 8))
        return builder.bitcast(builder.or_(cleared, names), EIGHT_FLOATS.type)

    return eight(eight, types.int64), generate


@intrinsic
def least_lane(typing_context: Any, value: Any) -> Any:
    """Return the least of the eight numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = Vector(Lanes(builder, EIGHT_FLOATS), arguments[0])
        for distance in (4, 2, 1):
            value = value.least(value.shuffled([(k + distance) % 8 for k in range(8)]))
        return value.lane(0)

    return types.float32(eight), generate
