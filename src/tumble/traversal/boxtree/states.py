"""States by whole vectors: a cut changes all ends at once, most of them by nothing, and all are compared at once.

A vector of four ends costs what one end costs, so that finding out which ends change would cost more than it saves. The
numbers are those of `plain`, which does it end by end.

Functions open an overlapping pair of nodes: they compute children's states, write them to where a frame keeps them, and
return the pairs that are not apart, a bit each: number of a's child plus twice that of b's. All arguments but the test
and offsets are addresses; `products` matters to lookup tables only.
"""

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

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


def _by_test(tests: Sequence[int], *arguments: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a function of the overlap test's number and these arguments from one that writes the code for any test.

    The code of each test is in a branch of its own; the last one serves all other numbers. The test is the same for a
    whole query, so that the branches cost next to nothing, and there is one walk to compile instead of four.
    """

    def make(write: Callable[..., Any]) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            number, *values = values
            result = cgutils.alloca_once(builder, INT64)

            def branch(test: int, *others: int) -> None:
                if not others:
                    builder.store(write(_Code(builder, VECTORS[test], test == LOOKUP), *values), result)
                    return
                with builder.if_else(builder.icmp_signed("==", number, INT64(test))) as (then, otherwise):
                    with then:
                        branch(test)
                    with otherwise:
                        branch(*others)

            branch(*tests)
            return builder.load(result)

        def choose(typing_context: Any, *given: Any) -> Any:
            return types.int64(types.int64, *arguments), generate

        # Numba wants to see as many parameters as there are arguments
        names = ("typing_context", "test", *(f"argument_{k}" for k in range(len(arguments))))
        positional = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        choose.__signature__ = Signature(positional)  # type: ignore[attr-defined]
        return intrinsic(choose)

    return make


@_by_test((SAT_LITE, AXIS, LOOKUP, SAT), _ADDRESS, *2 * _CHILD_A, _ADDRESS, *2 * _CHILD_B, _ADDRESS)
def open_both(code: _Code, a: Any, row0: Any, by0: Any, row1: Any, by1: Any, b: Any, *others: Any) -> Any:
    """Return the overlapping pairs of two children of a and two of b."""
    row2, by2, products2, row3, by3, products3, place = others
    parent_a, parent_b = code.load(a), code.load(b)
    ours = [code.cut(parent_a, row0, by0), code.cut(parent_a, row1, by1)]
    theirs = [code.cut_b(parent_b, row2, by2, products2), code.cut_b(parent_b, row3, by3, products3)]
    for k, state in enumerate([*ours, *theirs]):
        code.store(state, place, k)
    return code.waiting([(i + 2 * j, ours[i], theirs[j]) for j in range(2) for i in range(2)])


@_by_test((SAT_LITE, SAT, AXIS), _ADDRESS, *2 * _CHILD_A, _ADDRESS, _ADDRESS)
def open_a(code: _Code, a: Any, row0: Any, by0: Any, row1: Any, by1: Any, b: Any, place: Any) -> Any:
    """Return which of two children of a overlap b."""
    parent, other = code.load(a), code.load(b)
    ours = [code.cut(parent, row0, by0), code.cut(parent, row1, by1)]
    for k, state in enumerate(ours):
        code.store(state, place, k)
    return code.waiting([(i, ours[i], other) for i in range(2)])


@_by_test((SAT_LITE, AXIS, LOOKUP, SAT), _ADDRESS, _ADDRESS, *2 * _CHILD_B, _ADDRESS)
def open_b(code: _Code, a: Any, b: Any, row2: Any, by2: Any, products2: Any, *others: Any) -> Any:
    """Return which of two children of b overlap a."""
    row3, by3, products3, place = others
    other, parent = code.load(a), code.load(b)
    theirs = [code.cut_b(parent, row2, by2, products2), code.cut_b(parent, row3, by3, products3)]
    for k, state in enumerate(theirs):
        code.store(state, place, 2 + k)
    return code.waiting([(2 * j, other, theirs[j]) for j in range(2)])


@_by_test((SAT_LITE, AXIS, LOOKUP, SAT), _ADDRESS, *_CHILD_A, _ADDRESS, *_CHILD_B, _ADDRESS, _ADDRESS)
def open_one(code: _Code, a: Any, row_a: Any, by_a: Any, b: Any, row_b: Any, by_b: Any, *others: Any) -> Any:
    """Return whether one child of a and one of b overlap."""
    products, place_a, place_b = others
    our, their = code.cut(code.load(a), row_a, by_a), code.cut_b(code.load(b), row_b, by_b, products)
    code.store(our, place_a)
    code.store(their, place_b)
    return code.overlap(our, their)


@_by_test((SAT_LITE, LOOKUP, SAT, AXIS), _ADDRESS, *_CHILD_B)
def cut_on(code: _Code, state: Any, row: Any, by: Any, products: Any) -> Any:
    """Cut a state where it lies, by the further planes of a chain; for tree a, lookup tables are the test AXIS."""
    code.store(code.cut_b(code.load(state), row, by, products), state)
    return INT64(0)


@_by_test((SAT_LITE, SAT, AXIS), _ADDRESS, _ADDRESS)
def overlapping(code: _Code, a: Any, b: Any) -> Any:
    """Return whether two states overlap on all axes."""
    return code.overlap(code.load(a), code.load(b))
