"""The tests of `filter` on many pairs of triangles at once, in float32: sides of planes, and intervals on their line.

Nothing branches: triangles are turned by choices between lanes. `certain_pairs` says where the bounds come from.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from tumble.core.simd.vectors import Lanes, Triple, Vector, dot, minus

UNIT = 2.0**-24
SAFE_BOUND = 1e-30
SIGN = -(2**31)
"""the bits of a float32 of which only the sign is set, as an int32"""

Points = Sequence[Triple]


def cross_fused(left: Triple, right: Triple) -> list[Vector]:
    """Return the vector product; products may be fused with differences, so the last bits depend on the machine."""
    turns = ((1, 2), (2, 0), (0, 1))
    return [left[i].times_plus(right[j], -(left[j] * right[i])) for i, j in turns]


def largest_of(components: Sequence[Vector]) -> Vector:
    """Return the largest absolute value among components, lane by lane, by as few steps in a row as can be."""
    sizes = [component.magnitude() for component in components]
    while len(sizes) > 1:
        pairs = zip(sizes[::2], sizes[1::2], strict=False)
        sizes = [one.or_larger(other) for one, other in pairs] + (sizes[-1:] if len(sizes) % 2 else [])
    return sizes[0]


class Bounds:
    """How far determinants of two triangles' corners may be off, lane by lane."""

    def __init__(self, lanes: Lanes, size: Vector, rounding: Vector, first_edge: Vector, second_edge: Vector) -> None:
        # names as in `certain_pairs`: h is what a difference may be off by, size is D
        h = size.times_plus(lanes.constant(4 * UNIT), rounding + rounding)
        first, second = first_edge + h, second_edge + h
        by_square = h.times_plus(lanes.constant(6.5), size * lanes.constant(64 * UNIT))
        by_edge = h * size * lanes.constant(13.0)
        least = lanes.constant(SAFE_BOUND)
        # the larger in this order is not a number where the bound is none
        self.first_plane = least.or_larger(first * first.times_plus(by_square, by_edge))
        self.second_plane = least.or_larger(second * second.times_plus(by_square, by_edge))
        # the third edge of a triangle is at most twice as large as the larger of the two that are known
        product = first * second * lanes.constant(4.0)
        self.edges = least.or_larger(product.times_plus(by_square, (first + second) * by_edge))


class Sides:
    """On which sides of a plane three points are; signs are those of numbers, and zero has none that counts."""

    def __init__(self, lanes: Lanes, normal: Triple, base: Triple, points: Points, bound: Vector) -> None:
        builder = lanes.builder
        distances = [dot(normal, minus(point, base)) for point in points]
        sizes = [distance.magnitude() for distance in distances]
        self.known = sizes[0].or_smaller(sizes[1]).or_smaller(sizes[2]) > bound
        first, second, third = (builder.bitcast(distance.value, lanes.ints) for distance in distances)
        first_second, second_third = builder.xor(first, second), builder.xor(second, third)
        first_third = builder.xor(first, third)
        self.crossing = _is_negative(builder, builder.or_(first_second, first_third))
        # the apex, a corner alone on its side, is neither the first nor the second
        self.not_first, self.not_second = _is_negative(builder, second_third), _is_negative(builder, first_third)
        self.points, self.below = points, builder.xor(first_second, third)
        """negative where the apex is below the plane"""


def _is_negative(builder: Any, numbers: Any) -> Any:
    return builder.icmp_signed("<", numbers, ir.Constant(numbers.type, [0] * numbers.type.count))


def _from_apex(lanes: Lanes, sides: Sides) -> tuple[Triple, Triple, Triple]:
    """Return the corner alone on its side, and the ways to the two after it."""

    def chosen(p: Triple, q: Triple, r: Triple) -> list[Vector]:
        return [
            lanes.choose(sides.not_first, lanes.choose(sides.not_second, r[k], q[k]), p[k])
            for k in range(3)
        ]  # fmt: skip

    p, q, r = sides.points
    apex = chosen(p, q, r)
    return apex, minus(chosen(q, r, p), apex), minus(chosen(r, p, q), apex)


def crossing_sign(lanes: Lanes, first: Sides, second: Sides) -> Vector:
    """Return a number that is positive where triangles that cross each other's planes touch, negative where not.

    With p the apexes, q and r the corners after them in an order that depends on the other's apex, the determinants of
    `filter` are those of (p1 - p2, q1 - p1, q2 - p2), with the sign changed, and of (p1 - p2, r1 - p1, r2 - p2). Both
    must be negative: what is returned is the smaller of the two with their signs changed.
    """
    builder = lanes.builder
    apex, after, before = _from_apex(lanes, first)
    other_apex, other_after, other_before = _from_apex(lanes, second)
    # if just one of the two is turned round, its corners change places; if the first is, so do the two determinants
    swapped = _is_negative(builder, builder.xor(first.below, second.below))
    after2 = [lanes.choose(swapped, other_before[k], other_after[k]) for k in range(3)]
    before2 = [lanes.choose(swapped, other_after[k], other_before[k]) for k in range(3)]
    way = minus(apex, other_apex)
    one, other = dot(way, cross_fused(after, after2)), dot(way, cross_fused(before, before2))
    signs = builder.and_(second.below, ir.Constant(lanes.ints, [SIGN] * lanes.kind.width))
    one, other = (Vector(lanes, _with_sign(builder, number.value, signs)) for number in (-one, other))
    return one.or_smaller(other)


def _with_sign(builder: Any, number: Any, signs: Any) -> Any:
    return builder.bitcast(builder.xor(builder.bitcast(number, signs.type), signs), number.type)
