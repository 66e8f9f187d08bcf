"""States by whole vectors: a cut changes all ends at once, most of them by nothing, and all are compared at once.

A vector of four ends costs what one end costs, so that finding out which ends change would cost more than it saves. The
numbers are those of `plain`, which does it end by end.

Functions open an overlapping pair of nodes: they compute children's states, write them to where a frame keeps them, and
return the pairs that are not apart, a bit each: number of a's child plus twice that of b's. All arguments but offsets
are addresses; `products` matters to lookup tables only.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64
from tumble.core.simd.vectors import FOUR_DOUBLES, Lanes, Vector
from tumble.traversal.boxtree.overlaps import AXIS, LOOKUP, SAT, SAT_LITE, VECTORS

_FOUR_WORDS = ir.VectorType(INT64, 4)

State = list[Vector]


class _Code:
    """Writes machine code for states of a number of vectors."""

    def __init__(self, builder: Any, vectors: int, products: bool) -> None:
        self.builder, self.vectors, self.products = builder, vectors, products
        self.lanes = Lanes(builder, FOUR_DOUBLES)

    def load(self, state: Any) -> State:
        return [self.lanes.load(state, k) for k in range(self.vectors)]

    def store(self, state: State, place: Any, number: int = 0) -> None:
        for k, vector in enumerate(state):
            self.lanes.store(vector, place, number * self.vectors + k)

    def cut(self, parent: State, row: Any, offset: Any) -> State:
        return [
            vector + self.lanes.spread(offset) * factors for vector, factors in zip(parent, self.load(row), strict=True)
        ]

    def cut_b(self, parent: State, row: Any, offset: Any, products: Any) -> State:
        if not self.products:
            return self.cut(parent, row, offset)
        # a mask picks the products of the ends that this plane moves: an `and`, where a multiplication would need a row
        # of factors
        products = self.builder.bitcast(self.lanes.load(products, 0).value, _FOUR_WORDS)
        return [vector - self._chosen(products, mask) for vector, mask in zip(parent, self.load(row), strict=True)]

    def _chosen(self, products: Any, mask: Vector) -> Vector:
        bits = self.builder.and_(products, self.builder.bitcast(mask.value, _FOUR_WORDS))
        return Vector(self.lanes, self.builder.bitcast(bits, FOUR_DOUBLES.type))

    def overlap(self, a: State, b: State) -> Any:
        """One bit, as an int64."""
        apart = self.lanes.any_of([x > y for x, y in zip(a, b, strict=True)])
        none = self.builder.icmp_unsigned("==", self.lanes.bits(apart), INT64(0))
        return self.builder.zext(none, INT64)

    def waiting(self, pairs: Sequence[tuple[int, State, State]]) -> Any:
        word = INT64(0)
        for number, a, b in pairs:
            word = self.builder.or_(word, self.builder.shl(self.overlap(a, b), INT64(number)))
        return word


_ADDRESS = types.int64
_CHILD_A, _CHILD_B = (types.int64, types.float64), (types.int64, types.float64, types.int64)


def _code(builder: Any, test: int) -> _Code:
    return _Code(builder, VECTORS[test], test == LOOKUP)


def _four(test: int) -> Any:
    @intrinsic
    def four(typing_context, a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            parent_a, parent_b = code.load(arguments[0]), code.load(arguments[5])
            ours = [code.cut(parent_a, *arguments[k : k + 2]) for k in (1, 3)]
            theirs = [code.cut_b(parent_b, *arguments[k : k + 3]) for k in (6, 9)]
            for k, state in enumerate([*ours, *theirs]):
                code.store(state, arguments[12], k)
            return code.waiting([(i + 2 * j, ours[i], theirs[j]) for j in range(2) for i in range(2)])

        return types.int64(_ADDRESS, *2 * _CHILD_A, _ADDRESS, *2 * _CHILD_B, _ADDRESS), generate

    return four


def _two_of_a(test: int) -> Any:
    @intrinsic
    def two(typing_context, a, row0, by0, row1, by1, b, place):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            parent, other = code.load(arguments[0]), code.load(arguments[5])
            ours = [code.cut(parent, *arguments[k : k + 2]) for k in (1, 3)]
            for k, state in enumerate(ours):
                code.store(state, arguments[6], k)
            return code.waiting([(i, ours[i], other) for i in range(2)])

        return types.int64(_ADDRESS, *2 * _CHILD_A, _ADDRESS, _ADDRESS), generate

    return two


def _two_of_b(test: int) -> Any:
    @intrinsic
    def two(typing_context, a, b, row2, by2, products2, row3, by3, products3, place):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            other, parent = code.load(arguments[0]), code.load(arguments[1])
            theirs = [code.cut_b(parent, *arguments[k : k + 3]) for k in (2, 5)]
            for k, state in enumerate(theirs):
                code.store(state, arguments[8], 2 + k)
            return code.waiting([(2 * j, other, theirs[j]) for j in range(2)])

        return types.int64(_ADDRESS, _ADDRESS, *2 * _CHILD_B, _ADDRESS), generate

    return two


def _pair(test: int) -> Any:
    @intrinsic
    def pair(typing_context, a, row_a, by_a, b, row_b, by_b, products, place_a, place_b):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            our = code.cut(code.load(arguments[0]), *arguments[1:3])
            their = code.cut_b(code.load(arguments[3]), *arguments[4:7])
            code.store(our, arguments[7])
            code.store(their, arguments[8])
            return code.overlap(our, their)

        return types.int64(_ADDRESS, *_CHILD_A, _ADDRESS, *_CHILD_B, _ADDRESS, _ADDRESS), generate

    return pair


def _cut_on(test: int) -> Any:
    @intrinsic
    def cut_on(typing_context, state, row, by, products):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            state, row, by, products = arguments
            old = code.load(state)
            code.store(code.cut_b(old, row, by, products), state)
            return context.get_dummy_value()

        return types.void(_ADDRESS, *_CHILD_B), generate

    return cut_on


def _compare(test: int) -> Any:
    @intrinsic
    def compare(typing_context, a, b):
        def generate(context, builder, signature, arguments):
            code = _code(builder, test)
            return code.overlap(code.load(arguments[0]), code.load(arguments[1]))

        return types.int64(_ADDRESS, _ADDRESS), generate

    return compare


# Intrinsics by test, and what chooses among them: the test is the same for a whole query, so that the branches cost
# next to nothing, and there is one walk to compile instead of four.
_four_axis, _four_lookup, _four_sat, _four_lite = (_four(test) for test in (AXIS, LOOKUP, SAT, SAT_LITE))
_a_axis, _a_sat, _a_lite = (_two_of_a(test) for test in (AXIS, SAT, SAT_LITE))
_b_axis, _b_lookup, _b_sat, _b_lite = (_two_of_b(test) for test in (AXIS, LOOKUP, SAT, SAT_LITE))
_pair_axis, _pair_lookup, _pair_sat, _pair_lite = (_pair(test) for test in (AXIS, LOOKUP, SAT, SAT_LITE))
_on_axis, _on_lookup, _on_sat, _on_lite = (_cut_on(test) for test in (AXIS, LOOKUP, SAT, SAT_LITE))
_compare_axis, _compare_sat, _compare_lite = (_compare(test) for test in (AXIS, SAT, SAT_LITE))


@inlined_kernel
def open_both(test, a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place):
    """Return the overlapping pairs of two children of a and two of b."""
    if test == SAT_LITE:
        return _four_lite(a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place)
    if test == AXIS:
        return _four_axis(a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place)
    if test == LOOKUP:
        return _four_lookup(a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place)
    return _four_sat(a, row0, by0, row1, by1, b, row2, by2, products2, row3, by3, products3, place)


@inlined_kernel
def open_a(test, a, row0, by0, row1, by1, b, place):
    """Return which of two children of a overlap b."""
    if test == SAT_LITE:
        return _a_lite(a, row0, by0, row1, by1, b, place)
    if test == SAT:
        return _a_sat(a, row0, by0, row1, by1, b, place)
    return _a_axis(a, row0, by0, row1, by1, b, place)


@inlined_kernel
def open_b(test, a, b, row2, by2, products2, row3, by3, products3, place):
    """Return which of two children of b overlap a."""
    if test == SAT_LITE:
        return _b_lite(a, b, row2, by2, products2, row3, by3, products3, place)
    if test == AXIS:
        return _b_axis(a, b, row2, by2, products2, row3, by3, products3, place)
    if test == LOOKUP:
        return _b_lookup(a, b, row2, by2, products2, row3, by3, products3, place)
    return _b_sat(a, b, row2, by2, products2, row3, by3, products3, place)


@inlined_kernel
def open_one(test, a, row_a, by_a, b, row_b, by_b, products, place_a, place_b):
    """Return whether one child of a and one of b overlap."""
    if test == SAT_LITE:
        return _pair_lite(a, row_a, by_a, b, row_b, by_b, products, place_a, place_b)
    if test == AXIS:
        return _pair_axis(a, row_a, by_a, b, row_b, by_b, products, place_a, place_b)
    if test == LOOKUP:
        return _pair_lookup(a, row_a, by_a, b, row_b, by_b, products, place_a, place_b)
    return _pair_sat(a, row_a, by_a, b, row_b, by_b, products, place_a, place_b)


@inlined_kernel
def cut_on(test, side, state, row, by, products):
    """Cut a state where it lies: by the further planes of a chain."""
    if test == SAT_LITE:
        _on_lite(state, row, by, products)
    elif test == LOOKUP and side == 1:
        _on_lookup(state, row, by, products)
    elif test == SAT:
        _on_sat(state, row, by, products)
    else:
        _on_axis(state, row, by, products)


@inlined_kernel
def overlapping(test, a, b):
    """Tell whether two states overlap on all axes."""
    if test == SAT_LITE:
        return _compare_lite(a, b) != 0
    if test == SAT:
        return _compare_sat(a, b) != 0
    return _compare_axis(a, b) != 0
