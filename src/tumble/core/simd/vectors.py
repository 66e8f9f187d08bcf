"""Several numbers as one value, for code that writes machine code: arithmetic reads like arithmetic.

    lanes = Lanes(builder, EIGHT_FLOATS)
    x = lanes.load(address, 0)              # eight numbers from memory
    y = lanes.spread(scalar)                # eight times the same
    far = (x - y).magnitude() > z           # eight answers

LLVM makes of it what the machine has: one AVX instruction, two of SSE or NEON, or as many scalar ones. Nothing here
depends on the machine. `eight` offers the same to kernels, as values of a type of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils

from tumble.core.simd.memory import DOUBLE, FLOAT, INT32, INT64, call_symbol, place_of, pointer_to
from tumble.core.simd.processor import has_long_vectors


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


FOUR_FLOATS = Kind(FLOAT, 4, "v4f32")
EIGHT_FLOATS = Kind(FLOAT, 8, "v8f32")
SIXTEEN_FLOATS = Kind(FLOAT, 16, "v16f32")
FOUR_DOUBLES = Kind(DOUBLE, 4, "v4f64")
VECTOR_BYTES = 32


class Lanes:
    """Makes vectors of one kind at one position of the code."""

    def __init__(self, builder: Any, kind: Kind) -> None:
        self.builder = builder
        self.kind = kind
        self.ints = ir.VectorType(INT32, kind.width)
        """LLVM's type of as many int32"""

    def load(self, address: Any, index: int | Any, align: int = VECTOR_BYTES) -> Vector:
        """Read vector number `index` after an address, a multiple of `align` bytes."""
        value = self.builder.load(self._place(address, self.kind.type, index))
        value.align = align
        return Vector(self, value)

    def store(self, vector: Vector, address: Any, index: int | Any, align: int = VECTOR_BYTES) -> None:
        """Write vector number `index` after an address, a multiple of `align` bytes."""
        self.builder.store(vector.value, self._place(address, self.kind.type, index)).align = align

    def scalar(self, address: Any, index: int) -> Any:
        """Read number `index` after an address."""
        return self.builder.load(self._place(address, self.kind.element, index))

    def spread(self, scalar: Any) -> Vector:
        """Repeat one number in all lanes."""
        return self.arrange((scalar,), (0,) * self.kind.width)

    def constant(self, number: float) -> Vector:
        """Repeat a constant in all lanes."""
        return Vector(self, ir.Constant(self.kind.type, [number] * self.kind.width))

    def arrange(self, scalars: Sequence[Any], pattern: Sequence[int]) -> Vector:
        """Put scalars into lanes: lane k gets the one whose number stands at place k of the pattern."""
        # the scalars to the front, then one shuffle: LLVM knows this form of a broadcast
        value = nothing = ir.Constant(self.kind.type, ir.Undefined)
        for place, scalar in enumerate(scalars):
            value = self.builder.insert_element(value, scalar, ir.Constant(INT32, place))
        order = ir.Constant(ir.VectorType(INT32, self.kind.width), list(pattern))
        return Vector(self, self.builder.shuffle_vector(value, nothing, order))

    def choose(self, answers: Any, yes: Vector, no: Vector) -> Vector:
        """Take each lane from one of two vectors, by its answer, or all of one vector by a single answer."""
        return Vector(self, self.builder.select(answers, yes.value, no.value))

    def any_of(self, answers: Sequence[Any]) -> Any:
        """Return for each lane whether any of several answers is yes."""
        return reduce(self.builder.or_, answers)

    def all_of(self, answers: Sequence[Any]) -> Any:
        """Return for each lane whether all of several answers are yes."""
        return reduce(self.builder.and_, answers)

    def bits(self, answers: Any) -> Any:
        """Return the answers of all lanes as the low bits of an int64."""
        return self.builder.zext(self.builder.bitcast(answers, ir.IntType(self.kind.width)), INT64)

    def call(self, name: str, *arguments: Vector, fastmath: Sequence[str] = ()) -> Vector:
        """Call an operation of LLVM that works lane by lane."""
        kind = ir.FunctionType(self.kind.type, [self.kind.type] * len(arguments))
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.{self.kind.suffix}")
        return Vector(self, self.builder.call(function, [argument.value for argument in arguments], fastmath=fastmath))

    def _place(self, address: Any, kind: Any, index: int | Any) -> Any:
        return place_of(self.builder, address, INT64(index) if isinstance(index, int) else index, kind)


class Vector:
    """Some numbers at one position of the code."""

    def __init__(self, lanes: Lanes, value: Any) -> None:
        self.lanes = lanes
        self.value = value

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fadd(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fsub(self.value, other.value))

    def __mul__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fmul(self.value, other.value))

    def __truediv__(self, other: Vector) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fdiv(self.value, other.value))

    def __neg__(self) -> Vector:
        return Vector(self.lanes, self.lanes.builder.fneg(self.value))

    def __gt__(self, other: Vector) -> Any:
        """In which lanes is this larger? Never where one of the two is not a number."""
        return self.lanes.builder.fcmp_ordered(">", self.value, other.value)

    def __ge__(self, other: Vector) -> Any:
        return self.lanes.builder.fcmp_ordered(">=", self.value, other.value)

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
        return self.lanes.choose(self > other, self, other)

    def or_smaller(self, other: Vector) -> Vector:
        """The smaller of each two."""
        return self.lanes.choose(self < other, self, other)

    def least(self, other: Vector) -> Vector:
        """The smaller of each two, none of which may be NaN; equal zeros of different signs count as the same.

        `or_smaller` would do as well, but where its result goes back to memory LLVM turns comparison and choice into a
        store through a mask, which takes ten times as long on some processors.
        """
        return self.lanes.call("minnum", self, other, fastmath=("nnan", "nsz"))

    def shuffled(self, order: Sequence[int]) -> Vector:
        """The same numbers in another order: lane k gets what was in lane order[k]."""
        pattern = ir.Constant(ir.VectorType(INT32, self.lanes.kind.width), list(order))
        return Vector(self.lanes, self.lanes.builder.shuffle_vector(self.value, self.value, pattern))

    def lane(self, k: int) -> Any:
        """The number in one lane."""
        return self.lanes.builder.extract_element(self.value, ir.Constant(INT32, k))


Triple = Sequence[Vector]
"""three components, each in all lanes"""


def dot(left: Triple, right: Triple) -> Vector:
    """Return the scalar product; products may be fused with sums, so the last bits depend on the machine."""
    return left[2].times_plus(right[2], left[1].times_plus(right[1], left[0] * right[0]))


def dot_unfused(left: Triple, right: Triple) -> Vector:
    """Return the scalar product, every operation rounded: the same bits on every machine."""
    return (left[0] * right[0] + left[1] * right[1]) + left[2] * right[2]


def cross(left: Triple, right: Triple) -> list[Vector]:
    """Return the vector product, each component the difference of two rounded products."""
    turns = ((1, 2), (2, 0), (0, 1))
    return [left[i] * right[j] - left[j] * right[i] for i, j in turns]


def minus(left: Triple, right: Triple) -> list[Vector]:
    """Return the differences of three components each."""
    return [left[k] - right[k] for k in range(3)]


def posed(matrix: Sequence[Vector], x: Vector, y: Vector, z: Vector) -> list[Vector]:
    """Return points moved by twelve numbers of a pose, in the order of operations of `tumble.mesh.apply_pose`."""
    return [((matrix[k] * x + matrix[k + 1] * y) + matrix[k + 2] * z) + matrix[k + 3] for k in range(0, 12, 4)]


def largest(components: Sequence[Vector]) -> Vector:
    """Return the largest absolute value among components, lane by lane."""
    return reduce(Vector.or_larger, [component.magnitude() for component in components])


def store_chosen(builder: Any, words: Any, chosen: Any, place: Any, index: Any) -> Any:
    """Write those of eight int64 whose bits are set in `chosen`, in order, from number `index` after an address on.

    Return the number after the last one written. Nothing branches on what is chosen, so there must be memory for all:
    what lies behind those that were written is undefined.
    """
    if has_long_vectors():
        answers = builder.bitcast(builder.trunc(chosen, ir.IntType(8)), ir.VectorType(ir.IntType(1), 8))
        kind = ir.FunctionType(words.type, [words.type, answers.type, words.type])
        compress = cgutils.get_or_insert_function(builder.module, kind, "llvm.experimental.vector.compress.v8i64")
        together = builder.call(compress, [words, answers, ir.Constant(words.type, ir.Undefined)])
        start = builder.add(place, builder.shl(index, INT64(3)))
        builder.store(together, pointer_to(builder, start, words.type)).align = 8
        return builder.add(index, call_symbol(builder, "llvm.ctpop.i64", INT64, [chosen]))
    # each is written, and the next one over those that were not chosen
    for lane in range(8):
        builder.store(builder.extract_element(words, INT32(lane)), place_of(builder, place, index, INT64))
        index = builder.add(index, builder.and_(builder.lshr(chosen, INT64(lane)), INT64(1)))
    return index
