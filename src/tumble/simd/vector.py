"""Eight float32 numbers as one value, for the code that writes machine code: arithmetic reads like arithmetic.

    lanes = Lanes(builder)
    x = lanes.load(address, 0)              # eight numbers from memory
    y = lanes.spread(scalar)                # eight times the same
    far = (x - y).magnitude().exceeds(z)    # eight answers

LLVM makes of it what the machine has: one AVX instruction, two of SSE or NEON, or eight scalar ones.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

from tumble.simd.memory import INT64

WIDTH = 8
FLOAT = ir.FloatType()
VECTOR = ir.VectorType(FLOAT, WIDTH)
VECTOR_BYTES = 4 * WIDTH


class Lanes:
    """Makes vectors at one place of the code."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def load(self, address: Any, index: int) -> Vector:
        """Read the vector number `index` after an address that is a multiple of a vector's size."""
        pointer = self.builder.inttoptr(address, VECTOR.as_pointer())
        value = self.builder.load(self.builder.gep(pointer, [ir.Constant(INT64, index)]))
        value.align = VECTOR_BYTES
        return Vector(self, value)

    def spread(self, scalar: Any) -> Vector:
        """Repeat one number in all lanes."""
        nothing = ir.Constant(VECTOR, ir.Undefined)
        first = self.builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
        all_first = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return Vector(self, self.builder.shuffle_vector(first, nothing, all_first))

    def spread_from(self, address: Any, index: int) -> Vector:
        """Repeat the float32 number `index` after an address in all lanes."""
        pointer = self.builder.inttoptr(address, FLOAT.as_pointer())
        return self.spread(self.builder.load(self.builder.gep(pointer, [ir.Constant(INT64, index)])))

    def bits(self, answers: Any) -> Any:
        """Return eight answers as the low bits of an int64."""
        return self.builder.zext(self.builder.bitcast(answers, ir.IntType(WIDTH)), INT64)

    def call(self, name: str, *arguments: Vector) -> Vector:
        """Call an operation of LLVM that works lane by lane."""
        kind = ir.FunctionType(VECTOR, [VECTOR] * len(arguments))
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{WIDTH}f32")
        return Vector(self, self.builder.call(function, [argument.value for argument in arguments]))


class Vector:
    """Eight numbers at one place of the code."""

    def __init__(self, lanes: Lanes, value: Any) -> None:
        self.lanes = lanes
        self.value = value

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fadd(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fsub(self.value, other.value))

    def __mul__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fmul(self.value, other.value))

    def times_plus(self, factor: Vector, summand: Vector) -> Vector:
        """Multiply and add, in one instruction where the machine has it."""
        return self.lanes.call("fmuladd", self, factor, summand)

    def magnitude(self) -> Vector:
        """The absolute values."""
        return self.lanes.call("fabs", self)

    def exceeds(self, other: Vector) -> Any:
        """In which lanes is this larger? Never where one of the two is not a number."""
        return self.lanes.builder.fcmp_ordered(">", self.value, other.value)
