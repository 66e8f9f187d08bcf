"""Eight float32 numbers as one value in kernels, for loops that the compiler would not turn into vector code itself."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.datamodel.registry import register_default

from tumble.core.simd.memory import FLOAT, INT32, INT64, instruction
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
    @instruction(eight(eight, eight))
    def lanewise(builder: Any, a: Any, b: Any) -> Any:
        lanes = Lanes(builder, EIGHT_FLOATS)
        return operation(Vector(lanes, a), Vector(lanes, b)).value

    return lanewise


# Each takes two values of eight numbers and works lane by lane.
plus, minus, times = (_lanewise(operation) for operation in (Vector.__add__, Vector.__sub__, Vector.__mul__))
least, greatest = _lanewise(Vector.least), _lanewise(Vector.or_larger)


@instruction(eight(types.int64, types.int64))
def load(builder: Any, address: Any, index: Any) -> Any:
    """Return row number `index`, of eight numbers, after an address."""
    # rows lie in arrays of NumPy, which promise no more than 16 bytes
    return Lanes(builder, EIGHT_FLOATS).load(address, index, align=NUMBER_BYTES).value


@instruction(types.void(types.int64, types.int64, eight))
def store(builder: Any, address: Any, index: Any, value: Any) -> None:
    """Write row number `index`, of eight numbers, after an address."""
    lanes = Lanes(builder, EIGHT_FLOATS)
    lanes.store(Vector(lanes, value), address, index, align=NUMBER_BYTES)


@instruction(eight(types.float32))
def all_lanes(builder: Any, value: Any) -> Any:
    """Return eight times the same number."""
    return Lanes(builder, EIGHT_FLOATS).spread(value).value


@instruction(types.float32(eight, types.int64))
def lane(builder: Any, value: Any, k: Any) -> Any:
    """Return one of the numbers; quick when k is a constant."""
    return builder.extract_element(value, builder.trunc(k, INT32))


@instruction(eight(types.boolean, eight, eight))
def choose(builder: Any, condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds, else b; without a branch."""
    return builder.select(condition, a, b)


@instruction(types.UniTuple(types.int64, 3)(eight))
def three_whole(builder: Any, value: Any) -> Any:
    """Return lanes 0 to 2 as integers, rounded towards zero."""
    # all eight are converted: one instruction, where three conversions of single lanes would be three
    whole = builder.fptosi(value, EIGHT_INTS)
    return cgutils.pack_array(
        builder, [builder.sext(builder.extract_element(whole, INT32(k)), INT64) for k in range(3)]
    )


@instruction(eight(eight, types.int64))
def numbered(builder: Any, value: Any, first: Any) -> Any:
    """Return the numbers with the lowest eight bits replaced by first, first + 1, …: a minimum then names its lane."""
    spread = Lanes(builder, EIGHT_FLOATS).spread(builder.bitcast(builder.trunc(first, INT32), FLOAT)).value
    names = builder.add(builder.bitcast(spread, EIGHT_INTS), ir.Constant(EIGHT_INTS, list(range(8))))
    cleared = builder.and_(builder.bitcast(value, EIGHT_INTS), ir.Constant(EIGHT_INTS, [-256] * 8))
    return builder.bitcast(builder.or_(cleared, names), EIGHT_FLOATS.type)


@instruction(types.float32(eight))
def least_lane(builder: Any, value: Any) -> Any:
    """Return the least of the eight numbers."""
    vector = Vector(Lanes(builder, EIGHT_FLOATS), value)
    # each round compares a lane with one half, a quarter, an eighth of the vector away: three rounds instead of seven
    for distance in (4, 2, 1):
        vector = vector.least(vector.shuffled([(k + distance) % 8 for k in range(8)]))
    return vector.lane(0)
