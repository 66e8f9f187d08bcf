"""Several numbers as one value, for the code that writes machine code: arithmetic reads like arithmetic.

    lanes = Lanes(builder, EIGHT_FLOATS)
    x = lanes.load(address, 0)              # eight numbers from memory
    y = lanes.spread(scalar)                # eight times the same
    far = (x - y).magnitude() > z           # eight answers

LLVM makes of it what the machine has: one AVX instruction, two of SSE or NEON, or as many scalar ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils

from tumble.core.simd.memory import INT64


class Kind(NamedTuple):
    """What a vector is made of."""

    element: Any
    width: int
    suffix: str
    """what LLVM calls it in the names of its operations"""

    @property
    def type(self) -> Any:
        """LLVM's type of the vector."""
        return ir.VectorType(self.element, self.width)


EIGHT_FLOATS = Kind(ir.FloatType(), 8, "v8f32")
FOUR_DOUBLES = Kind(ir.DoubleType(), 4, "v4f64")
VECTOR_BYTES = 32


class Lanes:
    """Makes vectors at one place of the code."""

    def __init__(self, builder: Any, kind: Kind) -> None:
        self.builder = builder
        self.kind = kind

    def load(self, address: Any, index: int) -> Vector:
        """Read the vector number `index` after an address that is a multiple of a vector's size."""
        value = self.builder.load(self._place(address, self.kind.type, index))
        value.align = VECTOR_BYTES
        return Vector(self, value)

    def store(self, vector: Vector, address: Any, index: int) -> None:
        """Write the vector number `index` after an address that is a multiple of a vector's size."""
        self.builder.store(vector.value, self._place(address, self.kind.type, index)).align = VECTOR_BYTES

    def scalar(self, address: Any, index: int) -> Any:
        """Read the number `index` after an address."""
        return self.builder.load(self._place(address, self.kind.element, index))

    def spread(self, scalar: Any) -> Vector:
        """Repeat one number in all lanes."""
        return self.arrange((scalar,), (0,) * self.kind.width)

    def constant(self, number: float) -> Vector:
        """Repeat a constant in all lanes."""
        return Vector(self, ir.Constant(self.kind.type, [number] * self.kind.width))

    def arrange(self, scalars: Sequence[Any], pattern: Sequence[int]) -> Vector:
        """Put scalars into lanes: lane k gets the one that the pattern names there."""
        value = nothing = ir.Constant(self.kind.type, ir.Undefined)
        for place, scalar in enumerate(scalars):
            value = self.builder.insert_element(value, scalar, ir.Constant(ir.IntType(32), place))
        order = ir.Constant(ir.VectorType(ir.IntType(32), self.kind.width), list(pattern))
        return Vector(self, self.builder.shuffle_vector(value, nothing, order))

    def bits(self, answers: Any) -> Any:
        """Return the answers of all lanes as the low bits of an int64."""
        return self.builder.zext(self.builder.bitcast(answers, ir.IntType(self.kind.width)), INT64)

    def call(self, name: str, *arguments: Vector) -> Vector:
        """Call an operation of LLVM that works lane by lane."""
        kind = ir.FunctionType(self.kind.type, [self.kind.type] * len(arguments))
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.{self.kind.suffix}")
        return Vector(self, self.builder.call(function, [argument.value for argument in arguments]))

    def _place(self, address: Any, kind: Any, index: int) -> Any:
        return self.builder.gep(self.builder.inttoptr(address, kind.as_pointer()), [ir.Constant(INT64, index)])


class Vector:
    """Some numbers at one place of the code."""

    def __init__(self, lanes: Lanes, value: Any) -> None:
        self.lanes = lanes
        self.value = value

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fadd(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fsub(self.value, other.value))

    def __mul__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fmul(self.value, other.value))

    def __neg__(self) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fneg(self.value))

    def __gt__(self, other: Vector) -> Any:
        """In which lanes is this larger? Never where one of the two is not a number."""
        return self.lanes.builder.fcmp_ordered(">", self.value, other.value)

    def __lt__(self, other: Vector) -> Any:
        return other > self

    def times_plus(self, factor: Vector, summand: Vector) -> Vector:
        """Multiply and add, in one instruction where the machine has it: the product may be rounded or not."""
        return self.lanes.call("fmuladd", self, factor, summand)

    def magnitude(self) -> Vector:
        """The absolute values."""
        return self.lanes.call("fabs", self)

    def or_larger(self, other: Vector) -> Vector:
        """The larger of each two."""
        return Vector(self.lanes, self.lanes.builder.select(self > other, self.value, other.value))


def dot(left: Sequence[Vector], right: Sequence[Vector]) -> Vector:
    """Return the scalar product of three components each."""
    return left[2].times_plus(right[2], left[1].times_plus(right[1], left[0] * right[0]))


def cross(left: Sequence[Vector], right: Sequence[Vector]) -> list[Vector]:
    """Return the vector product, each component of two rounded products."""
    turns = ((1, 2), (2, 0), (0, 1))
    return [left[i] * right[j] - left[j] * right[i] for i, j in turns]


def minus(left: Sequence[Vector], right: Sequence[Vector]) -> list[Vector]:
    """Return the differences of three components each."""
    return [left[k] - right[k] for k in range(3)]


def largest(components: Sequence[Vector]) -> Vector:
    """Return the largest absolute value among components, lane by lane."""
    result = components[0].magnitude()
    for component in components[1:]:
        result = result.or_larger(component.magnitude())
    return result
